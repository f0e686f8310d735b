import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { checkImageStorage } from '../../images/check-storage.ts';
import type { LaneProvider } from '../../lanes/lane-pool.ts';
import type { ChosenModel } from '../../models/choice/measurement.ts';
import { requireDatabaseUrl, VERSION } from '../../platform/config.ts';
import { type Context, withOwnConnections } from '../../platform/context.ts';
import { checkDatabase } from '../../platform/database/database-check.ts';
import { PROCESS_ID } from '../../platform/database/session-owner.ts';
import { whenDatabaseAnswers } from '../../platform/database/when-database-answers.ts';
import { every } from '../../platform/jobs/every.ts';
import type { Queue } from '../../platform/jobs/queue.ts';
import type { Prometheus } from '../../platform/prometheus.ts';
import type { ReadinessChecks } from '../../platform/readiness.ts';
import { WriteFaults } from '../../platform/write-faults.ts';
import { CapacityWatch } from './capacity/capacity-watch.ts';
import { processorUse } from './capacity/processor-use.ts';
import type { NodeIdentity, NodeProvider, PlaceTerms } from './node.store.ts';
import { listenAsNode } from './node-listener.ts';
import { NodeLock } from './node-lock.ts';
import { NodeMember } from './node-member.ts';
import { watchNode } from './node-metrics.ts';
import { type StartedLanes, startLanes } from './start-lanes.ts';
import { Supervisor } from './supervisor.ts';
import { takePlace } from './take-place.ts';

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
  const opened: (() => Promise<void>)[] = [];
  try {
    return await openNode(context, options, opened);
  } catch (error) {
    for (const close of opened.reverse()) await close();
    if (options.signal.aborted) return null;
    throw error;
  }
}

/** @param opened gets what has to be closed if a later step fails */
async function openNode(
  context: Context,
  options: WorkerOptions,
  opened: (() => Promise<void>)[],
): Promise<RunningWorker> {
  const { config, logger } = context;
  const { signal, onReplaced } = options;
  const faults = new WriteFaults(logger);
  const lock = lockName(context, faults);
  const lanes = await startLanes(context, lock, signal);
  const { pool } = lanes;
  opened.push(() => pool.stop());
  const capacity = watchCapacity(context, lanes);
  // One connection: heartbeats and renewals use it one after the other, and wait for nothing else.
  const lifeline = withOwnConnections(context, 'worker', 1).db;
  opened.push(() => lifeline.$disconnect());
  const terms = { leaseSeconds: config.leaseSeconds, formerIncarnation: lock.formerIncarnation };
  const identity = await identify(context, { lock, lanes, terms, maxDevices: capacity.maxDevices() }, signal);
  const node = new NodeMember(context.db, identity, {
    ...{ lifeline, handicap: lanes.handicap, faults, terms, clock: context.clock },
    provider: () => providerOf(lanes.chosen, pool.provider),
    decoder: () => ({
      videoDecoder: lanes.decoding.hardware ?? 'software',
      videoDecoderReason: pool.hardwareFault ?? lanes.decoding.reason,
    }),
  });
  const supervisor = new Supervisor({
    context: { ...context, queue: options.queue, faults },
    ...{ node, lanes: pool, lifeline, maxDevices: capacity.maxDevices, onReplaced },
    // Files that users upload are as untrusted as cameras.
    maxRecordings: lanes.handicap ? 0 : config.maxConcurrentRecordings,
  });
  if (options.prometheus) {
    const use = () => processorUse(pool.pids);
    watchNode(options.prometheus, () => supervisor.numbers, use);
  }
  await whenDatabaseAnswers(logger, signal, async () => {
    await checkImageStorage(context);
    await node.join();
    await supervisor.start();
  });
  const listener = listenAsNode({ context, nodeId: node.id, lanes: pool, supervisor });
  logReady(context, lanes, identity);
  const measuring = capacity.measureAgain(() => supervisor.runsChanged());
  return {
    get lanePids() {
      return pool.pids;
    },
    ready: { lanes: () => pool.notReady, heartbeat: () => node.silence(config.leaseSeconds) },
    async stop() {
      logger.info('ending: the runs are released');
      await listener.close();
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

/** Locks the node's name on this machine, and ends what a crashed worker of that name has left. */
function lockName({ config, logger }: Context, faults: WriteFaults): NodeLock {
  const lock = new NodeLock(join(config.dataDir, 'nodes'), config.nodeName ?? hostname(), {
    faults,
    isChosen: config.nodeName !== undefined,
  });
  if (lock.endedChildren.length > 0) {
    logger.warn({ processes: lock.endedChildren }, 'lanes of a crashed worker were ended');
  }
  return lock;
}

/** How many cameras the node takes: as configured, else as measured, again and again. */
function watchCapacity({ config, logger }: Context, { pool, ready }: StartedLanes) {
  const watch = new CapacityWatch({
    firstRate: (pool.lanes * 1000) / ready.msPerFrame,
    measure: () => pool.measure(),
    cameras: () => pool.cameras,
    machine: {
      cores: availableParallelism(),
      get lanes() {
        return pool.lanes;
      },
      use: () => processorUse(pool.pids),
    },
    log: logger,
  });
  const { maxConcurrentDevices } = config;
  return {
    maxDevices: () => maxConcurrentDevices ?? watch.maxDevices,
    /** @returns null where the number is configured */
    measureAgain: (onChange: () => void) =>
      maxConcurrentDevices === undefined
        ? every(
            CAPACITY_MS,
            async () => {
              if (await watch.update()) onChange();
            },
            (error) => logger.error({ err: error }, 'the capacity could not be measured'),
          )
        : null,
  };
}

interface IdentityParts {
  readonly lock: NodeLock;
  readonly lanes: StartedLanes;
  readonly terms: PlaceTerms;
  readonly maxDevices: number;
}

/** Checks the database and finds the node's place in it. */
async function identify(
  { config, db, logger }: Context,
  { lock, lanes, terms, maxDevices }: IdentityParts,
  signal: AbortSignal,
): Promise<NodeIdentity> {
  const isChosen = config.nodeName !== undefined;
  const place = await whenDatabaseAnswers(logger, signal, async () => {
    const newer = await checkDatabase(db, requireDatabaseUrl(config));
    if (newer) logger.warn(newer);
    return takePlace(db, { ...terms, name: lock.name, isChosen, nodeId: lock.nodeId }, signal);
  });
  const { model, executionProvider } = lanes.ready;
  return {
    ...place,
    host: hostname(),
    version: VERSION,
    model,
    executionProvider,
    maxConcurrentDevices: maxDevices,
    incarnation: PROCESS_ID,
  };
}

function logReady(
  { logger }: Context,
  { pool, ready, chosen, decoding }: StartedLanes,
  { id: nodeId, name, maxConcurrentDevices: maxDevices }: NodeIdentity,
): void {
  const { model, executionProvider, msPerFrame } = ready;
  const { lanes } = pool;
  const { adapter } = providerOf(chosen, pool.provider);
  const about = {
    ...{ name, nodeId, lanes, model, executionProvider, adapter, msPerFrame, maxDevices },
    videoDecoder: decoding.hardware ?? 'software',
  };
  logger.info(about, 'the node is ready');
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
