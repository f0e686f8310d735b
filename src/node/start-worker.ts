import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MODELS_DIR, requireDatabaseUrl, VERSION } from '../config.ts';
import { networkPolicy } from '../devices/camera-network.ts';
import { checkImageStorage } from '../images/check-storage.ts';
import { LanePool, type LaneReady } from '../lanes/lane-pool.ts';
import type { LaneOptions } from '../lanes/lane-protocol.ts';
import { DEFAULT_MODEL } from '../models/card.ts';
import { requireUsableModels } from '../models/usable-models.ts';
import { type Context, withOwnConnections } from '../platform/context.ts';
import { isDatabaseAway } from '../platform/database/database-away.ts';
import { CHANNELS, listen } from '../platform/database/notify.ts';
import { PROCESS_ID } from '../platform/database/session-owner.ts';
import { every } from '../platform/jobs/every.ts';
import type { Queue } from '../platform/jobs/queue.ts';
import type { Prometheus } from '../platform/prometheus.ts';
import { WriteFaults } from '../platform/write-faults.ts';
import { findFfmpeg, oldRelease } from '../video/ffmpeg/ffmpeg-binaries.ts';
import { CapacityWatch } from './capacity-watch.ts';
import { answerFrameRequests } from './frame-requests.ts';
import { NodeLock } from './node-lock.ts';
import { NodeMember } from './node-member.ts';
import { watchNode } from './node-metrics.ts';
import { notifyNodeError } from './node-notices.store.ts';
import { Supervisor } from './supervisor.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** So often it is looked whether the capacity is to be measured again. */
const CAPACITY_MS = 1_000;

export interface RunningWorker {
  /** Process ids of its lanes. */
  readonly lanePids: readonly number[];
  /** Hands its runs back at once and ends its lanes. Never throws. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  /** Ends the start. */
  readonly signal: AbortSignal;
  /** Alerts send their insight's job with it. */
  readonly queue: Pick<Queue, 'send'>;
  /** Is told of the node and its cameras. */
  readonly prometheus?: Pick<Prometheus, 'watchSeries'>;
  /** Another worker is this node now: this one has to end. */
  readonly onReplaced: () => void;
}

/**
 * Starts a compute node: its lanes first, since a node without a model can do nothing, then its registration. While
 * the database is away it waits and says so.
 * @returns null when the start was ended by `signal`
 * @throws Error saying why the model, ffmpeg or the image storage cannot be used
 */
