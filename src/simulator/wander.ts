import type { Random } from './random.ts';

/** How slowly a random value changes. */
export interface Memory {
  /** The part of it that changes slowly, 0-1; the rest is new in each frame. */
  readonly lasting: number;
  /** Time after which the correlation of the slow part has sunk to 1/e. */
  readonly seconds: number;
}

/** Standard normal. */
export function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

/** Share of a standard normal below `x`; Abramowitz and Stegun 26.2.17, error below 1e-7. */
function shareBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const poly =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return x < 0 ? tail : 1 - tail;
}

/**
 * A random value that changes slowly. Each `next` gives a rank between 0 and 1: all ranks are equally likely, and ranks of
 * near times are similar. So `rank < rate` is true with the probability `rate`, in runs, also if the rate changes.
 */
export class Wander {
  readonly #random: Random;
  readonly #memory: Memory;
  #lasting: number;

  constructor(random: Random, memory: Memory) {
    this.#random = random;
    this.#memory = memory;
    this.#lasting = normal(random);
  }

  /** @param seconds since the last call */
  next(seconds: number): number {
    const { lasting, seconds: memory } = this.#memory;
    const kept = Math.exp(-seconds / memory);
    this.#lasting = kept * this.#lasting + Math.sqrt(1 - kept * kept) * normal(this.#random);
    return shareBelow(Math.sqrt(lasting) * this.#lasting + Math.sqrt(1 - lasting) * normal(this.#random));
  }
}
