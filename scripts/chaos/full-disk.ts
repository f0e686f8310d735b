import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processTree } from '../support/process-tree.ts';
import { ask } from './history.ts';
import { Installation, type Watched } from './installation.ts';
import { part } from './part.ts';
import { startShops } from './start-shops.ts';

export interface FullDiskResult {
  /** Why it could not be tried; null when it was. */
  readonly notRun: string | null;
  readonly lanesKilled?: number;
  /** Until frames of every run were stored again, after each lane that was killed while the disk was full. */
  readonly framesSeconds?: readonly number[];
  /** While it was full: alerts, and how many of them have images. */
  readonly alertsWhileFull?: number;
  readonly withImagesWhileFull?: number;
  /** What the node said of itself. */
  readonly toldByNode?: string | null;
  /** Lines of the worker's log that say that something cannot be written. */
  readonly toldInLog?: number;
  readonly programsEnded?: number;
  /** After there was space again: until an alert had its images, the node was healthy and its lanes were noted. */
  readonly recoveredSeconds?: number;
  readonly passed: boolean;
}

export const fullDisk = part({
  name: 'full-disk',
  description:
    'DATA_DIR on a full disk while lanes are killed and alerts fire, then space again. Needs the right to mount.',
  options: {
    lanes: ['lanes killed while the disk is full', 3],
    scenes: ['simulated cameras, a scene each', 2],
    fps: ['frames a second of each', 2],
    megabytes: ['size of the disk', 8],
  },
  run: runFullDisk,
});

interface FullDiskOptions {
  readonly lanes: number;
  readonly scenes: number;
  readonly fps: number;
  readonly megabytes: number;
}

const BLOCK = Buffer.alloc(4096);
/** A lane loads its model at its start. */
const LANE_SECONDS = 90;
const ALERT_SECONDS = 60;

/** Fills the disk of DATA_DIR and looks at what still works. */
async function runFullDisk(options: FullDiskOptions): Promise<FullDiskResult> {
  const disk = await mkdtemp(join(tmpdir(), 'analytics-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${options.megabytes}m,mode=700`, 'tmpfs', disk], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
  } catch (error) {
    await rm(disk, { recursive: true });
    const { stderr, message } = error as { stderr?: string; message: string };
    return { notRun: `a small disk cannot be mounted here: ${(stderr || message).trim()}`, passed: false };
  }
  try {
    const installation = await Installation.open({ workers: 1, leaseSeconds: 15, dataDir: disk });
    try {
      return await breakDisk(installation, disk, options);
    } finally {
      await installation.close();
    }
  } finally {
    execFileSync('umount', ['--lazy', disk]);
    await rm(disk, { recursive: true, force: true });
  }
}

async function breakDisk(
  installation: Installation,
  disk: string,
  { lanes, scenes, fps }: FullDiskOptions,
): Promise<FullDiskResult> {
  const worker = installation.workers[0]!;
  const { cameras } = await startShops(installation, 'Disk', { scenes, fps });
  const framesAfter = (sinceMs: number) => async () => {
    const since = new Date(sinceMs).toISOString();
    const rows = await ask(
      installation.databaseUrl,
      `SELECT 1 FROM "AnalysisTask" WHERE status = 'PROCESSING' AND "runStatus" = 'running' AND "lastFrameAt" > $1`,
      [since],
    );
    return rows.length === scenes;
  };
  await installation.until('every run gives frames', framesAfter(Date.now()), LANE_SECONDS);
  const before = await fireAlert(installation, cameras[0]!, (images) => images === 3);

  await fill(disk);
  installation.note('the disk is full');
  const framesSeconds: number[] = [];
  const whileFull: number[] = [];
  for (let number = 0; number < lanes; number++) {
    for (const pid of lanesOf(worker.pid)) process.kill(pid, 'SIGKILL');
    const killedMs = Date.now();
    installation.note('its lanes were killed');
    framesSeconds.push(await installation.until('frames again', framesAfter(killedMs + 1_000), LANE_SECONDS));
    whileFull.push(await fireAlert(installation, cameras[number % scenes]!, () => true));
  }
  const node = async () =>
    (
      await ask<{ health: string; reason: string | null }>(
        installation.databaseUrl,
        `SELECT health, "healthReason" AS reason FROM "ComputeNode" ORDER BY "createdAt" LIMIT 1`,
      )
    )[0]!;
  await installation.until('the node says so', async () => (await node()).health === 'degraded', 30);
  const toldByNode = (await node()).reason;
  const programsEnded = [installation.api, worker].filter(({ running }) => !running).length;
  const toldInLog = readFileSync(worker.logFile, 'utf8').split('cannot be written (').length - 1;

  await rm(join(disk, 'filler'));
  installation.note('there is space again');
  const spaceMs = performance.now();
  const after = await fireAlert(installation, cameras[0]!, (images) => images === 3);
  await installation.until('the node is healthy', async () => (await node()).health === 'healthy', 60);
  await installation.until('the new lanes are noted', () => areNoted(disk, lanesOf(worker.pid)), 30);
  const recoveredSeconds = Math.round(performance.now() - spaceMs) / 1000;
  const withImages = whileFull.filter((images) => images > 0).length;
  const isTold = toldByNode !== null && toldInLog > 0 && toldInLog <= 4;
  return {
    notRun: null,
    lanesKilled: lanes,
    framesSeconds: framesSeconds.map((seconds) => Math.round(seconds * 10) / 10),
    alertsWhileFull: whileFull.length,
    withImagesWhileFull: withImages,
    toldByNode,
    toldInLog,
    programsEnded,
    recoveredSeconds,
    passed: before === 3 && after === 3 && withImages === 0 && programsEnded === 0 && isTold,
  };
}

/** Makes a rule that fires at the next frame. @returns how many images its alert has once they are as wanted and settled */
async function fireAlert(
  installation: Installation,
  { sceneId }: Watched,
  wanted: (images: number) => boolean,
): Promise<number> {
  const { id } = await installation.client.post<{ id: string }>('/alerts/rules', {
    name: `Fires at once ${installation.operations.length}`,
    sceneId,
    severity: 'warning',
    conditions: [{ metricPath: 'current.totalPresent', operator: 'GTE', threshold: 0 }],
    cooldownMinutes: 1440,
  });
  let images = 0;
  const fired = async () => {
    const [alert] = await ask<{ images: number; awaits: boolean }>(
      installation.databaseUrl,
      `SELECT (SELECT count(*)::int FROM "StoredImage" i WHERE i."alertEventId" = a.id) AS images,
              "awaitsPictures" AS awaits FROM "AlertEvent" a WHERE "ruleId" = $1`,
      [id],
    );
    images = alert?.images ?? 0;
    return alert !== undefined && !alert.awaits && wanted(images);
  };
  await installation.until('an alert is recorded', fired, ALERT_SECONDS);
  installation.note(`an alert came with ${images} images`);
  return images;
}

/** Writes until nothing more fits. */
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

function lanesOf(workerPid: number): number[] {
  return processTree(workerPid)
    .filter(({ pid }) => isLane(pid))
    .map(({ pid }) => pid);
}

function isLane(pid: number): boolean {
  try {
    return /\/lane\.[jt]s\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

/** Whether a worker that starts after a crash would find these. */
async function areNoted(disk: string, pids: readonly number[]): Promise<boolean> {
  const seat = JSON.parse(await readFile(join(disk, 'nodes', 'chaos-0.json'), 'utf8')) as {
    children: { pid: number }[];
  };
  return pids.length > 0 && pids.every((pid) => seat.children.some((child) => child.pid === pid));
}
