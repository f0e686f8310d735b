import { randomUUID } from 'node:crypto';
import { RuleWatch } from '../../alerts/rule-watch.ts';
import type { Warning } from '../../cameras/devices/condition.ts';
import type {
  CameraStats,
  LaneRecording,
  LaneScene,
  RecordedMessage,
  RunObservation,
} from '../../lanes/lane-protocol.ts';
import type { StoredFeet } from '../../metrics/floor/feet/feet.store.ts';
import type { LeftProposal } from '../../metrics/floor/feet/left-proposal.ts';
import { RunFeet } from '../../metrics/floor/feet/run-feet.ts';
import { type FloorHour, RunFloor } from '../../metrics/floor/run-floor.ts';
import { QueueMetrics, type QueueObservation, type StoredMetrics } from '../../metrics/queue-metrics.ts';
import type { LatestMetrics } from '../../metrics/recorder.store.ts';
import { type Recorded, Recorder } from '../../metrics/recorder.ts';
import { judged } from '../../metrics/sums.ts';
import { RunTills, type TillQuarter } from '../../metrics/tills/run-tills.ts';
import { LineWaits, type StoredLine } from '../../metrics/waits/line-waits.ts';
import type { AttributeKey } from '../../vision/attributes/keys.ts';
import { FRAME_GAP_MS } from '../../vision/moment.ts';
import type { TillNow } from '../../vision/tills/till-watch.ts';
import type { SceneConfig, Visit } from '../../vision/types.ts';
import type { ClaimedRun } from '../store/claim-runs.store.ts';
import type { RunEnd, RunWrite } from '../store/write-runs.store.ts';
import { type FiredFrame, firedFrameOf } from './alerts/fired-frame.ts';
import { zoneWarning } from './cameras/zone-warning.ts';
import { PeopleOfRun } from './captures/people-of-run.ts';
import { isMomentToStore } from './moment-to-store.ts';
import { Progress } from './progress.ts';
import { type FrameCounts, RunStatistics } from './run-statistics.ts';
import { UnstoredRecords } from './unstored-records.ts';

export interface RunParts {
  readonly nodeId: string;
  readonly config: SceneConfig;
  readonly stored: StoredMetrics;
  /** The hours of the floor map that the run adds to. */
  readonly floor: readonly FloorHour[];
  /** Where people were in the last hour; null where nothing is stored. */
  readonly feet: StoredFeet | null;
  /** The quarters of an hour of its tills that the run adds to. */
  readonly tills: readonly TillQuarter[];
  /** What the waits in its line are learned from. */
  readonly line: StoredLine;
  /** Frame time of the scene's first start: the beginning of `total`. */
  readonly sinceMs: number;
  /** What the camera's lane has counted so far: frames of other runs. */
  readonly counted: FrameCounts;
  /** Monotonic ms of the claim. */
  readonly claimedAtMs: number;
  /** Monotonic ms until which the lease surely holds. */
  readonly leaseUntilMs: number;
  readonly attributeModels: readonly string[];
  /** The attribute keys that these models can classify. */
  readonly coveredKeys: readonly AttributeKey[];
}

