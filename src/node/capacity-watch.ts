import type { Logger } from '../platform/logger.ts';
import {
  type CapacityState,
  camerasOf,
  firstCapacity,
  isMeasurementDue,
  withCameras,
  withMeasurement,
} from './capacity.ts';

export interface CapacityWatchOptions {
  /** Frames per second of all lanes together, measured at the start. */
  readonly firstRate: number;
  /** Measures all lanes at once: frames per second together; null when a lane is not ready. */
  readonly measure: () => Promise<number | null>;
  /** Cameras that the lanes stream now. */
  readonly cameras: () => number;
  readonly log: Pick<Logger, 'info'>;
  /** Monotonic ms; tests pass their own time. */
  readonly now?: () => number;
}

/** The number of cameras that this node takes. It is measured again when the load changes. */
export class CapacityWatch {
  readonly #options: CapacityWatchOptions;
  readonly #now: () => number;
  #state: CapacityState;

  constructor(options: CapacityWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#state = firstCapacity(options.firstRate, this.#now());
  }

  get maxDevices(): number {
    return camerasOf(this.#state);
  }

  /** Measures when a measurement is due; call it about once a second. @returns whether the capacity has changed */
  async update(): Promise<boolean> {
    const { cameras, measure, log } = this.#options;
    this.#state = withCameras(this.#state, cameras(), this.#now());
    if (!isMeasurementDue(this.#state, this.#now())) return false;
    const rate = await measure();
    if (rate === null) return false;
    const before = this.maxDevices;
    this.#state = withMeasurement(this.#state, rate, this.#now());
    const { maxDevices } = this;
    if (maxDevices === before) return false;
    log.info({ before, maxDevices, framesPerSecond: rate }, 'the capacity of this node has changed');
    return true;
  }
}
