/** After an overload the node takes no recording for this time: its cameras may only just be keeping up. */
const CALM_MS = 5 * 60_000;

export interface NodeCameras {
  readonly cameras: number;
  readonly maxCameras: number;
  readonly isOverloaded: boolean;
}

/** How many recordings a node may analyse beside its cameras: each takes a place that no camera uses. */
export class SpareTime {
  readonly #most: number;
  #calmFromMs = Number.NEGATIVE_INFINITY;

  /** @param most recordings at a time */
  constructor(most: number) {
    this.#most = most;
  }

  /** @param nowMs monotonic */
  recordings({ cameras, maxCameras, isOverloaded }: NodeCameras, nowMs: number): number {
    if (isOverloaded) this.#calmFromMs = nowMs + CALM_MS;
    if (nowMs < this.#calmFromMs) return 0;
    return Math.max(0, Math.min(this.#most, maxCameras - cameras));
  }
}
