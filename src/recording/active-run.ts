import { randomUUID } from 'node:crypto';
import { type AlertFacts, MOST_TRACKS } from '../alerts/alert-facts.ts';
import { RuleWatch } from '../alerts/rule-watch.ts';
import type { CameraStats, LaneScene, RunObservation } from '../lanes/lane-protocol.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { QueueMetrics, type StoredMetrics } from '../metrics/queue-metrics.ts';
import type { LatestMetrics } from '../metrics/recorder.store.ts';
import { type Recorded, Recorder } from '../metrics/recorder.ts';
import type { ClaimedRun } from '../runs/claim-runs.store.ts';
import type { RunStats } from '../runs/run-stats.ts';
import type { RunEnd, RunWrite } from '../runs/write-runs.store.ts';
import type { AttributeKey } from '../vision/attributes/keys.ts';
import { FRAME_GAP_MS } from '../vision/moment.ts';
import type { SceneConfig, Visit } from '../vision/types.ts';
import type { FiredFrame } from './alerts/alert-recorder.ts';
import type { Firing } from './alerts/decide-firing.ts';
import { PeopleOfRun } from './captures/people-of-run.ts';
import { PendingRecords } from './pending-records.ts';

export interface FrameCounts {
  readonly processedFrames: number;
  readonly droppedFrames: number;
}

export interface RunParts {
  readonly nodeId: string;
  readonly config: SceneConfig;
  readonly stored: StoredMetrics;
  /** Frame time of the scene's first start: the beginning of `total`. */
  readonly sinceMs: number;
  /** What the camera's lane had counted before: frames that are not this run's. */
  readonly counted: FrameCounts;
  /** Monotonic ms of the claim. */
  readonly claimedAtMs: number;
  /** Monotonic ms until which the lease surely holds. */
  readonly leaseUntilMs: number;
  readonly attributeModels: readonly string[];
  /** The keys that these models can tell at all. */
  readonly coveredKeys: readonly AttributeKey[];
}

/** A run this node holds: its numbers, and what of them is not stored yet. */
export class ActiveRun {
  readonly claim: ClaimedRun;
  readonly rules: RuleWatch;
  readonly people: PeopleOfRun;
  /**
   * Names it towards the lanes. New each time a run is taken up, so that what a lane still says of an earlier time is not
   * taken for news.
   */
  readonly key = randomUUID();
  readonly claimedAtMs: number;
  leaseUntilMs: number;
  /** Monotonic ms at which it was told to stop; null while wanted. */
  stoppingSinceMs: number | null = null;
  drain = false;
  /** Its device's, as of the last renewal. */
  plan: ClaimedRun['plan'];
  /** What its stream last complained of; null while it is well. */
  streamMessage: string | null = null;
  /** Monotonic ms of the first processed frame on this node; null before. */
  firstFrameAtMs: number | null = null;
  /** Its camera sends pictures, though none that can be analysed. */
  hasUnusablePictures = false;
  readonly #parts: RunParts;
  readonly #recorder: Recorder;
  readonly #metrics: QueueMetrics;
  /** JSON; null before the first. */
  #checkpoint: string | null;
  #storedCheckpoint: string | null;
  #checkpointInFlight: string | null = null;
  #pending = new PendingRecords();
  #inFlight: PendingRecords | null = null;
  #openVisits: readonly Visit[];
  #latest: LatestMetrics | null = null;
  #lastFrameMs: number | null;
  /** Time with frames since it was taken up, and how much of it is stored. */
  #watchedMs = 0;
  #storedWatchedMs = 0;
  #watchedInFlightMs = 0;
  #stats: RunStats;
  /** The lane's counters begin anew with each of its lives. */
  #counted: FrameCounts;
  #end: RunEnd | null = null;
  #changed = false;

  constructor(claim: ClaimedRun, parts: RunParts) {
    this.claim = claim;
    this.rules = new RuleWatch(claim.lastFrameAt?.getTime() ?? null);
    this.#parts = parts;
    this.people = new PeopleOfRun(parts.coveredKeys);
    this.plan = claim.plan;
    this.claimedAtMs = parts.claimedAtMs;
    this.leaseUntilMs = parts.leaseUntilMs;
    this.#metrics = QueueMetrics.rebuild(parts.config.zones, parts.stored);
    this.#recorder = new Recorder(this.#metrics, parts.sinceMs);
    this.#checkpoint = claim.checkpoint;
    this.#storedCheckpoint = claim.checkpoint;
    this.#counted = parts.counted;
    this.#openVisits = parts.stored.visits.filter(({ state }) => state !== 'closed');
    this.#lastFrameMs = claim.lastFrameAt?.getTime() ?? null;
    this.#stats = claim.stats ?? { processedFrames: 0, droppedFrames: 0, fps: 0, avgProcessingTimeMs: 0 };
  }

  get id(): string {
    return this.claim.id;
  }

  /** Whether there is anything to store. */
  get isDirty(): boolean {
    return this.#changed || this.#inFlight !== null;
  }

  get hasEnded(): boolean {
    return this.#end !== null;
  }

