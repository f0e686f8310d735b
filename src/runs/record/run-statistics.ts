import type { CameraStats } from '../../lanes/lane-protocol.ts';
import type { Rotation } from '../../video/picture/turn.ts';
import type { RunStats } from '../store/run-stats.ts';

export interface FrameCounts {
  readonly processedFrames: number;
  readonly skippedFrames: number;
  readonly heldFrames: number;
  readonly droppedFrames: number;
}

/** Before the first frame. */
const NO_STATS = {
  ...{ processedFrames: 0, skippedFrames: 0, heldFrames: 0, droppedFrames: 0 },
  ...{ fps: 0, avgProcessingTimeMs: 0 },
};

/** Statistics of a run. They go on over restarts of its lane and over moves between nodes. */
export class RunStatistics {
  #stats: RunStats;
  /** The last counters of the lane. A new lane starts at 0. */
  #counted: FrameCounts;

  /** @param counted what the lane had counted before this run started: frames of other runs */
  constructor(stored: RunStats | null, counted: FrameCounts) {
    this.#stats = stored ?? NO_STATS;
    this.#counted = counted;
  }

  get current(): RunStats {
    return this.#stats;
  }

  set secondsPerSecond(secondsPerSecond: number | null) {
    this.#stats = { ...this.#stats, secondsPerSecond };
  }

  set wantedRotation(wantedRotation: Rotation | null) {
    this.#stats = { ...this.#stats, wantedRotation };
  }

  set staff(staff: NonNullable<RunStats['staff']>) {
    this.#stats = { ...this.#stats, staff };
  }

  add(stats: CameraStats): void {
    const { processedFrames, skippedFrames, heldFrames, droppedFrames } = stats;
    const { fps, avgProcessingTimeMs, analysed, decoding } = stats;
    const added = (now: number, before: number) => (now < before ? now : now - before);
    this.#stats = {
      ...this.#stats,
      processedFrames: this.#stats.processedFrames + added(processedFrames, this.#counted.processedFrames),
      skippedFrames: this.#stats.skippedFrames + added(skippedFrames, this.#counted.skippedFrames),
      heldFrames: (this.#stats.heldFrames ?? 0) + added(heldFrames, this.#counted.heldFrames),
      droppedFrames: this.#stats.droppedFrames + added(droppedFrames, this.#counted.droppedFrames),
      fps,
      avgProcessingTimeMs,
      decoding,
      ...(analysed && { analysed }),
    };
    this.#counted = { processedFrames, skippedFrames, heldFrames, droppedFrames };
  }

  /** The run has ended: no frames are processed, and no staff is present any more. */
  end(): void {
    const { staff } = this.#stats;
    this.#stats = { ...this.#stats, fps: 0, ...(staff && { staff: { ...staff, present: 0, members: [] } }) };
  }
}
