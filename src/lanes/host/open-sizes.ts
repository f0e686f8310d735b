import type { Logger } from 'pino';
import type { Detector, NetworkSize } from '../../vision/detect/detector.ts';

/** The networks of a lane's detector that are open. One is opened when a camera asks for it, while frames go on. */
export class OpenSizes {
  readonly #detector: Detector;
  readonly #log: Logger;
  /** By width and height. */
  readonly #states = new Map<string, 'opening' | 'open' | 'failed'>();

  constructor(detector: Detector, log: Logger) {
    this.#detector = detector;
    this.#log = log;
  }

  /** Whether a network is open. One that is not is opened; one that cannot be opened is not tried again. */
  has(size: NetworkSize): boolean {
    const state = this.#states.get(keyOf(size));
    if (!state) void this.#open(size);
    return state === 'open';
  }

  async #open({ width, height }: NetworkSize): Promise<void> {
    const key = keyOf({ width, height });
    this.#states.set(key, 'opening');
    try {
      await this.#detector.prepare({ width, height });
      this.#states.set(key, 'open');
    } catch (error) {
      this.#states.set(key, 'failed');
      this.#log.error(
        { err: error, width, height },
        'a smaller network cannot be opened: whole pictures are analysed',
      );
    }
  }
}

const keyOf = ({ width, height }: NetworkSize): string => `${width}x${height}`;
