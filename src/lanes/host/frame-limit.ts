/** A lane that is busy for a larger share of the time does not keep up: some camera always waits for a turn. */
const FULL_SHARE = 0.95;
/** A lane that is busy for a smaller share has time to spare. Between the two shares the limit stays. */
const SPARE_SHARE = 0.85;
/** The busy share at which a new limit aims. */
const TARGET_SHARE = 0.9;
/** The time over which a share is measured. */
const WINDOW_MS = 5_000;
/** After a longer time without a sample the process was stopped, and measuring starts again. */
const GAP_MS = 3_000;

/** The frames of a camera since its stream was opened. */
export interface CameraCount {
  readonly deviceId: string;
  readonly analysed: number;
  /** All frames: analysed, left out or overtaken by a newer one. */
  readonly came: number;
}

/** The counters of a lane at one moment. */
export interface LaneSample {
  /** Monotonic ms. */
  readonly atMs: number;
  /** `Turns.busyMs`. */
  readonly busyMs: number;
  readonly cameras: readonly CameraCount[];
}

/** The limit of a lane, and the window over which the next one is measured. */
export interface FrameLimit {
  /** Frames a second, the same for every camera; a camera that sends fewer keeps all of them. Null: no limit. */
  readonly fps: number | null;
  /** The first sample of the window; null before any sample. */
  readonly first: LaneSample | null;
  readonly lastMs: number;
}

export const UNLIMITED: FrameLimit = { fps: null, first: null, lastMs: 0 };

/**
 * The limit after a sample; call it about once a second. It is computed from the time that a frame takes, measured over
 * five seconds, so that the first limit fits. A lane at `minFps` that still cannot keep up drops frames.
 * @param minFps the lowest limit
 */
export function withLaneSample(limit: FrameLimit, sample: LaneSample, minFps: number): FrameLimit {
  const { first, lastMs } = limit;
  const { atMs } = sample;
  if (!first || atMs - lastMs > GAP_MS || hasOtherCameras(first, sample))
    return { ...limit, first: sample, lastMs: atMs };
  if (atMs - first.atMs < WINDOW_MS) return { ...limit, lastMs: atMs };
  return { fps: nextFps(limit.fps, { first, last: sample, minFps }), first: sample, lastMs: atMs };
}

/** A camera was added, removed or opened again: the counters do not compare. */
const hasOtherCameras = (first: LaneSample, { cameras }: LaneSample): boolean =>
  cameras.length !== first.cameras.length ||
  cameras.some(({ deviceId, came }) => {
    const before = first.cameras.find((camera) => camera.deviceId === deviceId);
    return !before || came < before.came;
  });

function nextFps(
  before: number | null,
  { first, last, minFps }: { first: LaneSample; last: LaneSample; minFps: number },
): number | null {
  const ms = last.atMs - first.atMs;
  const share = (last.busyMs - first.busyMs) / ms;
  if (share >= SPARE_SHARE && share <= FULL_SHARE) return before;
  if (share < SPARE_SHARE && before === null) return null;
  const perSecond = (frames: number) => (frames * 1000) / ms;
  const rates = last.cameras
    .map(({ deviceId, analysed, came }) => {
      const was = first.cameras.find((camera) => camera.deviceId === deviceId)!;
      return { analysed: perSecond(analysed - was.analysed), came: perSecond(came - was.came) };
    })
    // A camera whose pictures cannot be analysed takes no time.
    .filter(({ analysed }) => analysed > 0);
  const affordable = rates.reduce((sum, { analysed }) => sum + analysed, 0) * (TARGET_SHARE / share);
  const fitting = levelOf(
    rates.map(({ came }) => came),
    affordable,
  );
  if (fitting === null) return share > FULL_SHARE ? before : null;
  // With time to spare the limit never falls: frames were missing for another reason.
  const fps = Math.max(minFps, fitting, share < SPARE_SHARE ? before! : 0);
  return rates.some(({ came }) => came > fps) ? fps : null;
}

/**
 * Shares frames out evenly: cameras that send fewer than the level keep all, the others get the level.
 * @param rates frames a second that each camera sends
 * @param total frames a second for all cameras together
 * @returns the level in frames a second; null when all frames fit
 */
export function levelOf(rates: readonly number[], total: number): number | null {
  let left = total;
  const rising = rates.toSorted((a, b) => a - b);
  for (const [index, rate] of rising.entries()) {
    const level = left / (rising.length - index);
    if (rate > level) return level;
    left -= rate;
  }
  return null;
}
