import type { Context } from '../platform/context.ts';
import { every, type Repeating } from '../platform/every.ts';
import { CHANNELS, notify } from '../platform/notify.ts';
import type { ActiveRun } from './active-run.ts';
import { adoptRun, streamUrl, UnusableRun } from './adopt-run.ts';
import { CameraStates } from './camera-states.ts';
import { DatabaseReach } from './database-reach.ts';
import { FrameClock } from './frame-clock.ts';
import { deviceOf, HeldRuns } from './held-runs.ts';
import type { LanePool, PoolListener } from './lane-pool.ts';
import type { CameraStats, FromLane, LaneCamera, RunObservation, RunPeople } from './lane-protocol.ts';
import {
  type ClaimedRun,
  claimRuns,
  type RenewedRun,
  readRuns,
  releaseAllOfNode,
  releaseLeases,
  renewLeases,
} from './lease.store.ts';
import type { NodeMember } from './node-member.ts';
import type { AlertContext } from './record-alert.ts';
import { recover } from './recover.ts';
import { failRun } from './run.store.ts';
import { RunAlerts } from './run-alerts.ts';
import { RunCaptures } from './run-captures.ts';
import { whatIsDue } from './run-deadlines.ts';
import { RunRecorder } from './run-recorder.ts';
import { noteStreamNews, type StreamNews } from './stream-news.ts';
import { Turns } from './turns.ts';

/** What the supervisor needs of the lanes; a `LanePool` in the worker. */
export type Lanes = Pick<LanePool, 'put' | 'anchor' | 'endStuck' | 'picture'>;