/** A run that this node executes: its current metrics and the records that are not in the database yet. */
export class ActiveRun {
  readonly claim: ClaimedRun;
  readonly rules: RuleWatch;
  readonly people: PeopleOfRun;
  /** Names the run towards the lanes. New at each start, so that late messages about an earlier start are ignored. */
  readonly key = randomUUID();
  readonly claimedAtMs: number;
  leaseUntilMs: number;
  /** Monotonic ms of the requested stop; null without one. */
  stoppingSinceMs: number | null = null;
  drain = false;
  /** The plan of the device at the last renewal. */
  plan: ClaimedRun['plan'];
  /** How long people may wait, at the last renewal; null without a target. */
  targetSeconds: number | null;
  /** The last error of the camera stream; null while the stream works. */
  streamError: string | null = null;
  /** Monotonic ms of the first processed frame on this node; null before. */
  firstFrameAtMs: number | null = null;
  /** The camera sends frames, but none that can be analysed. */
  hasUnusableFrames = false;
  /** The node gives the run back: what its lane still says does not count. */
  isLeaving = false;
  /** The lease could not be renewed in time: what is not stored is lost, and a new `ActiveRun` may follow. */
  isPaused = false;
  /** Of a recording: presentation time of the last frame, which belongs to the checkpoint; null before the first. */
  #positionMs: number | null;
  /** Of a recording: number of the last batch of its lane. */
  #batch = 0;
  readonly #progress: Progress;
  readonly #parts: RunParts;
  readonly #recorder: Recorder;
  readonly #waits: LineWaits | null;
  readonly #metrics: QueueMetrics;
  readonly #unstored: UnstoredRecords;
  readonly #statistics: RunStatistics;
  readonly #floor: RunFloor;
  readonly #feet: RunFeet;
  readonly #tills: RunTills;
  #openVisits: readonly Visit[];
  #tillsNow: readonly TillNow[] = [];
  #latest: LatestMetrics | null = null;
  #lastFrameMs: number | null;
  #end: RunEnd | null = null;
  #hasChanged = false;
  /** Monotonic ms of the last frame. */
  #observedAtMs = Number.NEGATIVE_INFINITY;
  /** Between its last two frames. */
  #betweenMs = 0;
  /** Monotonic ms of the last write. */
  #takenAtMs = Number.NEGATIVE_INFINITY;

