import type { Db } from '../../platform/database/db.ts';
import { CHANNELS, notify } from '../../platform/database/notify.ts';
import { every, type Repeating } from '../../platform/jobs/every.ts';
import type { ActiveRun } from '../record/active-run.ts';
import { loadRunRules } from '../record/alerts/load-run-rules.ts';
import { recordAbandonedAlerts } from '../record/alerts/record-alert.ts';
import { TURN_MS } from '../record/moment-to-store.ts';
import { settleAll } from '../record/one-write-each.ts';
import { RunRecorder } from '../record/run-recorder.ts';
import { claimRuns } from '../store/claim-runs.store.ts';
import { releaseAllOfNode, releaseLeases } from '../store/lease.store.ts';
import { laneEvents } from './lane-events.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { NodeNumbers } from './node-metrics.ts';
import { createParts, type Lanes, type NodeParts, type Step } from './node-parts.ts';
import { SpareTime } from './recordings/spare-time.ts';
import { recover } from './recover.ts';
import { RunLifecycle } from './run-lifecycle.ts';

export interface SupervisorOptions extends Pick<NodeParts, 'context' | 'node'> {
  readonly lanes: Lanes;
  /** Connections for the leases alone, so that renewals wait for nobody; by default those of the context. */
  readonly lifeline?: Db;
  /** Cameras that the node takes at most. The number changes when the capacity is measured again. */
  readonly maxDevices: () => number;
  /** Recordings that the node takes at most; by default as configured. */
  readonly maxRecordings?: number;
  /** Another worker has taken the place of this node: this one has to end. */
  readonly onReplaced: () => void;
  /** Monotonic ms; tests pass their own time. */
  readonly now?: () => number;
}

/** Short, because a run stands still for this time and a lease after its node has died. */
const CLAIM_MS = 1_000;
/** The pause between two attempts to reach the database during an outage. */
const OUTAGE_MS = 250;
const WATCH_MS = 500;