export interface SupervisorOptions {
  readonly context: AlertContext & Pick<Context, 'sealer'>;
  readonly node: NodeMember;
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
  readonly #held = new HeldRuns();
  readonly #cameras: CameraStates;
  /** Whatever changes rows of runs takes turns, so that it never meets itself. */
  readonly #turns = new Turns();
  readonly #recorder: RunRecorder;
  readonly #alerts: RunAlerts;
  readonly #captures: RunCaptures;
  #lanes: Lanes | null = null;
  #loops: Record<'claim' | 'renew' | 'record' | 'watch', Repeating> | null = null;
  readonly #reach: DatabaseReach;
  #skewMs = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#alerts = new RunAlerts({
      context: options.context,
      held: this.#held,
      picture: async (...asked) => this.#lanes?.picture(...asked) ?? { jpeg: null, fault: null },
      onError: (error) => this.#reach.failed(error),
    });
    this.#cameras = new CameraStates({
      nodeId: options.node.id,
      log: options.context.logger,
      onOverload: () => this.#loops?.renew.now(),
    });
    this.#reach = new DatabaseReach({
      log: options.context.logger,
      now: this.#now,
      onBack: () => {
        // Runs that were paused meanwhile wait for nothing else, and neither do rows.
        this.#loops?.renew.now();
        this.#loops?.record.now();
      },
    });
    this.#captures = new RunCaptures(options.context, options.node.id);
    this.#recorder = new RunRecorder({
      db: options.context.db,
      log: options.context.logger,
      nodeId: options.node.id,
      onLost: (run) => this.#lose(run),
      onEnded: (run) => this.#drop(run),
      onUnpaid: (run) =>
        this.#end(run, { command: 'stop', errorMessage: null, reason: 'resource_constraint' }),
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
      renew: every(renewMs, () => this.#reach.reaching(() => this.renew()), onError),
      claim: every(claimMs, () => this.#reach.reaching(() => this.claim()), onError),
      // Without rows it asks nothing of the database: that is no sign of it.
      record: every(RECORD_MS, () => this.record(), onError),
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

  /** The sign of life; prolongs leases, learns what is to stop or has changed. */
  async renew(): Promise<void> {
    const { context, node } = this.#options;
    const offsetMs = await node.beat({
      activeDeviceCount: this.#held.deviceIds.length,
      maxConcurrentDevices: this.#options.maxDevices(),
      userIds: this.#held.userIds,
      lastSkewMs: this.#skewMs,
      overload: this.#cameras.overload,
    });
    if (offsetMs === null) {
      this.#options.onReplaced();
      return;
    }
    this.#skewMs = -offsetMs;
    this.#clock.anchor(offsetMs);
    this.#lanes?.anchor(offsetMs);
    const { leaseSeconds } = context.config;
    const sentMs = this.#now();
    const leases = [...this.#held.all.map(({ claim }) => claim), ...this.#held.paused];
    const renewed = await this.#turns.take(() => renewLeases(context.db, node.id, { leases, leaseSeconds }));
    const byId = new Map(renewed.map((run) => [run.id, run]));
    for (const { id } of leases) await this.#renewed(id, byId.get(id), sentMs);
    await this.#alerts.renew();
  }

  /** Stores what the runs have made since the last time. */
  async record(): Promise<void> {
    await this.#alerts.retry(this.#held.all.filter((run) => run.hasEnded));
    await this.#turns.take(() => this.#recorder.record(this.#held.all));
    await this.#captures.store();
    await this.#cameras.store(this.#options.context.db, this.#now());
  }

  /** What time alone changes: leases near their end, stops nobody answered, cameras without a first frame. */
  watch(): void {
    const nowMs = this.#now();
    this.#lanes?.endStuck();
    for (const run of this.#held.all) {
      const due = whatIsDue(run, nowMs);
      if (due === 'pause') this.#pause(run);
      else if (due) this.#end(run, due);
    }
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
      this.#captures.take(run);
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

  onStream(news: StreamNews): void {
    const { deviceId, message, faultReason: reason } = news;
    const device = this.#held.device(deviceId);
    if (!device) return;
    for (const run of this.#held.ofDevice(deviceId)) run.streamMessage = reason === null ? null : message;
    if (reason !== null) {
      this.#cameras.stop(deviceId, { reason, message, sinceMs: this.#clock.now() });
      this.#loops?.record.now();
    }
    noteStreamNews(this.#options.context.db, news, device.revision).catch((error: unknown) =>
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
      this.#held.add(await adoptRun(context, claim, adoption));
      this.#held.setDevice(deviceId, deviceOf(claim, url));
      this.#cameras.expect(deviceId, this.#now(), this.#clock.now());
      this.#lanes?.put(deviceId);
      context.logger.info({ taskId: id, deviceId, epoch }, 'run taken');
    } catch (error) {
      if (!(error instanceof UnusableRun)) throw error;
      await failRun(context.db, node.id, { id, epoch, errorMessage: error.message });
    }
  }

  async #renewed(id: string, renewed: RenewedRun | undefined, sentMs: number): Promise<void> {
    const { config, db } = this.#options.context;
    const run = this.#held.get(id);
    if (!run) {
      // It was paused: taken up again from what is stored, or another's by now.
      const deviceId = this.#held.paused.find((paused) => paused.id === id)?.deviceId;
      this.#held.forgetPaused(id);
      const [claim] = renewed ? await readRuns(db, [id]) : [];
      if (claim?.epoch === renewed?.epoch && claim) await this.#adopt(claim, sentMs);
      else if (deviceId) this.#leave(deviceId);
      return;
    }
    if (!renewed) {
      this.#lose(run);
      return;
    }
    run.leaseUntilMs = sentMs + config.leaseSeconds * 1000;
    if (renewed.stopRequested && run.stoppingSinceMs === null) this.#askToStop(run, renewed.drain);
    else this.#reconfigure(renewed);
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
      const end = { command: 'fail', errorMessage: error.message } as const;
      for (const held of this.#held.ofDevice(deviceId)) this.#end(held, end);
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
    this.#captures.forget(run.id);
    this.#held.forget(run);
    this.#leave(deviceId);
    this.#loops?.claim.now();
  }

  #leave(deviceId: string): void {
    if (!this.#held.deviceIds.includes(deviceId)) this.#cameras.forget(deviceId);
    this.#lanes?.put(deviceId);
  }
}
