/** Busy for more of the time, a lane does not keep up: somebody always waits for a turn. */
const FULL_SHARE = 0.95;
/** Busy for less, it has time to spare. Between the two nothing changes. */
const SPARE_SHARE = 0.85;
/** What a new limit aims at. */
const WANTED_SHARE = 0.9;
/** A share is measured over so long. */
const WINDOW_MS = 5_000;
/** Without a sample for so long the process was stopped: measured anew. */
const GAP_MS = 3_000;

/** What a camera has counted since it was opened. */
export interface CameraCount {
  readonly deviceId: string;
  /** Frames that were analysed. */
  readonly analysed: number;
  /** Frames that came: analysed, left out or overtaken. */
  readonly came: number;
}

/** What a lane has counted. */
export interface LaneSample {
  /** Monotonic ms. */
  readonly atMs: number;
  /** Ms in which somebody had a turn or waited for one. */
  readonly busyMs: number;
  readonly cameras: readonly CameraCount[];
}

/** How many frames a lane takes of each of its cameras. */
export interface FrameLimit {
  /** Frames a second, the same for every camera: one that sends fewer keeps them all. Null: all frames are taken. */
  readonly fps: number | null;
  /** Where the present window begins; null before the first sample. */
  readonly first: LaneSample | null;
  readonly lastMs: number;
}

export const UNLIMITED: FrameLimit = { fps: null, first: null, lastMs: 0 };

/**
 * The limit after a sample; call it about once a second. It follows from the time that a frame takes, measured over five
 * seconds, so it fits at once and needs no search. A node at its floor drops what it cannot take, as one without limits.
 * @param minFps the limit is never below it
 */
export function withLaneSample(limit: FrameLimit, sample: LaneSample, minFps: number): FrameLimit {
  const { first, lastMs } = limit;
  const { atMs } = sample;
  if (!first || atMs - lastMs > GAP_MS || isAnother(first, sample))
    return { ...limit, first: sample, lastMs: atMs };
  if (atMs - first.atMs < WINDOW_MS) return { ...limit, lastMs: atMs };
  return { fps: nextFps(limit.fps, { first, last: sample, minFps }), first: sample, lastMs: atMs };
}

/** Cameras that came, went or were opened anew count from another beginning. */
const isAnother = (first: LaneSample, { cameras }: LaneSample): boolean =>
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
    // One whose pictures cannot be used takes no time.
    .filter(({ analysed }) => analysed > 0);
  const affordable = rates.reduce((sum, { analysed }) => sum + analysed, 0) * (WANTED_SHARE / share);
  const fitting = levelOf(
    rates.map(({ came }) => came),
    affordable,
  );
  if (fitting === null) return share > FULL_SHARE ? before : null;
  // Time to spare lowers nothing: what was not taken was left out for another reason.
  const fps = Math.max(minFps, fitting, share < SPARE_SHARE ? before! : 0);
  return rates.some(({ came }) => came > fps) ? fps : null;
}

/**
 * Shares frames out evenly: those who send fewer than the level keep all, everybody else has the level.
 * @param rates frames a second that come from each
 * @param total frames a second for all together
 * @returns the level in frames a second; null when all that come fit
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
