import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '../../src/config.ts';
import { stopAnalysis } from '../../src/control/stop-analysis.ts';
import { sealStreamUrl } from '../../src/devices/stream-url.ts';
import { type Context, createContext } from '../../src/platform/context.ts';
import { isRunning, processStartTime, type StartedProcess } from '../../src/platform/processes/processes.ts';
import { queueRun } from '../../src/runs/queue-run.store.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { sceneConfigSchema } from '../../src/vision/scene-config.ts';
import { migrate } from '../support/database.ts';
import { startOwnCluster } from '../support/own-cluster.ts';
import { processTree } from '../support/process-tree.ts';
import { lastLines, type Program, startProgram } from '../support/programs.ts';
import { progress } from '../support/terminal.ts';

export interface SoakOptions {
  readonly cameras: number;
  readonly fps: number;
  readonly minutes: number;
}

export interface SoakResult extends SoakOptions {
  readonly baselineMinute: number;
  /** Medians over a minute, worker and lanes together. */
  readonly baselineRssBytes: number;
  readonly endRssBytes: number;
  readonly growthPercent: number;
  readonly wantedFrames: number;
  readonly processedFrames: number;
  readonly droppedFrames: number;
  readonly snapshots: number;
  readonly ffmpegLeft: number;
  readonly passed: boolean;
  readonly samples: readonly {
    minute: number;
    rssBytes: number;
    ffmpegRssBytes: number;
    processes: number;
  }[];
}

const SAMPLE_SECONDS = 10;
const MAX_GROWTH_PERCENT = 5;

/** @throws Error when the worker ends or no frame arrives */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const folder = await mkdtemp(join(tmpdir(), 'analytics-soak-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const database = await startOwnCluster({ dataDir: join(folder, 'postgres') });
    ends.push(() => database.stop());
    await migrate(database.url);
    const environment = { DATABASE_URL: database.url, DATA_DIR: folder, LOG_LEVEL: 'warn' };
    const context = createContext(loadConfig({ ...process.env, ...environment }), 'soak');
    ends.push(() => context.db.$disconnect());
    const runs = await queueCameras(context, options);
    const worker = startProgram(
      'worker',
      { ...environment, MAX_CONCURRENT_DEVICES: String(options.cameras), NODE_NAME: 'soak' },
      folder,
    );
    ends.push(() => worker.stop());
    await firstFrames(context, worker, runs.length);
    const watched = await watch(worker, options);
    return await finish({ context, worker, runs, watched, options });
  } finally {
    for (const end of ends.reverse()) await end().catch(() => undefined);
  }
}

interface Run {
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
}

async function queueCameras({ db, sealer }: Context, { cameras, fps }: SoakOptions): Promise<Run[]> {
  const user = await db.user.create({ data: { email: `soak-${Date.now()}@localhost` } });
  const config = JSON.parse(JSON.stringify(sceneConfigSchema.parse({ zones: SHOP_ZONES })));
  const runs: Run[] = [];
  for (let number = 1; number <= cameras; number++) {
    const device = await db.device.create({
      data: {
        userId: user.id,
        name: `Shop ${number}`,
        streamUrlEncrypted: sealStreamUrl(sealer, `sim:shop?seed=${number}`),
        analysisFps: fps,
        onlineStatus: 'online',
      },
    });
    const owner = { userId: user.id, deviceId: device.id };
    const scene = await db.scene.create({ data: { ...owner, name: 'Queue', config } });
    const run = { ...owner, sceneId: scene.id };
    await queueRun(db, { ...run, priority: 3, startedBy: 'user' });
    runs.push(run);
  }
  return runs;
}

/** The time counts from here: the model is loaded and every camera gives frames. */
async function firstFrames({ db }: Context, worker: Program, cameras: number): Promise<void> {
  const deadlineMs = performance.now() + 180_000;
  while ((await db.analysisTask.count({ where: { runStatus: 'running' } })) < cameras) {
    if (!worker.running || performance.now() > deadlineMs) {
      throw new Error(`Not every camera gave a frame. The last lines of the worker:\n${lastLines(worker)}`);
    }
    await pause(500);
  }
}

interface Watched {
  readonly samples: SoakResult['samples'];
  readonly ffmpegs: readonly StartedProcess[];
}

async function watch(worker: Program, { minutes }: SoakOptions): Promise<Watched> {
  const samples: SoakResult['samples'][number][] = [];
  const ffmpegs = new Map<number, StartedProcess>();
  const startMs = performance.now();
  const bar = progress('soak', Math.round(minutes * 60), 's');
  for (;;) {
    const minute = (performance.now() - startMs) / 60_000;
    if (minute > minutes) break;
    if (!worker.running) throw new Error(`The worker ended. Its last lines:\n${lastLines(worker)}`);
    const tree = processTree(worker.pid);
    const isFfmpeg = ({ name }: { name: string }) => name.startsWith('ffmpeg');
    const rss = (of: typeof tree) => of.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
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

interface Finished {
  readonly context: Context;
  readonly worker: Program;
  readonly runs: readonly Run[];
  readonly watched: Watched;
  readonly options: SoakOptions;
}

async function finish({ context, worker, runs, watched, options }: Finished): Promise<SoakResult> {
  const { db } = context;
  const { cameras, fps, minutes } = options;
  for (const { userId, deviceId } of runs) {
    await stopAnalysis(db, { userId, deviceId }, { reason: 'user_request', drain: false });
  }
  await worker.stop();
  const ffmpegLeft = watched.ffmpegs.filter(isRunning).length;
  const tasks = await db.analysisTask.findMany({
    where: { sceneId: { in: runs.map(({ sceneId }) => sceneId) } },
  });
  const stats = tasks.map((task) => task.stats as { processedFrames: number; droppedFrames: number } | null);
  const sum = (key: 'processedFrames' | 'droppedFrames') =>
    stats.reduce((total, stat) => total + (stat?.[key] ?? 0), 0);
  const baselineMinute = Math.min(5, minutes / 2);
  const baselineRssBytes = medianRss(watched.samples, baselineMinute, baselineMinute + 1);
  const endRssBytes = medianRss(watched.samples, minutes - Math.min(1, minutes / 2), minutes);
  const growthPercent = (endRssBytes / baselineRssBytes - 1) * 100;
  return {
    cameras,
    fps,
    minutes,
    baselineMinute,
    baselineRssBytes,
    endRssBytes,
    growthPercent: Math.round(growthPercent * 100) / 100,
    wantedFrames: Math.round(cameras * fps * minutes * 60),
    processedFrames: sum('processedFrames'),
    droppedFrames: sum('droppedFrames'),
    snapshots: await db.metricSnapshot.count({
      where: { sceneId: { in: runs.map(({ sceneId }) => sceneId) } },
    }),
    ffmpegLeft,
    passed:
      growthPercent < MAX_GROWTH_PERCENT &&
      ffmpegLeft === 0 &&
      tasks.every(({ status }) => status === 'COMPLETED') &&
      stats.every((stat) => (stat?.processedFrames ?? 0) > 0),
    samples: watched.samples,
  };
}

/** Over a whole minute: one sample may lie just before or just after a collection of garbage. */
function medianRss(samples: SoakResult['samples'], fromMinute: number, toMinute: number): number {
  const sizes = samples
    .filter(({ minute }) => minute >= fromMinute && minute <= toMinute)
    .map(({ rssBytes }) => rssBytes)
    .sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] ?? Number.NaN;
}
