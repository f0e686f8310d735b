import type { Config } from './config.ts';
import type { Logger } from './logger.ts';

export interface CommonParts {
  readonly config: Config;
  readonly logger: Logger;
}

/** Objects of other rooms that a program makes once, at first use, and shares between requests and jobs. */
export class MadeOnce {
  readonly #parts: CommonParts;
  readonly #objects = new Map<unknown, unknown>();

  constructor(parts: CommonParts) {
    this.#parts = parts;
  }

  /** @param make is also the key: the same function always returns the same object */
  get<Made>(make: (parts: CommonParts) => Made): Made {
    if (!this.#objects.has(make)) this.#objects.set(make, make(this.#parts));
    return this.#objects.get(make) as Made;
  }
}