export async function startWorker(context: Context, options: WorkerOptions): Promise<RunningWorker | null> {
  const { config, db, logger } = context;
  const databaseUrl = config.directDatabaseUrl ?? requireDatabaseUrl(config);
  const faults = new WriteFaults(logger);
  const seat = new NodeLock(join(config.dataDir, 'nodes'), config.nodeName ?? hostname(), { faults });
  if (seat.endedLeftOvers.length > 0) {
    logger.warn({ processes: seat.endedLeftOvers }, 'lanes left over from a crashed worker were ended');
  }
  const lane = laneOptions(context);
  await requireUsableModels(lane, config);
  const handicap = await ffmpegHandicap(lane);
  if (handicap) logger.error(handicap);
  const lanes = config.lanes ?? Math.max(1, availableParallelism() - 1);
  // The lanes need somebody to tell before the node that the supervisor works for can be known.
  let supervisor: Supervisor | null = null;
  const pool = new LanePool({
    lanes,
    lane,
    silenceMs: config.laneSilenceSeconds * 1000,
    log: logger,
    listener: {
      wanted: (deviceId) => supervisor?.wanted(deviceId) ?? null,
      onObservations: (runs) => supervisor?.onObservations(runs),
      onPeople: (runs) => supervisor?.onPeople(runs),
      onCheckpoint: (runId, checkpoint) => supervisor?.onCheckpoint(runId, checkpoint),
      onStats: (stats) => supervisor?.onStats(stats),
      onStream: (message) => supervisor?.onStream(message),
      onRunEnded: (message) => supervisor?.onRunEnded(message),
      onCrashLimit: (deviceIds, how) => supervisor?.onCrashLimit(deviceIds, how),
      onChild: (pid, isRunning) => (isRunning ? seat.addChild(pid) : seat.removeChild(pid)),
    },
  });
  const ready = await endable(pool, options.signal).catch(async (error: unknown) => {
    // Whoever relied on this node before has to know; without a database there is only the log.
    await notifyNodeError(db, seat.nodeId).catch(() => undefined);
    throw error;
  });
  if (!ready) return null;
  const { model, executionProvider, msPerFrame } = ready;
  const capacity = new CapacityWatch({
    firstRate: (lanes * 1000) / msPerFrame,
    measure: () => pool.measure(),
    cameras: () => pool.cameras,
    onChange: () => supervisor?.lookAgain(),
    log: logger,
  });
  const maxDevices = () => config.maxConcurrentDevices ?? capacity.maxDevices;
  // One connection: heartbeats and leases take turns, and wait for nothing else.
  const lifeline = withOwnConnections(context, 'worker', 1).db;
  const identity = {
    id: seat.nodeId,
    name: seat.name,
    host: hostname(),
    version: VERSION,
    model,
    executionProvider,
    maxConcurrentDevices: maxDevices(),
    incarnation: PROCESS_ID,
  };
  const node = new NodeMember(db, identity, { lifeline, handicap, faults });
  supervisor = new Supervisor({
    context: { ...context, queue: options.queue, faults },
    node,
    lifeline,
    maxDevices,
    onReplaced: options.onReplaced,
  });
  supervisor.attach(pool);
  if (options.prometheus) watchNode(options.prometheus, () => supervisor?.numbers ?? null);
  const running = await patiently(context, options.signal, async () => {
    await checkImageStorage(context);
    await node.join();
    await supervisor?.start();
  }).catch(async (error: unknown) => {
    await pool.stop();
    await lifeline.$disconnect();
    throw error;
  });
  if (!running) {
    await pool.stop();
    await lifeline.$disconnect();
    return null;
  }
  const listener = listen({
    databaseUrl,
    channels: [CHANNELS.runs, CHANNELS.frames, CHANNELS.rules],
    onConnect: () => supervisor?.lookAgain(),
    onLost: (error) => logger.warn({ err: error }, 'notifications are cut off: connecting again'),
    onNotify: (channel, payload) => {
      if (channel === CHANNELS.runs) supervisor?.lookAgain();
      else if (channel === CHANNELS.rules) supervisor?.rulesChanged(payload);
      else {
        const deviceId = payload;
        const isStreamed = Boolean(supervisor?.wanted(deviceId));
        answerFrameRequests(context, { deviceId, isStreamed, nodeId: node.id, lanes: pool }).catch(
          (error: unknown) => logger.warn({ err: error, deviceId }, 'a picture could not be handed over'),
        );
      }
    },
  });
  logger.info(
    {
      name: seat.name,
      nodeId: node.id,
      lanes,
      model,
      executionProvider,
      msPerFrame,
      maxDevices: maxDevices(),
    },
    'the node is ready',
  );
  const measuring =
    config.maxConcurrentDevices === undefined
      ? every(
          CAPACITY_MS,
          () => capacity.look(),
          (error) => logger.error({ err: error }, 'the capacity could not be measured'),
        )
      : null;
  return {
    get lanePids() {
      return pool.pids;
    },
    async stop() {
      logger.info('ending: runs are handed back');
      await listener.close();
      const measured = measuring?.stop();
      await supervisor?.stop().catch((error: unknown) => {
        logger.warn({ err: error }, 'runs could not be handed back: their leases will lapse');
      });
      await pool.stop();
      await measured;
      await lifeline.$disconnect();
    },
  };
}

function laneOptions({ config }: Context): LaneOptions {
  return {
    model: config.model ?? DEFAULT_MODEL,
    attributeModels: config.attributeModels,
    modelsDir: MODELS_DIR,
    cacheDir: config.modelCacheDir,
    threads: config.detectorThreads,
    executionProvider: config.executionProvider,
    ffmpegPath: config.ffmpegPath,
    ffprobePath: config.ffprobePath,
    network: networkPolicy(config),
    watchdogMs: config.streamWatchdogSeconds * 1000,
    minAnalysisFps: config.minAnalysisFps,
    clockOffsetMs: 0,
  };
}

/** @returns why network streams cannot be read here, one sentence; null when they can. @throws StreamError without any ffmpeg */
async function ffmpegHandicap({ network, ffmpegPath, ffprobePath }: LaneOptions): Promise<string | null> {
  if (!network.refusesOldFfmpeg) return null;
  const release = oldRelease(await findFfmpeg({ ffmpegPath, ffprobePath }));
  if (release === null) return null;
  return (
    `Network cameras are not read here: ffmpeg or ffprobe is of release ${release}, and production wants 5 or later. ` +
    'Install a current ffmpeg, set FFMPEG_PATH and FFPROBE_PATH, or allow it with ALLOW_OLD_FFMPEG=true.'
  );
}

/** Starts the lanes; preparing a model takes a while, and who wants the worker to end does not wait for it. */
async function endable(pool: LanePool, signal: AbortSignal): Promise<LaneReady | null> {
  const end = () => void pool.stop();
  signal.addEventListener('abort', end);
  try {
    return await pool.start();
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Tries until the database answers. @returns false when `signal` ended it */
async function patiently(
  { logger }: Context,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<boolean> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      const { message } = error as Error;
      logger.warn(
        `The database of DATABASE_URL does not answer (${message.trim().split('\n').at(-1)}). Trying again in ${pauseMs / 1000} s.`,
      );
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return false;
}
