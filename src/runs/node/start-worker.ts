import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Discoveries } from '../../cameras/discovery/discoveries.ts';
import { checkImageStorage } from '../../images/check-storage.ts';
import type { LaneProvider } from '../../lanes/lane-pool.ts';
import type { ChosenModel } from '../../models/choice/measurement.ts';
import { requireDatabaseUrl, requireDirectDatabaseUrl, VERSION } from '../../platform/config.ts';
import { type Context, withOwnConnections } from '../../platform/context.ts';
import { isDatabaseAway } from '../../platform/database/database-away.ts';
import { checkDatabase } from '../../platform/database/database-check.ts';
import { CHANNELS, listen } from '../../platform/database/notify.ts';
import { PROCESS_ID } from '../../platform/database/session-owner.ts';
import { every } from '../../platform/jobs/every.ts';
import type { Queue } from '../../platform/jobs/queue.ts';
import type { Prometheus } from '../../platform/prometheus.ts';
import type { ReadinessChecks } from '../../platform/readiness.ts';
import { WriteFaults } from '../../platform/write-faults.ts';
import { CapacityWatch } from './capacity/capacity-watch.ts';
import { processorUse } from './capacity/processor-use.ts';
import { FrameRequests } from './images/frame-requests.ts';
import type { NodeProvider } from './node.store.ts';
import { NodeLock } from './node-lock.ts';
import { NodeMember } from './node-member.ts';
import { watchNode } from './node-metrics.ts';
import { startLanes } from './start-lanes.ts';
import { Supervisor } from './supervisor.ts';
import { takePlace } from './take-place.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/** The pause between two checks whether the capacity is to be measured again. */
const CAPACITY_MS = 1_000;

export interface RunningWorker {
  /** Process ids of its lanes. */
  readonly lanePids: readonly number[];
  /** What the node needs to analyse cameras. */
  readonly ready: ReadinessChecks & Record<'lanes' | 'heartbeat', () => string | null>;
  /** Releases its runs at once and ends its lanes. Never throws. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  /** Aborts the start. */
  readonly signal: AbortSignal;
  /** Gets the job of each alert's insight. */
  readonly queue: Pick<Queue, 'send'>;
  /** Shows the node and its cameras. */
  readonly prometheus?: Pick<Prometheus, 'watchSeries'>;
  /** Another worker has taken the place of this node: this one has to end. */
  readonly onReplaced: () => void;
}

/**
 * Starts a compute node: first its lanes, because a node without a model can do nothing, then its registration. While the
 * database does not answer, it waits and logs that.
 * @returns null when `signal` aborted the start
 * @throws Error saying why the model, ffmpeg or the image storage cannot be used
 */
