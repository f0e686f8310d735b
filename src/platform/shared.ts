import type { Config } from '../config.ts';

/** Objects of higher layers that a program makes once, at first use, and shares between requests and jobs. */
export class Shared {
  readonly #config: Config;
  readonly #objects = new Map<unknown, unknown>();

  constructor(config: Config) {
    this.#config = config;
  }

  /** @param make also the key: the same function always gives the same object */
  get<Made>(make: (config: Config) => Made): Made {
    if (!this.#objects.has(make)) this.#objects.set(make, make(this.#config));
    return this.#objects.get(make) as Made;
  }
}
