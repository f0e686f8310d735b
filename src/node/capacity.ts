/** Frames a second each camera is reckoned with; the default of a device. */
const FPS = 5;
/** The rest is for tracking, pipes and moments in which everything comes together. */
const USABLE_SHARE = 0.7;
/** Measurements the capacity follows from. */
const KEPT = 5;
/** Two measurements in a row that differ by no more agree. */
const AGREEMENT = 0.2;
/** Measurements after a change of load until they are believed although they do not agree. */
const TRIES = 5;
const TRY_AGAIN_MS = 20_000;
/** Cameras that were added or removed get this long to settle. */
const SETTLE_MS = 10_000;
const IDLE_AGAIN_MS = 10 * 60_000;

/** What is known of a node's speed. */
export interface CapacityState {
  /** Frames a second all lanes can look at together, as measured; the newest last. Never empty. */
  readonly rates: readonly number[];
  /** The newest measurement, also one that did not count. */
  readonly lastRate: number;
  /** Monotonic ms of it. */
  readonly lastMs: number;
  /** Whether the newest two agree. */
  readonly agree: boolean;
  /** Measurements since the number of cameras or the speed changed. */
  readonly tries: number;
  /** Cameras that were streamed when it was looked at last, and since when. */
  readonly cameras: number;
  readonly camerasSinceMs: number;
}

/** @param rate frames a second of all lanes together, from the first measurement */
export function firstCapacity(rate: number, nowMs: number): CapacityState {
  const none = { cameras: 0, camerasSinceMs: nowMs };
  return { rates: [rate], lastRate: rate, lastMs: nowMs, agree: false, tries: 1, ...none };
}

/** How many cameras the node takes. */
export function camerasOf({ rates }: Pick<CapacityState, 'rates'>): number {
  return Math.max(1, Math.floor((provenRate(rates) * USABLE_SHARE) / FPS));
}

/** The number of cameras now. */
export function withCameras(state: CapacityState, cameras: number, nowMs: number): CapacityState {
  if (cameras === state.cameras) return state;
  return { ...state, cameras, camerasSinceMs: nowMs, tries: 0 };
}

/**
 * Whether it is time to measure again: after the number of cameras changed, until two measurements agree, and now and
 * then while there are no cameras.
 */
export function isMeasurementDue(state: CapacityState, nowMs: number): boolean {
  const { agree, tries, cameras, camerasSinceMs, lastMs } = state;
  if (tries === 0) return nowMs - camerasSinceMs >= SETTLE_MS;
  if (!agree && tries < TRIES) return nowMs - lastMs >= TRY_AGAIN_MS;
  return cameras === 0 && nowMs - lastMs >= IDLE_AGAIN_MS;
}

/**
 * A measurement of an idle node counts. One beside cameras counts only if it is faster than what is known: their own
 * work slows it, so it tells the least that the node can do.
 */
export function withMeasurement(state: CapacityState, rate: number, nowMs: number): CapacityState {
  const counts = state.cameras === 0 || rate > provenRate(state.rates);
  const agree = Math.abs(rate - state.lastRate) <= AGREEMENT * Math.max(rate, state.lastRate);
  return {
    ...state,
    rates: counts ? [...state.rates, rate].slice(-KEPT) : state.rates,
    lastRate: rate,
    lastMs: nowMs,
    agree,
    // the machine became faster or slower by itself
    tries: state.agree && !agree ? 1 : state.tries + 1,
  };
}

/** The second fastest: one measurement that was lucky alone proves nothing. */
function provenRate(rates: readonly number[]): number {
  const [first = 0, second = first] = rates.toSorted((a, b) => b - a);
  return second;
}
