import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Camera, Installation } from '../support/installation.ts';
import { processTree } from '../support/process-tree.ts';
import { withTemporaryFolder } from '../support/temporary-folder.ts';
import { part } from './part.ts';
import { verdict } from './verdict.ts';

export const fullDisk = part({
  name: 'full-disk',
  description:
    'Fills the disk of DATA_DIR, or makes it read-only, while lanes are killed and alerts fire, then frees it. Needs the right to mount a disk.',
  options: {
    lanes: [
      'kills of the lane while the disk is full; with the third in five minutes a worker gives up its cameras',
      2,
    ],
    scenes: ['simulated cameras, a scene each', 2],
    fps: ['frames a second of each', 2],
    megabytes: ['size of the disk in MB', 8],
    readOnly: ['1: the disk becomes read-only instead of full', 0],
  },
  run(options) {
    return withTemporaryFolder('analytics-disk', async (disk) => {
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${options.megabytes}m,mode=700`, 'tmpfs', disk], {
          stdio: ['ignore', 'ignore', 'pipe'],
          encoding: 'utf8',
        });
      } catch (error) {
        const { stderr, message } = error as { stderr?: string; message: string };
        const notRun = `a small disk cannot be mounted here: ${(stderr || message).trim()}`;
        return { notRun, failed: [notRun], passed: false };
      }
      try {
        const installation = await Installation.open({ workers: 1, environment: { DATA_DIR: disk } });
        return await breakDisk(installation, disk, options).finally(() => installation.close());
      } finally {
        execFileSync('umount', ['--lazy', disk]);
      }
    });
  },
});

const BLOCK = Buffer.alloc(4096);
/** Includes the time in which a lane loads its model at its start. */
const LANE_SECONDS = 90;
const ALERT_SECONDS = 60;
/** Of an alert: with boxes, without, and a thumbnail. */
const IMAGES = 3;
/** A disk that stays full does not fill the log too. */
const MOST_LOG_LINES = 4;

async function breakDisk(
  installation: Installation,
  disk: string,
  { lanes, scenes, fps, readOnly }: Readonly<Record<'lanes' | 'scenes' | 'fps' | 'readOnly', number>>,
) {
  const worker = installation.workers[0]!;
  const { cameras } = await installation.startShops('Disk', { scenes, fps });
  const untilFrames = (sinceMs: number) =>
    installation.until(
      'every run has frames',
      async () => {
        const rows = await installation.query(
          `SELECT 1 FROM "AnalysisTask" WHERE status = 'PROCESSING' AND "runStatus" = 'running' AND "lastFrameAt" > $1`,
          [new Date(sinceMs).toISOString()],
        );
        return rows.length === scenes;
      },
      LANE_SECONDS,
    );
  await untilFrames(Date.now());
  const before = await fireAlert(installation, cameras[0]!, IMAGES);

  if (readOnly) remount(disk, 'ro');
  else await fill(disk);
  installation.note(readOnly ? 'the disk is read-only' : 'the disk is full');
  const framesSeconds: number[] = [];
  const whileFull: number[] = [];
  for (let number = 0; number < lanes; number++) {
    for (const pid of lanesOf(worker.pid)) process.kill(pid, 'SIGKILL');
    installation.note('its lanes were killed');
    framesSeconds.push(await untilFrames(Date.now() + 1_000));
    whileFull.push(await fireAlert(installation, cameras[number % scenes]!));
  }
  const node = async () => {
    const sql = `SELECT health, "healthReason" AS reason FROM "ComputeNode" ORDER BY "createdAt" LIMIT 1`;
    return (await installation.query<{ health: string; reason: string | null }>(sql))[0]!;
  };
  await installation.until('the node is degraded', async () => (await node()).health === 'degraded', 30);
  const { reason } = await node();
  const programsEnded = installation.programsEnded();
  const toldInLog = readFileSync(worker.logFile, 'utf8').split('cannot be written (').length - 1;

  if (readOnly) remount(disk, 'rw');
  else await rm(join(disk, 'filler'));
  installation.note('the disk can be written again');
  const spaceMs = performance.now();
  const after = await fireAlert(installation, cameras[0]!, IMAGES);
  await installation.until('the node is healthy', async () => (await node()).health === 'healthy', 60);
  await installation.until('the new lanes are recorded', () => areRecorded(disk, lanesOf(worker.pid)), 30);
  const recoveredSeconds = Math.round(performance.now() - spaceMs) / 1000;
  const withImagesWhileFull = whileFull.filter((images) => images > 0).length;
  return {
    /** Why the part could not run; null when it ran. */
    notRun: null,
    lanesKilled: lanes,
    /** After each kill of the lanes: seconds until frames of every run were stored again. */
    framesSeconds: framesSeconds.map((seconds) => Math.round(seconds * 10) / 10),
    alertsWhileFull: whileFull.length,
    withImagesWhileFull,
    /** The reason that the node gave for its health. */
    toldByNode: reason,
    /** Lines of the worker's log which say that something cannot be written. */
    toldInLog,
    programsEnded,
    /** After there was space again: until an alert had its images, the node was healthy and its lanes were recorded. */
    recoveredSeconds,
    ...verdict({
      'images of an alert before': { is: before, exactly: IMAGES },
      'images of an alert after': { is: after, exactly: IMAGES },
      withImagesWhileFull: { is: withImagesWhileFull, exactly: 0 },
      programsEnded: { is: programsEnded, exactly: 0 },
      'reasons told by the node': { is: reason === null ? 0 : 1, exactly: 1 },
      'toldInLog, least': { is: toldInLog, atLeast: 1 },
      'toldInLog, most': { is: toldInLog, atMost: MOST_LOG_LINES },
    }),
  };
}

/**
 * Adds a rule that fires at the next frame and waits for its alert event.
 * @param expected how many images to wait for; without it, any number
 * @returns how many images the alert event has
 */
async function fireAlert(installation: Installation, camera: Camera, expected?: number): Promise<number> {
  const id = await installation.addRule(camera, { cooldownMinutes: 1440 });
  let images = 0;
  const hasFired = async () => {
    const [alert] = await installation.query<{ images: number; awaits: boolean }>(
      `SELECT (SELECT count(*)::int FROM "StoredImage" i WHERE i."alertEventId" = a.id) AS images,
              "awaitsPictures" AS awaits FROM "AlertEvent" a WHERE "ruleId" = $1`,
      [id],
    );
    images = alert?.images ?? 0;
    return alert !== undefined && !alert.awaits && (expected === undefined || images === expected);
  };
  await installation.until('an alert is stored', hasFired, ALERT_SECONDS);
  installation.note(`an alert was stored with ${images} images`);
  return images;
}

function remount(disk: string, how: 'ro' | 'rw'): void {
  execFileSync('mount', ['-o', `remount,${how}`, disk]);
}

/** Writes to a file until the disk is full. */
async function fill(disk: string): Promise<void> {
  const filler = await open(join(disk, 'filler'), 'w');
  try {
    for (;;) await filler.write(BLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await filler.close();
  }
}

const lanesOf = (workerPid: number): number[] =>
  processTree(workerPid).flatMap(({ pid }) => (isLane(pid) ? [pid] : []));

function isLane(pid: number): boolean {
  try {
    return /\/lane\.[jt]s\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

/** Whether a worker that starts after a crash would find these lanes in the node's file. */
async function areRecorded(disk: string, pids: readonly number[]): Promise<boolean> {
  const file = JSON.parse(await readFile(join(disk, 'nodes', 'node-0.json'), 'utf8')) as {
    children: { pid: number }[];
  };
  return pids.length > 0 && pids.every((pid) => file.children.some((child) => child.pid === pid));
}
