import { FrameClock } from '../lanes/frame-clock.ts';
import type { LanePool, PoolListener } from '../lanes/lane-pool.ts';
import type { CameraStats, FromLane, LaneCamera, RunObservation, RunPeople } from '../lanes/lane-protocol.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Db } from '../platform/database/db.ts';
import { CHANNELS, notify } from '../platform/database/notify.ts';
import { every, type Repeating } from '../platform/jobs/every.ts';
import type { ActiveRun } from '../recording/active-run.ts';
import type { AlertContext } from '../recording/alerts/record-alert.ts';
import { CameraStates } from '../recording/cameras/camera-states.ts';
import { noteStreamReport, type StreamReport } from '../recording/cameras/outage-notification.ts';
import { loadRun, streamUrl, UnusableRun } from '../recording/load-run.ts';
import { deviceOf, NodeRuns } from '../recording/node-runs.ts';
import { RunAlerts } from '../recording/run-alerts.ts';
import { RunWrites } from '../recording/run-writes.ts';
import { UserWriteQueue } from '../recording/user-write-queue.ts';
import { type ClaimedRun, claimRuns, readRuns } from '../runs/claim-runs.store.ts';
import { type RenewedRun, releaseAllOfNode, releaseLeases } from '../runs/lease.store.ts';
import { failRun } from '../runs/write-runs.store.ts';
import { DatabaseAvailability } from './database-availability.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { NodeMember } from './node-member.ts';
import type { NodeNumbers } from './node-metrics.ts';
import { recover } from './recover.ts';
import { whatIsDue } from './run-deadlines.ts';

/** What the supervisor needs of the lanes; a `LanePool` in the worker. */
export type Lanes = Pick<LanePool, 'put' | 'anchor' | 'endStuck' | 'picture'>;

export interface SupervisorOptions {
  readonly context: AlertContext & Pick<Context, 'sealer'>;
  readonly node: NodeMember;
  /** Connections of its own for the leases, so that prolonging them waits for nobody; the context's where not given. */
  readonly lifeline?: Db;
  /** Cameras the node takes at once now: it is measured again from time to time. */
  readonly maxDevices: () => number;
  /** Another worker is this node now: this one has to end. */
  readonly onReplaced: () => void;
  /** Monotonic ms; tests pass their own time. */
  readonly now?: () => number;
}

const RECORD_MS = 1_000;
/** Short: of the time a run stands still after its node died, this and the lease are most. */
const CLAIM_MS = 1_000;
/** While the database is away: so often it is asked whether it is back. */
const AWAY_MS = 250;
const WATCH_MS = 500;

