import { EYE_LEVEL, type Ground } from '../camera.ts';
import type { Random } from '../random.ts';
import type { Arrival, ArrivalSource, Intent } from './arrivals.ts';

const GAP_SECONDS = [2.8, 6.8] as const;
const KINDS = ['patient', 'patient', 'patient', 'patient', 'impatient', 'near', 'behind'] as const;

/** People who join the line in front of an eye-level camera, and people who cross its picture before or behind the line. */
export class FacingArrivals implements ArrivalSource {
  readonly #random: Random;
  #atMs = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): Arrival {
    const random = this.#random;
    this.#atMs += 1000 * random.between(...GAP_SECONDS);
    const kind = random.pick(KINDS);
    if (kind === 'near') return this.#across(random.between(2.3, 2.6));
    if (kind === 'behind') return this.#across(random.between(9.8, 11.5));
    const patienceSeconds = kind === 'impatient' ? random.between(10, 26) : Number.POSITIVE_INFINITY;
    const from = EYE_LEVEL.beyondEdge(-1, random.between(8.5, 11));
    return this.#arrival(from, { kind: 'buy', patienceSeconds });
  }

  #across(z: number): Arrival {
    const [from, to] = this.#random.chance(0.5) ? ([-1, 1] as const) : ([1, -1] as const);
    return this.#arrival(EYE_LEVEL.beyondEdge(from, z), {
      kind: 'pass',
      route: [EYE_LEVEL.beyondEdge(to, z)],
    });
  }

  #arrival(from: Ground, intent: Intent): Arrival {
    return { atMs: this.#atMs, from, intent };
  }
}