/**
 * Runs a compute node. It claims queued runs and starts their cameras in the lanes, observes what the lanes report, records
 * it, renews the leases, and releases the runs when the worker ends.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #parts: NodeParts;
  readonly #lifecycle: RunLifecycle;
  readonly #leases: LeaseKeeper;
  readonly #recorder: RunRecorder;
  readonly #spareTime: SpareTime;
  /** Empty before `start` and after `stop`. */
  #loops: Partial<Record<Step, Repeating>> = {};

  constructor(options: SupervisorOptions) {
    const { context, node, lanes, maxDevices, onReplaced, now = () => performance.now() } = options;
    this.#options = options;
    const soon = (step: Step) => this.#loops[step]?.now();
    this.#parts = createParts({ context, node, lanes, now, soon });
    this.#lifecycle = new RunLifecycle(this.#parts);
    const leaseOptions = { db: options.lifeline ?? context.db, maxDevices, onReplaced };
    this.#leases = new LeaseKeeper(this.#parts, this.#lifecycle, leaseOptions);
    this.#recorder = new RunRecorder({
      ...{ db: context.db, log: context.logger, nodeId: node.id, userWrites: this.#parts.userWrites, now },
      beforeEnd: (runs) => this.#parts.alerts.decide(runs),
      onLost: (run) => this.#lifecycle.lose(run),
      onEnded: (run) => this.#lifecycle.drop(run),
      onUnpaid: (run) => this.#lifecycle.endUnpaid(run),
      onBatchStored: (run, batch) => lanes.stored(run.claim.deviceId, batch),
    });
    this.#spareTime = new SpareTime(options.maxRecordings ?? context.config.maxConcurrentRecordings);
    lanes.connect(laneEvents(this.#parts, this.#lifecycle));
  }

  /** Starts the loops of a registered node. Runs that a former process of this node had are queued again. */
  async start(): Promise<void> {
    const { context, node, availability, recordingFiles } = this.#parts;
    await recordingFiles.removeLeft();
    await releaseAllOfNode(context.db, node.id);
    // The first frame needs the time of the database.
    await this.renew();
    const renewMs = context.config.renewSeconds * 1000;
    const claimMs = () => (availability.isAvailable ? CLAIM_MS : OUTAGE_MS);
    const onError = (error: unknown) => availability.failed(error);
    this.#loops = {
      renew: every(renewMs, () => availability.during(() => this.#leases.renew()), onError),
      maintain: every(renewMs, () => this.#maintain(), onError),
      claim: every(claimMs, () => availability.during(() => this.claim()), onError),
      // Without records it queries nothing, so that its success does not show that the database answers. The loop does not
      // wait for it either, because rows of one user may be locked.
      record: every(TURN_MS, async () => void this.#record(this.#dueRuns).catch(onError), onError),
      watch: every(WATCH_MS, async () => this.watch(), onError),
    };
  }

  /** Requeues the runs of dead nodes, and claims queued runs while this node has capacity. */
  async claim(): Promise<void> {
    const { context, node, runs, cameras, availability, now } = this.#parts;
    const { leaseSeconds, renewSeconds } = context.config;
    // After an outage of the database the other nodes can renew their leases before their runs are requeued.
    if (availability.availableMs >= renewSeconds * 1000) await recover(context);
    const claimedAtMs = now();
    // An overloaded node takes only further scenes of cameras that it streams already.
    const maxDevices = cameras.overload === null ? this.#options.maxDevices() : 0;
    const recordings = { held: runs.recordingIds.length, most: this.#mostRecordings() };
    const options = { nodeId: node.id, heldDeviceIds: runs.cameraIds, maxDevices, leaseSeconds, recordings };
    for (const claim of await claimRuns(context.db, options)) await this.#lifecycle.start(claim, claimedAtMs);
    this.#makeRoom();
  }

  #mostRecordings(): number {
    const { runs, cameras, now } = this.#parts;
    const isOverloaded = cameras.overload !== null;
    const load = { cameras: runs.cameraIds.length, maxCameras: this.#options.maxDevices(), isOverloaded };
    return this.#spareTime.recordings(load, now());
  }

  /** Gives recordings back for which there is no spare time any more, the newest first. */
  #makeRoom(): void {
    const { runs, availability } = this.#parts;
    const recordings = runs.all.filter((run) => run.isRecording && !run.isLeaving && !run.hasEnded);
    for (const run of recordings.slice(this.#mostRecordings())) {
      this.#lifecycle
        .giveBack(run, () => this.#recorder.record([run]))
        .catch((error: unknown) => availability.failed(error));
    }
  }

  /** Stores what the runs and cameras have produced since the last call, each user in transactions of their own. */
  record(): Promise<void> {
    return this.#record(this.#parts.runs.all);
  }

  get #dueRuns(): ActiveRun[] {
    const nowMs = this.#parts.now();
    return this.#parts.runs.all.filter((run) => run.isDue(nowMs));
  }

  async #record(due: readonly ActiveRun[]): Promise<void> {
    const { context, runs, cameras, captures, userWrites, now } = this.#parts;
    const userOf = (deviceId: string) => runs.ofDevice(deviceId)[0]?.claim.userId ?? deviceId;
    await settleAll([
      this.#recorder.record(due),
      captures.store(),
      cameras.store(context.db, now(), (deviceId, work) => userWrites.add(userOf(deviceId), work)),
    ]);
  }

  /** Renews the leases, and then does what may wait for locked rows. */
  async renew(): Promise<void> {
    await this.#leases.renew();
    await this.#maintain();
  }

  /** Does what depends on time alone: ends stuck lanes, and checks the deadlines of the runs. */
  watch(): void {
    this.#parts.lanes.endStuck();
    this.#lifecycle.checkDeadlines();
  }

  /** Releases all runs at once. Whoever started the lanes ends them. */
  async stop(): Promise<void> {
    const { context, node, runs, alerts, availability, recordingFiles } = this.#parts;
    await Promise.all(Object.values(this.#loops).map((loop) => loop.stop()));
    this.#loops = {};
    await alerts.decide(runs.all);
    // The first call waits for writes that are under way, the second one stores the rest.
    await this.record().catch((error: unknown) => availability.failed(error));
    await this.record();
    await releaseLeases(context.db, node.id, runs.leases);
    for (const run of runs.all) {
      recordingFiles.release(run.key);
      runs.remove(run);
    }
    await alerts.close();
    await notify(context.db, CHANNELS.runs, node.id);
    await node.leave();
  }

  /** Runs of this node, or queued runs, may have changed in the database. */
  runsChanged(): void {
    this.#loops.renew?.now();
    this.#loops.claim?.now();
  }

  /** Loads the rules of a scene again. When this fails, the next `maintain` loads them. */
  rulesChanged(sceneId: string): void {
    const { context, runs, availability } = this.#parts;
    const ofScene = runs.all.filter(({ claim }) => claim.sceneId === sceneId);
    loadRunRules(context.db, ofScene).catch((error: unknown) => availability.failed(error));
  }

  /** An API process wants live pictures of a device, or no longer wants them. */
  picturesWished(deviceId: string): Promise<void> {
    return this.#parts.livePictures.wished(deviceId);
  }

  isStreaming(deviceId: string): boolean {
    return this.#parts.runs.requestedCamera(deviceId) !== null;
  }

  get numbers(): NodeNumbers {
    const { runs, cameras, now } = this.#parts;
    return {
      maxCameras: this.#options.maxDevices(),
      overload: cameras.overload,
      cameras: cameras.numbers(runs.cameras, now()),
    };
  }

  /** Resumes paused runs, notifies users about the state of the node, and loads rules and firings that were missed. */
  async #maintain(): Promise<void> {
    const { context, node, runs, cameras } = this.#parts;
    await this.#leases.resumePaused();
    await node.notifyUsers(runs.userIds, cameras.overload);
    await loadRunRules(context.db, runs.all);
    await recordAbandonedAlerts(context);
  }
}