/** A compute node's conductor: takes runs, has lanes look at their cameras, and stores what comes of it. */
export class Supervisor implements Omit<PoolListener, 'onChild'> {
  readonly #options: SupervisorOptions;
  readonly #now: () => number;
  readonly #clock = new FrameClock();
  readonly #held = new NodeRuns();
  readonly #cameras: CameraStates;
  readonly #turns = new UserWriteQueue();
  readonly #alerts: RunAlerts;
  readonly #writes: RunWrites;
  readonly #leases: LeaseKeeper;
  #lanes: Lanes | null = null;
  #loops: Record<'claim' | 'renew' | 'care' | 'record' | 'watch', Repeating> | null = null;
  readonly #reach: DatabaseAvailability;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#alerts = new RunAlerts({
      context: options.context,
      turns: this.#turns,
      held: this.#held,
      picture: async (...asked) => this.#lanes?.picture(...asked) ?? { jpeg: null, fault: null },
      onError: (error) => this.#reach.failed(error),
    });
    this.#cameras = new CameraStates({
      nodeId: options.node.id,
      log: options.context.logger,
      onOverload: () => this.#loops?.renew.now(),
    });
    this.#reach = new DatabaseAvailability({
      log: options.context.logger,
      now: this.#now,
      onBack: () => {
        // Runs that were paused meanwhile wait for nothing else, and neither do rows.
        this.#loops?.renew.now();
        this.#loops?.record.now();
      },
    });
    this.#leases = this.#keepLeases(options);
    this.#writes = new RunWrites({
      context: options.context,
      nodeId: options.node.id,
      turns: this.#turns,
      held: this.#held,
      cameras: this.#cameras,
      beforeEnd: (runs) => this.#alerts.retry(runs),
      onLost: (run) => this.#lose(run),
      onEnded: (run) => this.#drop(run),
      onUnpaid: (run) =>
        this.#end(run, { command: 'stop', errorMessage: null, reason: 'resource_constraint' }),
    });
  }

  #keepLeases({ context, node, maxDevices, onReplaced, lifeline }: SupervisorOptions): LeaseKeeper {
    return new LeaseKeeper({
      ...{ db: lifeline ?? context.db, node, held: this.#held, now: this.#now, maxDevices, onReplaced },
      leaseSeconds: context.config.leaseSeconds,
      overload: () => this.#cameras.overload,
      onOffset: (offsetMs) => {
        this.#clock.anchor(offsetMs);
        this.#lanes?.anchor(offsetMs);
      },
      onLost: (run) => this.#lose(run),
      onLeft: (deviceId) => this.#leave(deviceId),
      onKept: (run, renewed) => {
        if (renewed.stopRequested && run.stoppingSinceMs === null) this.#askToStop(run, renewed.drain);
        else this.#reconfigure(renewed);
      },
    });
  }

  /** The lanes are ready. */
  attach(lanes: Lanes): void {
    this.#lanes = lanes;
  }

  /** Begins to work. The node is registered; runs that a former process of it held are queued again. */
  async start(): Promise<void> {
    const { context, node } = this.#options;
    await releaseAllOfNode(context.db, node.id);
    // Frames carry the database's time: it has to be known before the first one.
    await this.renew();
    const renewMs = context.config.renewSeconds * 1000;
    const onError = (error: unknown) => this.#reach.failed(error);
    const claimMs = () => (this.#reach.isAway ? AWAY_MS : CLAIM_MS);
    this.#loops = {
      renew: every(renewMs, () => this.#reach.reaching(() => this.#prolong()), onError),
      care: every(renewMs, () => this.#care(), onError),
      claim: every(claimMs, () => this.#reach.reaching(() => this.claim()), onError),
      // Without rows it asks nothing of the database: that is no sign of it. Nor does it wait: one user's rows may be held.
      record: every(RECORD_MS, async () => void this.record().catch(onError), onError),
      watch: every(WATCH_MS, async () => this.watch(), onError),
    };
  }

  /** Something of this node's may have changed in the database. */
  lookAgain(): void {
    this.#loops?.renew.now();
    this.#loops?.claim.now();
  }

  /** Rules of a scene have changed. */
  rulesChanged(sceneId: string): void {
    // Where it fails, the next renewal reads them.
    this.#alerts.load(sceneId).catch((error: unknown) => this.#reach.failed(error));
  }

  /** Hands every run back at once. The lanes are ended by whoever started them. */
  async stop(): Promise<void> {
    const { context, node } = this.#options;
    await Promise.all(Object.values(this.#loops ?? {}).map((loop) => loop.stop()));
    this.#loops = null;
    await this.#alerts.retry(this.#held.all);
    // What was under way before, and then the rest.
    await this.record().catch((error: unknown) => this.#reach.failed(error));
    await this.record();
    await releaseLeases(context.db, node.id, [
      ...this.#held.all.map(({ claim }) => claim),
      ...this.#held.paused,
    ]);
    for (const run of this.#held.all) this.#held.forget(run);
    await this.#alerts.close();
    await notify(context.db, CHANNELS.runs, node.id);
    await node.leave();
  }

  /** Frees runs of dead nodes; takes queued runs while there is room. */
  async claim(): Promise<void> {
    const { context, node, maxDevices } = this.#options;
    const { leaseSeconds, renewSeconds } = context.config;
    // After an outage of the database the other nodes get the chance to renew before their runs are taken.
    if (this.#reach.reachedMs >= renewSeconds * 1000) await recover(context);
    const claimedAtMs = this.#now();
    const heldDeviceIds = this.#held.deviceIds;
    // Only further scenes of cameras that it streams already.
    const isOverloaded = this.#cameras.overload !== null;
    const room = {
      nodeId: node.id,
      heldDeviceIds,
      maxDevices: isOverloaded ? 0 : maxDevices(),
      leaseSeconds,
    };
    const claims = await claimRuns(context.db, room);
    for (const claim of claims) await this.#adopt(claim, claimedAtMs);
  }

  /** Prolongs the leases, then does what needs no haste. */
  async renew(): Promise<void> {
    await this.#prolong();
    await this.#care();
  }

  async #prolong(): Promise<void> {
    if (await this.#leases.prolong()) this.#loops?.care.now();
  }

  /** What follows a renewal and may wait for rows: paused runs are taken up again, users and rules are looked at. */
  async #care(): Promise<void> {
    const { context, node } = this.#options;
    for (const [id, claimedAtMs] of this.#leases.takeAgain()) {
      const [claim] = await readRuns(context.db, [id]);
      const paused = this.#held.paused.find((one) => one.id === id);
      if (claim && paused && claim.epoch === paused.epoch) await this.#adopt(claim, claimedAtMs);
    }
    await node.tellHolders(this.#held.userIds, this.#cameras.overload);
    await this.#alerts.renew();
  }

  /** Stores what the runs have made since the last time. */
  record(): Promise<void> {
    return this.#writes.store(this.#now());
  }

  /** What time alone changes: leases near their end, stops nobody answered, cameras without a first frame. */
  watch(): void {
    this.#lanes?.endStuck();
    for (const run of this.#held.all) {
      const due = whatIsDue(run, this.#now());
      if (due === 'pause') this.#pause(run);
      else if (due) this.#end(run, due);
    }
  }

  get numbers(): NodeNumbers {
    const cameras = this.#cameras.numbers(this.#held.cameras, this.#now());
    return { maxCameras: this.#options.maxDevices(), overload: this.#cameras.overload, cameras };
  }

  wanted(deviceId: string): LaneCamera | null {
    return this.#held.camera(deviceId);
  }

  onObservations(observations: readonly RunObservation[]): void {
    const nowMs = this.#now();
    for (const observed of observations) {
      const run = this.#held.byKey(observed.runId);
      if (!run) continue;
      const isFirst = run.firstFrameAtMs === null;
      this.#alerts.take(run.observe(observed, nowMs));
      this.#writes.captures.take(run);
      this.#cameras.frame(run.claim.deviceId, observed.observation.timeMs, nowMs);
      if (!isFirst) continue;
      this.#options.node.tookInitMs(nowMs - run.claimedAtMs);
      this.#loops?.record.now();
    }
  }

  onPeople(runs: readonly RunPeople[]): void {
    for (const { runId, people } of runs) this.#held.byKey(runId)?.people.learn(people);
  }

  onCheckpoint(key: string, checkpoint: string): void {
    this.#held.byKey(key)?.checkpoint(checkpoint);
  }

  onStats(stats: CameraStats): void {
    const device = this.#held.device(stats.deviceId);
    if (!device) return;
    this.#held.setCounted(stats.deviceId, stats);
    const told = { nowMs: this.#now(), frameMs: this.#clock.now(), wanted: device.fps };
    this.#cameras.tell(stats.deviceId, stats, told);
    for (const run of this.#held.ofDevice(stats.deviceId)) run.count(stats);
  }

  onStream(news: StreamReport): void {
    const { deviceId, message, faultReason: reason } = news;
    const device = this.#held.device(deviceId);
    if (!device) return;
    for (const run of this.#held.ofDevice(deviceId)) run.streamMessage = reason === null ? null : message;
    if (reason !== null) {
      this.#cameras.stop(deviceId, { reason, message, sinceMs: this.#clock.now() });
      this.#loops?.record.now();
    }
    noteStreamReport(this.#options.context.db, news, device.revision).catch((error: unknown) =>
      this.#reach.failed(error),
    );
  }

  onRunEnded({ runId, endOfStream, last }: Extract<FromLane, { type: 'runEnded' }>): void {
    const run = this.#held.byKey(runId);
    if (!run) return;
    const wasWanted = run.stoppingSinceMs === null && !endOfStream;
    const errorMessage = run.streamMessage ?? 'The stream ended unexpectedly.';
    run.end(wasWanted ? { command: 'fail', errorMessage } : { command: 'stop', errorMessage: null }, last);
    this.#lanes?.put(run.claim.deviceId);
    this.#loops?.record.now();
  }

  onCrashLimit(deviceIds: readonly string[], how: string): void {
    const errorMessage = `The detection process of this camera ended three times within 5 minutes (${how}).`;
    for (const run of deviceIds.flatMap((deviceId) => this.#held.ofDevice(deviceId))) {
      this.#end(run, { command: 'fail', errorMessage });
    }
    const reason = `A detection process ended three times within 5 minutes (${how}).`;
    this.#options.node.troubled(reason).catch((error: unknown) => this.#reach.failed(error));
  }

  async #adopt(claim: ClaimedRun, claimedAtMs: number): Promise<void> {
    const { context, node } = this.#options;
    const { id, epoch, deviceId } = claim;
    try {
      const url = streamUrl(context, claim);
      const counted = this.#held.counted(deviceId);
      const adoption = { nodeId: node.id, claimedAtMs, nowMs: this.#clock.now(), counted };
      this.#held.add(await loadRun(context, claim, adoption));
      this.#held.setDevice(deviceId, deviceOf(claim, url));
      this.#cameras.expect(deviceId, this.#now(), this.#clock.now());
      this.#lanes?.put(deviceId);
      context.logger.info({ taskId: id, deviceId, epoch }, 'run taken');
    } catch (error) {
      // Somebody holds rows of its user: the lease lapses, and then whoever has room tries again.
      if (isDatabaseBusy(error))
        context.logger.warn({ err: error, taskId: id }, 'a run could not be taken up');
      else if (!(error instanceof UnusableRun)) throw error;
      else await failRun(context.db, node.id, { id, epoch, errorMessage: error.message });
    }
  }

  #askToStop(run: ActiveRun, drain: boolean): void {
    run.stoppingSinceMs = this.#now();
    run.drain = drain;
    this.#lanes?.put(run.claim.deviceId, drain);
  }

  /** A device's address or frame rate has changed: its stream is opened again. A new plan is told to the lane. */
  #reconfigure({ deviceId, streamRevision: revision, analysisFps: fps, plan, ...run }: RenewedRun): void {
    const device = this.#held.device(deviceId);
    if (this.#held.setPlan(deviceId, plan)) this.#lanes?.put(deviceId);
    if (!device || (device.revision === revision && device.fps === fps)) return;
    try {
      const url = streamUrl(this.#options.context, run);
      this.#held.setDevice(deviceId, { url, networks: run.streamNetworks, revision, fps });
      // The new camera gets its own time for a first frame.
      this.#cameras.renew(deviceId, this.#now(), this.#clock.now());
      this.#lanes?.put(deviceId);
    } catch (error) {
      if (!(error instanceof UnusableRun)) throw error;
      const { message: errorMessage } = error;
      for (const held of this.#held.ofDevice(deviceId)) this.#end(held, { command: 'fail', errorMessage });
    }
  }

  #end(run: ActiveRun, end: Parameters<ActiveRun['end']>[0]): void {
    run.end(end, null);
    this.#lanes?.put(run.claim.deviceId);
    this.#loops?.record.now();
  }

  #pause(run: ActiveRun): void {
    this.#options.context.logger.warn(
      { taskId: run.id },
      'the lease could not be renewed: the run is paused',
    );
    this.#held.pause(run);
    // Nothing looks at its frames now: that none is analysed says nothing of the camera.
    if (this.#held.ofDevice(run.claim.deviceId).length === 0) this.#cameras.forget(run.claim.deviceId);
    this.#lanes?.put(run.claim.deviceId);
  }

  #lose(run: ActiveRun): void {
    this.#options.context.logger.warn(
      { taskId: run.id, epoch: run.claim.epoch },
      'the run is not ours any more',
    );
    this.#drop(run);
  }

  #drop(run: ActiveRun): void {
    const { deviceId } = run.claim;
    this.#alerts.forget(run.id);
    this.#writes.captures.forget(run.id);
    this.#held.forget(run);
    this.#leave(deviceId);
    this.#loops?.claim.now();
  }

  #leave(deviceId: string): void {
    if (!this.#held.deviceIds.includes(deviceId)) this.#cameras.forget(deviceId);
    this.#lanes?.put(deviceId);
  }
}