export async function startWorker(context: Context, options: WorkerOptions): Promise<RunningWorker | null> {
  const { config, db, logger } = context;
  const { signal, queue, prometheus, onReplaced } = options;
  const faults = new WriteFaults(logger);
  const isChosen = config.nodeName !== undefined;
  const lock = new NodeLock(join(config.dataDir, 'nodes'), config.nodeName ?? hostname(), {
    faults,
    isChosen,
  });
  if (lock.endedChildren.length > 0) {
    logger.warn({ processes: lock.endedChildren }, 'lanes of a crashed worker were ended');
  }
  const started = await startLanes(context, lock, signal);
  if (!started) return null;
  const { pool, lanes, handicap, chosen, decoding } = started;
  const { model, executionProvider, msPerFrame } = started.ready;

  const capacity = new CapacityWatch({
    firstRate: (lanes * 1000) / msPerFrame,
    measure: () => pool.measure(),
    cameras: () => pool.cameras,
    machine: { cores: availableParallelism(), lanes, use: () => processorUse(pool.pids) },
    log: logger,
  });
  const maxDevices = () => config.maxConcurrentDevices ?? capacity.maxDevices;
  // One connection: heartbeats and renewals use it one after the other, and wait for nothing else.
  const lifeline = withOwnConnections(context, 'worker', 1).db;
  const close = async () => {
    await pool.stop();
    await lifeline.$disconnect();
  };
  const terms = { leaseSeconds: config.leaseSeconds, formerIncarnation: lock.formerIncarnation };
  const wanted = { ...terms, name: lock.name, isChosen, nodeId: lock.nodeId };
  const place = await whenDatabaseAnswers(context, signal, async () => {
    const newer = await checkDatabase(db, requireDatabaseUrl(config));
    if (newer) logger.warn(newer);
    return takePlace(db, wanted, signal);
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  if (!place) {
    await close();
    return null;
  }
  const identity = {
    ...place,
    host: hostname(),
    version: VERSION,
    model,
    executionProvider,
    maxConcurrentDevices: maxDevices(),
    incarnation: PROCESS_ID,
  };
  const node = new NodeMember(db, identity, {
    ...{ lifeline, handicap, faults, terms, clock: context.clock },
    provider: () => providerOf(chosen, pool.provider),
    decoder: () => ({
      videoDecoder: decoding.hardware ?? 'software',
      videoDecoderReason: pool.hardwareFault ?? decoding.reason,
    }),
  });
  const supervisor = new Supervisor({
    context: { ...context, queue, faults },
    ...{ node, lanes: pool, lifeline, maxDevices, onReplaced },
    // Files that users upload are as untrusted as cameras.
    maxRecordings: handicap ? 0 : config.maxConcurrentRecordings,
  });
  if (prometheus)
    watchNode(
      prometheus,
      () => supervisor.numbers,
      () => processorUse(pool.pids),
    );
  const isRunning = await whenDatabaseAnswers(context, signal, async () => {
    await checkImageStorage(context);
    await node.join();
    await supervisor.start();
    return true;
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  if (!isRunning) {
    await close();
    return null;
  }

  const frameRequests = new FrameRequests({ context, nodeId: node.id, lanes: pool });
  const discoveries = new Discoveries({ context, nodeId: node.id });
  const discover = () =>
    discoveries.run().catch((error: unknown) => {
      logger.warn({ err: error }, 'searches for cameras could not be read');
    });
  const listener = listen({
    databaseUrl: requireDirectDatabaseUrl(config),
    channels: [CHANNELS.runs, CHANNELS.frames, CHANNELS.rules, CHANNELS.liveWishes, CHANNELS.discoveries],
    onConnect: () => {
      supervisor.runsChanged();
      void discover();
    },
    onLost: (error) => logger.warn({ err: error }, 'no notifications arrive: connecting again'),
    onNotify: (channel, payload) => {
      const onError = (error: unknown) =>
        logger.warn({ err: error, deviceId: payload }, 'a request for images could not be answered');
      if (channel === CHANNELS.runs) supervisor.runsChanged();
      else if (channel === CHANNELS.discoveries) void discover();
      else if (channel === CHANNELS.rules) supervisor.rulesChanged(payload);
      else if (channel === CHANNELS.liveWishes) supervisor.picturesWished(payload).catch(onError);
      else frameRequests.answer(payload, supervisor.isStreaming(payload)).catch(onError);
    },
  });
  const { id: nodeId, name } = identity;
  const { adapter } = providerOf(chosen, pool.provider);
  const about = {
    ...{ name, nodeId, lanes, model, executionProvider, adapter, msPerFrame },
    videoDecoder: decoding.hardware ?? 'software',
    maxDevices: maxDevices(),
  };
  logger.info(about, 'the node is ready');
  const measuring =
    config.maxConcurrentDevices === undefined
      ? every(
          CAPACITY_MS,
          async () => {
            if (await capacity.update()) supervisor.runsChanged();
          },
          (error) => logger.error({ err: error }, 'the capacity could not be measured'),
        )
      : null;
  return {
    get lanePids() {
      return pool.pids;
    },
    ready: { lanes: () => pool.notReady, heartbeat: () => node.silence(config.leaseSeconds) },
    async stop() {
      logger.info('ending: the runs are released');
      await listener.close();
      await discoveries.stop();
      // A measurement under way ends with the lanes.
      const measured = measuring?.stop();
      await supervisor.stop().catch((error: unknown) => {
        logger.warn({ err: error }, 'runs could not be released: their leases will lapse');
      });
      await pool.stop();
      await measured;
      await lifeline.$disconnect();
    },
  };
}

/** What the lanes use now, which is the CPU where the GPU that was chosen cannot be used. */
function providerOf(
  { executionProvider: wanted, adapter, providerReason, batchSize }: ChosenModel,
  { executionProvider, reason }: LaneProvider,
): NodeProvider {
  const isAsChosen = executionProvider === wanted;
  return {
    executionProvider,
    adapter: isAsChosen ? adapter : null,
    providerReason: isAsChosen ? providerReason : reason,
    batchSize: isAsChosen ? batchSize : 1,
  };
}

/** Tries until the database answers. @returns null when `signal` aborts it */
async function whenDatabaseAnswers<Result>(
  { logger }: Context,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | null> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) break;
      if (!isDatabaseAway(error)) throw error;
      const { message } = error as Error;
      logger.warn(
        `The database of DATABASE_URL does not answer (${message.trim().split('\n').at(-1)}). Trying again in ${pauseMs / 1000} s.`,
      );
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}
