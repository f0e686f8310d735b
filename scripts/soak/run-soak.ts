import { setTimeout as pause } from 'node:timers/promises';
import { isRunning, processStartTime, type StartedProcess } from '../../src/platform/processes/processes.ts';
import { Installation } from '../support/installation.ts';
import { median } from '../support/numbers.ts';
import { processTree, type SeenProcess } from '../support/process-tree.ts';
import { lastLines, type Program } from '../support/programs.ts';
import { progress } from '../support/terminal.ts';

interface SoakOptions {
  readonly cameras: number;
  readonly fps: number;
  readonly minutes: number;
}

interface Sample {
  readonly minute: number;
  readonly rssBytes: number;
  readonly ffmpegRssBytes: number;
  readonly processes: number;
}

const SAMPLE_SECONDS = 10;
const MAX_GROWTH_PERCENT = 5;

/** @throws Error when the worker ends or a camera has no frame */
export async function runSoak({ cameras: scenes, fps, minutes }: SoakOptions) {
  const installation = await Installation.open({
    workers: 1,
    // The API answers the calls of this command and does nothing else.
    environment: { MAX_CONCURRENT_DEVICES: String(scenes), API_JOBS: 'false', LOG_LEVEL: 'warn' },
  });
  try {
    const worker = installation.workers[0]!;
    const { cameras, taskIds } = await installation.startShops('Shop', { scenes, fps, startSeconds: 0 });
    // The time counts from here: the model is loaded and every camera has frames.
    await installation.untilFrames(taskIds, 0, 180);
    const { samples, ffmpegs } = await sampleMemory(worker, minutes);
    for (const camera of cameras) await installation.stop(camera);
    await worker.stop();
    const ffmpegLeft = ffmpegs.filter(isRunning).length;
    const runs = await readRuns(installation);
    const baselineMinute = Math.min(5, minutes / 2);
    const baselineRssBytes = medianRss(samples, baselineMinute, baselineMinute + 1);
    const endRssBytes = medianRss(samples, minutes - Math.min(1, minutes / 2), minutes);
    const growthPercent = (endRssBytes / baselineRssBytes - 1) * 100;
    const sum = (key: 'processedFrames' | 'droppedFrames' | 'snapshots') =>
      runs.reduce((total, run) => total + run[key], 0);
    return {
      cameras: scenes,
      fps,
      minutes,
      baselineMinute,
      /** Medians over a minute, worker and lanes together. */
      baselineRssBytes,
      endRssBytes,
      growthPercent: Math.round(growthPercent * 100) / 100,
      wantedFrames: Math.round(scenes * fps * minutes * 60),
      processedFrames: sum('processedFrames'),
      droppedFrames: sum('droppedFrames'),
      snapshots: sum('snapshots'),
      ffmpegLeft,
      passed:
        growthPercent < MAX_GROWTH_PERCENT &&
        ffmpegLeft === 0 &&
        runs.every(({ status, processedFrames }) => status === 'COMPLETED' && processedFrames > 0),
      samples,
    };
  } finally {
    await installation.close();
  }
}

/** Samples the memory of a worker and its children. @returns the samples, and each ffmpeg that was seen */
async function sampleMemory(worker: Program, minutes: number) {
  const samples: Sample[] = [];
  const ffmpegs = new Map<number, StartedProcess>();
  const startMs = performance.now();
  const bar = progress('soak', Math.round(minutes * 60), 's');
  for (;;) {
    const minute = (performance.now() - startMs) / 60_000;
    if (minute > minutes) break;
    if (!worker.running) throw new Error(`The worker ended. Its last lines:\n${lastLines(worker)}`);
    const tree = processTree(worker.pid);
    const isFfmpeg = ({ name }: SeenProcess) => name.startsWith('ffmpeg');
    const rss = (of: readonly SeenProcess[]) => of.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
    for (const { pid } of tree.filter(isFfmpeg)) {
      const startTime = processStartTime(pid);
      if (startTime !== null) ffmpegs.set(pid, { pid, startTime });
    }
    samples.push({
      minute: Math.round(minute * 100) / 100,
      rssBytes: rss(tree.filter((seen) => !isFfmpeg(seen))),
      ffmpegRssBytes: rss(tree.filter(isFfmpeg)),
      processes: tree.length,
    });
    bar.update(Math.round(minute * 60));
    await pause(SAMPLE_SECONDS * 1000);
  }
  bar.stop();
  return { samples, ffmpegs: [...ffmpegs.values()] };
}

const readRuns = (installation: Installation) =>
  installation.query<{ status: string; processedFrames: number; droppedFrames: number; snapshots: number }>(
    `SELECT t.status, coalesce((t.stats->>'processedFrames')::int, 0) AS "processedFrames",
       coalesce((t.stats->>'droppedFrames')::int, 0) AS "droppedFrames",
       (SELECT count(*)::int FROM all_snapshots(t."sceneId", '-infinity', 'infinity')) AS snapshots
     FROM "AnalysisTask" t`,
  );

/** The median over this time: garbage is collected between samples, so a single one says little. */
function medianRss(samples: readonly Sample[], fromMinute: number, toMinute: number): number {
  const inTime = samples.filter(({ minute }) => minute >= fromMinute && minute <= toMinute);
  return median(inTime.map(({ rssBytes }) => rssBytes)) || Number.NaN;
}