  /** What a lane needs to take it up where it is now. */
  get laneScene(): LaneScene {
    return {
      sceneId: this.claim.sceneId,
      runId: this.key,
      config: structuredClone(this.#parts.config) as LaneScene['config'],
      checkpoint: this.#checkpoint,
    };
  }

  /** @returns the rules that fire with this frame; null when none does */
  observe({ observation, openVisits }: RunObservation, nowMs: number): FiredFrame | null {
    if (this.#end) return null;
    this.firstFrameAtMs ??= nowMs;
    const { timeMs, changes, staff } = observation;
    if (staff) this.#stats = { ...this.#stats, staff };
    const recorded = this.#recorder.observe({ timeMs, changes, openVisits });
    this.#keep(recorded, { timeMs, changes });
    this.#changed = true;
    if (this.#asksWho) this.people.observe(observation);
    const elapsedMs = timeMs - (this.#lastFrameMs ?? timeMs);
    if (elapsedMs <= FRAME_GAP_MS) this.#watchedMs += elapsedMs;
    this.#lastFrameMs = timeMs;
    this.#openVisits = openVisits;
    return recorded.tick && this.#fire(recorded.tick, observation);
  }

  checkpoint(checkpoint: string): void {
    this.#checkpoint = checkpoint;
  }

  count(stats: CameraStats): void {
    this.hasUnusablePictures = stats.fault !== null;
    const { processedFrames, droppedFrames } = stats;
    const grown = (now: number, before: number) => (now < before ? now : now - before);
    this.#stats = {
      ...this.#stats,
      processedFrames: this.#stats.processedFrames + grown(processedFrames, this.#counted.processedFrames),
      droppedFrames: this.#stats.droppedFrames + grown(droppedFrames, this.#counted.droppedFrames),
      fps: stats.fps,
      avgProcessingTimeMs: stats.avgProcessingTimeMs,
    };
    this.#counted = { processedFrames, droppedFrames };
  }

  /**
   * The last rows: whoever is still there is lost. Stored with the next tick.
   * @param last what the lane closed; null when it did not answer, then the last known state is closed here
   */
  end(end: RunEnd, last: RunObservation | null): void {
    if (this.#end) return;
    this.#end = end;
    this.#changed = true;
    if (this.#lastFrameMs === null) return;
    const timeMs = last?.observation.timeMs ?? this.#lastFrameMs;
    const changes = last?.observation.changes ?? this.#openVisits.map((visit) => lost(visit, timeMs));
    this.#keep(this.#recorder.stop({ timeMs, changes, openVisits: [] }), { timeMs, changes });
    this.#openVisits = [];
    const { staff } = this.#stats;
    this.#stats = { ...this.#stats, fps: 0, ...(staff && { staff: { ...staff, present: 0 } }) };
  }

  /** What is to be stored now, again with the next call unless `stored` is called before. */
  takeWrite(): RunWrite {
    const pending = this.#inFlight ? this.#inFlight.with(this.#pending) : this.#pending;
    this.#inFlight = pending;
    this.#checkpointInFlight = this.#checkpoint;
    this.#watchedInFlightMs = this.#watchedMs;
    this.#changed = false;
    this.#pending = new PendingRecords();
    const minute = this.#metrics.openMinute;
    const { id, epoch, sceneId, deviceId } = this.claim;
    return {
      id,
      epoch,
      taskId: id,
      sceneId,
      deviceId,
      computeNodeId: this.#parts.nodeId,
      visits: pending.visits,
      minutes: minute ? [...pending.minutes, minute] : pending.minutes,
      totals: pending.visits.length > 0 ? this.#metrics.totals : null,
      snapshots: pending.snapshots,
      rolling: pending.rolling,
      checkpoint: this.#checkpoint === this.#storedCheckpoint ? null : this.#checkpoint,
      stats: { ...this.#stats, attributes: this.people.coverage(this.#parts.attributeModels) },
      lastFrameMs: this.#lastFrameMs,
      watchedMs: this.#watchedMs - this.#storedWatchedMs,
      hasFrames: this.firstFrameAtMs !== null,
      latest: this.#latest,
      rules: this.rules.unstored(),
      end: this.#end,
    };
  }

  stored(write?: Pick<RunWrite, 'rules'>): void {
    if (write) this.rules.stored(write.rules);
    this.#inFlight = null;
    this.#storedCheckpoint = this.#checkpointInFlight;
    this.#storedWatchedMs = this.#watchedInFlightMs;
  }

  /** Attributes are those of people, on a LEVEL_02 device. */
  get #asksWho(): boolean {
    return this.plan === 'LEVEL_02' && this.#parts.config.parameters.class === 'person';
  }

  #fire(metrics: Metrics, observation: RunObservation['observation']): FiredFrame | null {
    const { timeMs, frameIndex, tracks } = observation;
    const fired = this.rules.tick(metrics, timeMs);
    if (fired.length === 0) return null;
    const { zones, parameters } = this.#parts.config;
    const capture = this.#asksWho ? this.people.capture(observation) : null;
    const firings = fired.map(({ rule, held, holdingSinceMs }): Firing => {
      const facts: AlertFacts = {
        version: 1,
        ruleName: rule.name,
        conditions: rule.conditions,
        logicOperator: rule.logicOperator,
        durationSeconds: rule.durationSeconds,
        holdingSince: new Date(holdingSinceMs).toISOString(),
        timezone: rule.schedule?.timezone ?? this.claim.timezone,
        seen: parameters.class,
        zones: (['queueZone', 'checkoutZone'] as const).filter((name) => zones[name]),
        tracks: tracks.slice(0, MOST_TRACKS),
        metrics,
      };
      return { rule, held, holdingSinceMs, atMs: timeMs, facts, capture };
    });
    const run = { ...this.claim, nodeId: this.#parts.nodeId };
    return { run, sceneName: this.claim.sceneName, zones, frameIndex, firings };
  }

  #keep(recorded: Recorded, { timeMs, changes }: { timeMs: number; changes: readonly Visit[] }): void {
    this.#pending.add(recorded, changes);
    this.#pending.addMinutes(this.#metrics.minuteRows());
    const metrics = recorded.tick;
    if (metrics) this.#latest = { sceneId: this.claim.sceneId, metrics, timeMs };
  }
}

const lost = (visit: Visit, timeMs: number): Visit => ({
  ...visit,
  state: 'closed',
  outcome: 'lost',
  outcomeDecidedAtMs: timeMs,
});