  constructor(claim: ClaimedRun, parts: RunParts) {
    this.claim = claim;
    this.plan = claim.plan;
    this.targetSeconds = claim.targetSeconds;
    this.claimedAtMs = parts.claimedAtMs;
    this.leaseUntilMs = parts.leaseUntilMs;
    this.people = new PeopleOfRun(parts.coveredKeys);
    this.#parts = parts;
    const { zones, parameters } = parts.config;
    this.#waits = zones.queueZone ? new LineWaits(parts.line, parameters) : null;
    this.#metrics = QueueMetrics.rebuild(zones, parts.stored, this.#waits);
    this.#recorder = new Recorder(this.#metrics, parts.sinceMs);
    this.#floor = new RunFloor(parts.floor);
    this.#feet = new RunFeet(parts.config.zones, parts.feet);
    this.#tills = new RunTills(parts.config.zones.tills ?? [], parts.tills);
    this.#unstored = new UnstoredRecords(claim.checkpoint);
    this.#statistics = new RunStatistics(claim.stats, parts.counted);
    this.#openVisits = parts.stored.visits.filter(({ state }) => state !== 'closed');
    this.#lastFrameMs = claim.lastFrameAt?.getTime() ?? null;
    this.#positionMs = claim.positionMs;
    this.#progress = new Progress(parts.claimedAtMs, claim.positionMs ?? 0);
    this.rules = new RuleWatch(this.#lastFrameMs);
  }

  get id(): string {
    return this.claim.id;
  }

  /** It analyses a recording, in the time that cameras leave. */
  get isRecording(): boolean {
    return this.claim.isRecording;
  }

  /** The part of the recording that is not analysed yet; null for a camera. */
  get laneRecording(): LaneRecording | null {
    const { recording } = this.claim;
    if (!recording) return null;
    const { recordedAtMs, videoTrack } = recording;
    return { recordedAtMs, videoTrack, afterMs: this.#positionMs };
  }

  /** Whether there is anything to store. */
  get isDirty(): boolean {
    return !this.isPaused && (this.#hasChanged || this.#unstored.isWriting);
  }

  /** @param nowMs monotonic, as for `observe` */
  isDue(nowMs: number): boolean {
    const [storedMs, frameMs] = [nowMs - this.#takenAtMs, nowMs - this.#observedAtMs];
    const isMoment = isMomentToStore(storedMs, frameMs, this.#betweenMs);
    return this.isDirty && (this.hasEnded || isMoment);
  }

  get hasEnded(): boolean {
    return this.#end !== null;
  }

  /** People are often cut off just outside a zone; null where they are not. */
  get zoneWarning(): Warning | null {
    const { advice } = this.#feet;
    return advice && zoneWarning(advice, this.claim);
  }

  /** What a lane needs to continue the run from its newest checkpoint. */
  get laneScene(): LaneScene {
    return {
      sceneId: this.claim.sceneId,
      runId: this.key,
      config: structuredClone(this.#parts.config) as LaneScene['config'],
      checkpoint: this.#unstored.checkpoint,
    };
  }

  /** @returns the rules that fire with this frame; null when none does */
  observe({ observation, openVisits }: RunObservation, nowMs: number): FiredFrame | null {
    if (this.#end) return null;
    // Nobody has seen what was between the frames of two nodes; a recording goes on with the very next frame.
    const continues = this.isRecording || this.firstFrameAtMs !== null;
    this.firstFrameAtMs ??= nowMs;
    this.#betweenMs = nowMs - this.#observedAtMs;
    this.#observedAtMs = nowMs;
    const { timeMs, tracks, doubtful, staff, floor, signs, tills } = observation;
    if (staff) this.#statistics.staff = staff;
    this.#floor.add(floor);
    if (tills) this.#tills.add(tills.settled);
    if (this.#parts.config.parameters.class === 'person') this.#feet.see(tracks, timeMs, this.#aspect);
    const changes = observation.changes.map((visit) => judged(visit, this.targetSeconds));
    const seen = { timeMs, changes, openVisits, doubtful, signs, tills };
    const metrics = this.#keep(this.#recorder.observe(seen), seen);
    const needsAttributes = this.plan === 'LEVEL_02' && this.#parts.config.parameters.class === 'person';
    if (needsAttributes) this.people.observe(observation);
    const elapsedMs = timeMs - (this.#lastFrameMs ?? timeMs);
    if (continues && elapsedMs > 0 && elapsedMs <= FRAME_GAP_MS) this.#unstored.watchedMs += elapsedMs;
    this.#lastFrameMs = timeMs;
    const fired = metrics ? this.rules.tick(metrics, timeMs) : [];
    if (!metrics || fired.length === 0) return null;
    const { config, nodeId } = this.#parts;
    const capture = needsAttributes ? this.people.captureOf(observation) : null;
    return firedFrameOf({ ...this.claim, nodeId }, fired, { config, observation, metrics, capture });
  }

  /**
   * Takes a batch of a recording. All of it counts between two writes, so that rows, checkpoint and position always belong
   * to the same frame.
   * @param onFrame called after each frame
   */
  takeRecorded(message: RecordedMessage, nowMs: number, onFrame: () => void): void {
    const { batch, positionMs, observations, checkpoint } = message;
    this.#batch = batch;
    // Of a lane that has been replaced.
    if (this.#end || positionMs <= (this.#positionMs ?? -1)) return;
    for (const observed of observations) {
      if (observed.observation.timeMs <= (this.#lastFrameMs ?? Number.NEGATIVE_INFINITY)) continue;
      this.people.learn(observed.people ?? []);
      this.observe(observed, nowMs);
      onFrame();
    }
    this.#positionMs = positionMs;
    this.#progress.add(nowMs, positionMs);
    this.#statistics.secondsPerSecond = this.#progress.secondsPerSecond;
    this.#statistics.wantedRotation = message.wantedRotation ?? null;
    this.setCheckpoint(checkpoint);
    this.#hasChanged = true;
  }

  setCheckpoint(checkpoint: string): void {
    this.#unstored.checkpoint = checkpoint;
  }

  addStats(stats: CameraStats): void {
    this.hasUnusableFrames = stats.fault !== null;
    this.#statistics.add(stats);
    if (stats.analysed) this.#floor.region = stats.analysed.region;
    this.#feet.hasMoved = stats.warnings.some(({ reason }) => reason === 'view_changed');
  }

  /**
   * Ends the run; the next write stores the end.
   * @param last what the lane closed; null when it did not answer: then the open visits are closed here as lost
   */
  end(end: RunEnd, last: RunObservation | null): void {
    if (this.#end) return;
    this.#end = end;
    this.#hasChanged = true;
    if (last) this.#floor.add(last.observation.floor);
    if (last?.observation.tills) this.#tills.add(last.observation.tills.settled);
    if (this.#lastFrameMs === null) return;
    const timeMs = last?.observation.timeMs ?? this.#lastFrameMs;
    const closed = last?.observation.changes ?? this.#openVisits.map((visit) => lost(visit, timeMs));
    const changes = closed.map((visit) => judged(visit, this.targetSeconds));
    const seen = { timeMs, changes, openVisits: [] };
    this.#metrics.countTills(this.#tills.takeUncounted());
    this.#keep(this.#recorder.stop(seen), seen);
    this.#statistics.end();
  }

  /**
   * What is not stored yet. The next call returns it again unless `stored` is called before.
   * @param nowMs monotonic, as for `observe`
   */
  takeWrite(nowMs: number): RunWrite {
    this.#takenAtMs = nowMs;
    const tills = this.#tills.take(this.#end || this.isRecording ? null : this.#lastFrameMs);
    if (tills.length > 0) {
      this.#metrics.countTills(this.#tills.takeUncounted());
      this.#unstored.addMinutes(this.#metrics.minuteRows());
    }
    const { minutes, ...unstored } = this.#unstored.take();
    this.#hasChanged = false;
    const minute = this.#metrics.openMinute;
    const { id, epoch, sceneId, deviceId } = this.claim;
    const { nodeId, attributeModels } = this.#parts;
    return {
      ...{ id, epoch, taskId: id, sceneId, deviceId, computeNodeId: nodeId },
      ...unstored,
      minutes: minute ? [...minutes, minute] : minutes,
      totals: unstored.visits.length + tills.length > 0 ? this.#metrics.totals : null,
      stats: { ...this.#statistics.current, attributes: this.people.coverage(attributeModels) },
      lastFrameMs: this.#lastFrameMs,
      hasFrames: this.firstFrameAtMs !== null,
      ...{ positionMs: this.#positionMs, batch: this.#batch },
      floor: this.#floor.take(this.#end || this.isRecording ? null : this.#lastFrameMs),
      feet: this.#feet.take(this.#end !== null),
      tills,
      latest: this.#latestMetrics(),
      rules: this.rules.unstored(),
      end: this.#end,
    };
  }

  /**
   * @param write what was stored; without it the records were refused and are left out
   * @param left the proposed zone that somebody has left, where it was read
   */
  stored(write?: Pick<RunWrite, 'rules'>, left?: LeftProposal | null): void {
    if (write) this.rules.stored(write.rules);
    this.#unstored.stored();
    this.#floor.stored();
    this.#feet.stored(left);
    this.#tills.stored();
  }

  /** Width over height of the picture. */
  get #aspect(): number {
    const { width, height } = this.claim;
    return width && height ? width / height : USUAL_ASPECT;
  }

  /** @returns the metrics of the last frame, so that a number that is stored once a second is not a second old already */
  #latestMetrics(): LatestMetrics | null {
    const timeMs = this.#lastFrameMs;
    if (!this.#end && timeMs !== null && this.#latest !== null && timeMs > this.#latest.timeMs)
      this.#latest = { ...this.#latest, metrics: this.#metrics.at(timeMs), tills: this.#tillsNow, timeMs };
    return this.#latest;
  }

  /** @returns the metrics, once a second of frame time; null otherwise */
  #keep(recorded: Recorded, { timeMs, changes, openVisits, tills }: QueueObservation): Recorded['tick'] {
    this.#unstored.add(recorded, { visits: changes, said: this.#waits?.takeSaid() ?? [] });
    this.#unstored.addMinutes(this.#metrics.minuteRows());
    const metrics = recorded.tick;
    if (tills) this.#tillsNow = tills.now;
    if (metrics) this.#latest = { sceneId: this.claim.sceneId, metrics, tills: this.#tillsNow, timeMs };
    this.#openVisits = openVisits;
    this.#hasChanged = true;
    return metrics;
  }
}

/** Of a camera whose size is not known. */
const USUAL_ASPECT = 16 / 9;

const lost = (visit: Visit, timeMs: number): Visit => ({
  ...visit,
  state: 'closed',
  outcome: 'lost',
  outcomeDecidedAtMs: timeMs,
});
