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
  /** Frames a second of all lanes together, measured at the start. */
  readonly firstRate: number;
  /** Measures all lanes at once, frames a second together; null when not all of them are ready. */
  readonly measure: () => Promise<number | null>;
  /** Cameras that are streamed now. */
  readonly cameras: () => number;
  readonly onChange: (maxDevices: number) => void;
  readonly log: Pick<Logger, 'info'>;
  /** Monotonic ms; tests pass their own time. */
  readonly now?: () => number;
}

/** How many cameras this node takes, measured again when its load changes. */
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

  /** Measures if it is time to. Call it every second or so. */
  async look(): Promise<void> {
    const { cameras, measure, log, onChange } = this.#options;
    this.#state = withCameras(this.#state, cameras(), this.#now());
    if (!isMeasurementDue(this.#state, this.#now())) return;
    const rate = await measure();
    if (rate === null) return;
    const before = this.maxDevices;
    this.#state = withMeasurement(this.#state, rate, this.#now());
    const { maxDevices } = this;
    if (maxDevices === before) return;
    log.info({ before, maxDevices, framesPerSecond: rate }, 'the capacity of this node was measured again');
    onChange(maxDevices);
  }
}
