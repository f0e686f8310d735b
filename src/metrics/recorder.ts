import {
  type CurrentMetrics,
  type Metrics,
  type TotalMetrics,
  WINDOWS,
  type WindowMetrics,
  type WindowType,
} from '../catalogue/metrics/all.ts';
import { FRAME_GAP_MS } from '../vision/moment.ts';
import type { QueueMetrics, QueueObservation } from './queue-metrics.ts';

/** A snapshot to store: the metrics at `windowEndMs`. */
export interface SnapshotRow {
  readonly windowStartMs: number;
  readonly windowEndMs: number;
  readonly durationSeconds: number;
  readonly currentMetrics: CurrentMetrics;
}

/** A rolling record to store. */
export interface RollingRow {
  readonly windowType: WindowType;
  readonly windowStartMs: number;
  readonly windowEndMs: number;
  readonly metrics: WindowMetrics | TotalMetrics;
}

export interface Recorded {
  /** The live metrics, once a second of frame time; null in between. */
  readonly tick: Metrics | null;
  readonly snapshot: SnapshotRow | null;
  readonly rolling: readonly RollingRow[];
}

const TICK_MS = 1_000;
const SNAPSHOT_MS = 10_000;
const ROLLING_MS = 60_000;

const gridAfter = (timeMs: number, stepMs: number): number => (Math.floor(timeMs / stepMs) + 1) * stepMs;

/**
 * Decides by frame time which rows are due. Rows end at whole 10 s and 60 s. The first frame at or after that time
 * makes them, before it counts itself; so windows are half-open and a row never changes. In a gap without frames only
 * the row is made that ends the time before the gap.
 */
export class Recorder {
  readonly #metrics: QueueMetrics;
  /** Start of `total`: the first start of the scene. */
  readonly #sinceMs: number;
  #snapshotStartMs: number | null = null;
  #nextRollingMs = 0;
  #nextTickMs = 0;

  constructor(metrics: QueueMetrics, sinceMs: number) {
    this.#metrics = metrics;
    this.#sinceMs = sinceMs;
    const { lastFrameMs } = metrics;
    if (lastFrameMs === null) return;
    this.#snapshotStartMs = Math.max(gridAfter(lastFrameMs, SNAPSHOT_MS) - SNAPSHOT_MS, sinceMs);
    this.#nextRollingMs = gridAfter(lastFrameMs, ROLLING_MS);
  }

  /** Takes the changes of a frame and returns the rows that are due. */
  observe(news: QueueObservation): Recorded {
    const { timeMs } = news;
    const last = this.#metrics.lastFrameMs;
    let snapshot: SnapshotRow | null = null;
    let rolling: readonly RollingRow[] = [];
    if (this.#snapshotStartMs === null) {
      this.#snapshotStartMs = timeMs;
      this.#nextRollingMs = gridAfter(timeMs, ROLLING_MS);
    } else if (last !== null) {
      const gap = timeMs - last > FRAME_GAP_MS;
      const snapshotEndMs = gridAfter(this.#snapshotStartMs, SNAPSHOT_MS);
      if (timeMs >= snapshotEndMs) {
        if (!gap) this.#metrics.hold(snapshotEndMs);
        snapshot = this.#snapshot(this.#metrics.at(snapshotEndMs), snapshotEndMs);
        this.#snapshotStartMs = gap ? timeMs : snapshotEndMs;
      }
      if (timeMs >= this.#nextRollingMs) {
        if (!gap) this.#metrics.hold(this.#nextRollingMs);
        rolling = this.#rolling(this.#metrics.at(this.#nextRollingMs), this.#nextRollingMs);
        this.#nextRollingMs = gridAfter(timeMs, ROLLING_MS);
      }
    }
    this.#metrics.observe(news);
    return { tick: this.#tick(timeMs), snapshot, rolling };
  }

  /**
   * Returns the last rows of a run. The stop closes visits of people who are still there, so `current` is taken before:
   * it is the state of the last frame.
   * @param news the visits that the stop closed; `timeMs` is not before the last frame
   */
  stop(news: QueueObservation): Recorded {
    const { current } = this.#metrics.at(this.#metrics.lastFrameMs ?? news.timeMs);
    this.#metrics.observe(news);
    // Windows are half-open: only a later end includes what the last frame decided.
    const endMs = news.timeMs + 1;
    const metrics = { ...this.#metrics.at(endMs), current };
    const startMs = this.#snapshotStartMs;
    this.#snapshotStartMs = null;
    return {
      tick: metrics,
      snapshot: startMs === null ? null : this.#snapshot(metrics, endMs, startMs),
      rolling: startMs === null ? [] : this.#rolling(metrics, endMs),
    };
  }

  #tick(timeMs: number): Metrics | null {
    if (timeMs < this.#nextTickMs) return null;
    this.#nextTickMs = gridAfter(timeMs, TICK_MS);
    return this.#metrics.at(timeMs);
  }

  #snapshot(metrics: Metrics, endMs: number, startMs = this.#snapshotStartMs ?? endMs): SnapshotRow {
    return {
      windowStartMs: startMs,
      windowEndMs: endMs,
      durationSeconds: (endMs - startMs) / 1000,
      currentMetrics: metrics.current,
    };
  }

  #rolling(metrics: Metrics, endMs: number): RollingRow[] {
    const windows: RollingRow[] = WINDOWS.map(({ name, windowType, lengthMs }) => ({
      windowType,
      windowStartMs: endMs - lengthMs,
      windowEndMs: endMs,
      metrics: metrics[name],
    }));
    const total: RollingRow = {
      windowType: 'total',
      windowStartMs: Math.min(this.#sinceMs, endMs),
      windowEndMs: endMs,
      metrics: metrics.total,
    };
    return [...windows, total];
  }
}
