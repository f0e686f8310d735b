import type { Logger } from '../../../platform/logger.ts';
import {
  type CameraCost,
  camerasAt,
  costOf,
  isWholeDay,
  type ProcessorUse,
  UNKNOWN_COSTS,
  withUse,
} from './camera-costs.ts';

/** Frames per second of one camera: the default of a device. */
const FPS = 5;
/** Of a core: decoding a stream of 360p and 25 frames/s (0.035, measured), pipes, tracking and the worker. */
const FIRST_BESIDE_DETECTION = 0.08;
/** The rest of the time is for tracking, for pipes, and for frames that arrive at the same moment. */
const USABLE_SHARE = 0.7;
/** The capacity follows from the last measurements, of this number. */
const MEASUREMENTS = 5;
/** Two measurements in a row agree when they differ by this share at most. */
const AGREEMENT = 0.2;
/** Measurements after a change of load, at most, when no two of them agree. */
const MAX_TRIES = 5;
const RETRY_MS = 20_000;
/** The pause after cameras were added or removed. */
const SETTLE_MS = 10_000;
const IDLE_MS = 10 * 60_000;

/** What is known of the speed of a node. */
export interface CapacityState {
  /** Measured frames per second of all lanes together, the newest last. Never empty. */
  readonly rates: readonly number[];
  /** The newest measurement, whether it counts or not. */
  readonly lastRate: number;
  /** Monotonic ms of the newest measurement. */
  readonly lastMs: number;
  /** Whether the newest two measurements agree. */
  readonly agree: boolean;
  /** Measurements since the number of cameras or the speed changed. */
  readonly tries: number;
  /** Cameras at the last check, and the monotonic ms since which there are as many. */
  readonly cameras: number;
  readonly camerasSinceMs: number;
}

/** @param rate the first measurement: frames per second of all lanes together */
export function firstCapacity(rate: number, nowMs: number): CapacityState {
  const none = { cameras: 0, camerasSinceMs: nowMs };
  return { rates: [rate], lastRate: rate, lastMs: nowMs, agree: false, tries: 1, ...none };
}

/** The number of cameras that the node takes. */
export function camerasOf({ rates }: Pick<CapacityState, 'rates'>): number {
  return Math.max(1, Math.floor((provenRate(rates) * USABLE_SHARE) / FPS));
}

/** The state with the number of cameras now. */
export function withCameras(state: CapacityState, cameras: number, nowMs: number): CapacityState {
  if (cameras === state.cameras) return state;
  return { ...state, cameras, camerasSinceMs: nowMs, tries: 0 };
}

/**
 * A measurement is due after the number of cameras has changed, then until two measurements agree, and every 10 minutes
 * while there are no cameras.
 */
export function isMeasurementDue(state: CapacityState, nowMs: number): boolean {
  const { agree, tries, cameras, camerasSinceMs, lastMs } = state;
  if (tries === 0) return nowMs - camerasSinceMs >= SETTLE_MS;
  if (!agree && tries < MAX_TRIES) return nowMs - lastMs >= RETRY_MS;
  return cameras === 0 && nowMs - lastMs >= IDLE_MS;
}

/**
 * A measurement without cameras counts. With cameras only a faster measurement counts: the work for the cameras slows it, so
 * that it shows the least the node can do.
 */
export function withMeasurement(state: CapacityState, rate: number, nowMs: number): CapacityState {
  const counts = state.cameras === 0 || rate > provenRate(state.rates);
  const agree = Math.abs(rate - state.lastRate) <= AGREEMENT * Math.max(rate, state.lastRate);
  return {
    ...state,
    rates: counts ? [...state.rates, rate].slice(-MEASUREMENTS) : state.rates,
    lastRate: rate,
    lastMs: nowMs,
    agree,
    // When the speed has changed without a change of cameras, the tries start again.
    tries: state.agree && !agree ? 1 : state.tries + 1,
  };
}

/** The second fastest measurement: a single fast one may be luck. */
function provenRate(rates: readonly number[]): number {
  const [first = 0, second = first] = rates.toSorted((a, b) => b - a);
  return second;
}

/** What the processor of a machine says about its cameras. */
export interface Machine {
  readonly cores: number;
  readonly lanes: number;
  /** CPU time so far; null where the system does not tell. */
  readonly use: () => ProcessorUse | null;
}

/** Before any camera was measured: a small picture that is analysed at the default rate. @param rate of all lanes together */
const expectedCost = (rate: number, lanes: number): CameraCost => {
  const lane = (FPS * lanes) / rate;
  return { lane, all: lane + FIRST_BESIDE_DETECTION };
};

export interface CapacityWatchOptions {
  /** Frames per second of all lanes together, measured at the start. */
  readonly firstRate: number;
  /** Measures all lanes at once: frames per second together; null when a lane is not ready. */
  readonly measure: () => Promise<number | null>;
  /** Cameras that the lanes stream now. */
  readonly cameras: () => number;
  readonly machine: Machine;
  readonly log: Pick<Logger, 'info'>;
  /** Monotonic ms; tests pass their own time. */
  readonly now?: () => number;
}

/** The number of cameras that this node takes. It is measured again when the load changes. */
export class CapacityWatch {
  readonly #options: CapacityWatchOptions;
  readonly #now: () => number;
  #state: CapacityState;
  #costs = UNKNOWN_COSTS;

  constructor(options: CapacityWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#state = firstCapacity(options.firstRate, this.#now());
  }

  /**
   * As many as the detector allows and, once cameras were measured, as many as they cost. What they cost raises the number
   * only after a whole day: a shop that opens in the morning needs more than it needed at night.
   */
  get maxDevices(): number {
    const { machine } = this.#options;
    const byDetector = camerasOf(this.#state);
    const cost = costOf(this.#costs);
    const expected = camerasAt(expectedCost(provenRate(this.#state.rates), machine.lanes), machine);
    const first = Math.min(byDetector, expected);
    if (cost === null) return first;
    const measured = camerasAt(cost, machine);
    return isWholeDay(this.#costs, this.#now()) ? measured : Math.min(first, measured);
  }

  /** What a camera costs here; null while none was measured. */
  get cost(): CameraCost | null {
    return costOf(this.#costs);
  }

  /** Measures when a measurement is due; call it about once a second. @returns whether the capacity has changed */
  async update(): Promise<boolean> {
    const { cameras, measure, machine, log } = this.#options;
    const before = this.maxDevices;
    const use = machine.use();
    if (use) this.#costs = withUse(this.#costs, cameras(), use, this.#now());
    this.#state = withCameras(this.#state, cameras(), this.#now());
    const rate = isMeasurementDue(this.#state, this.#now()) ? await measure() : null;
    if (rate !== null) this.#state = withMeasurement(this.#state, rate, this.#now());
    const { maxDevices, cost } = this;
    if (maxDevices === before) return false;
    const framesPerSecond = this.#state.lastRate;
    log.info({ before, maxDevices, framesPerSecond, cost }, 'the capacity of this node has changed');
    return true;
  }
}
