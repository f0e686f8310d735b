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
  const since = first && sampleSince(first, sample);
  if (!since || atMs - lastMs > GAP_MS) return { ...limit, first: sample, lastMs: atMs };
  if (since.atMs < WINDOW_MS) return { ...limit, lastMs: atMs };
  return { fps: nextFps(limit.fps, since, minFps), first: sample, lastMs: atMs };
}

/** What was counted between two samples. @returns null when a camera was added, removed or opened again: the counters do not compare */
function sampleSince(first: LaneSample, { atMs, busyMs, cameras }: LaneSample): LaneSample | null {
  const counted = cameras.flatMap(({ deviceId, analysed, came }) => {
    const before = first.cameras.find((camera) => camera.deviceId === deviceId);
    if (!before || came < before.came) return [];
    return [{ deviceId, analysed: analysed - before.analysed, came: came - before.came }];
  });
  if (cameras.length !== first.cameras.length || counted.length < cameras.length) return null;
  return { atMs: atMs - first.atMs, busyMs: busyMs - first.busyMs, cameras: counted };
}

/** @param since what was counted in a window that lasted `since.atMs` */
function nextFps(before: number | null, since: LaneSample, minFps: number): number | null {
  const share = since.busyMs / since.atMs;
  if (share >= SPARE_SHARE && share <= FULL_SHARE) return before;
  // With time to spare the limit never falls: frames were missing for another reason.
  const least = share < SPARE_SHARE ? before : 0;
  if (least === null) return null;
  const perSecond = (frames: number) => (frames * 1000) / since.atMs;
  const rates = since.cameras
    .map(({ analysed, came }) => ({ analysed: perSecond(analysed), came: perSecond(came) }))
    // A camera whose pictures cannot be analysed takes no time.
    .filter(({ analysed }) => analysed > 0);
  const affordable = rates.reduce((sum, { analysed }) => sum + analysed, 0) * (TARGET_SHARE / share);
  const fitting = levelOf(
    rates.map(({ came }) => came),
    affordable,
  );
  if (fitting === null) return share > FULL_SHARE ? before : null;
  const fps = Math.max(minFps, fitting, least);
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
