import type { Ground } from './camera.ts';
import { beyondEdge, SLOTS } from './layout.ts';
import type { Random } from './random.ts';

/** What somebody comes for. */
export type Intent =
  | { readonly kind: 'buy'; readonly patienceSeconds: number }
  /** Walks the route and is gone; rests where `pauseSeconds` says so. */
  | { readonly kind: 'pass'; readonly route: readonly Ground[]; readonly pauseSeconds: number };

export interface Arrival {
  readonly atMs: number;
  readonly from: Ground;
  readonly intent: Intent;
}

/** How many of each kind are in a deck of arrivals. */
const CARDS = {
  patient: 9,
  impatient: 3,
  nearPasser: 2,
  frontPasser: 1,
  farPasser: 1,
  crosser: 1,
  browser: 1,
} as const;
type Card = keyof typeof CARDS;

/** Shuffled and dealt out hand by hand, so that no stretch of time is without its passers-by and impatient. */
const DECK: readonly Card[] = Object.entries(CARDS).flatMap(([card, count]) =>
  new Array<Card>(count).fill(card as Card),
);

/** Rush and calm take turns; mean seconds from one arrival to the next. */
const PHASES = { rush: { gap: 3.8, from: 75, to: 90 }, calm: { gap: 6.5, from: 70, to: 90 } } as const;
const ENTRY_SIDES = { leftFar: [10.8, 12.8], leftNear: [7.4, 9] } as const;

/** Endless and the same for the same random stream: who comes next, and when. */
export class Arrivals {
  readonly #random: Random;
  #hand: Card[] = [];
  #phase: keyof typeof PHASES = 'rush';
  #phaseEndsMs = 0;
  #atMs = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#phaseEndsMs = 1000 * random.between(PHASES.rush.from, PHASES.rush.to);
  }

  next(): Arrival {
    const random = this.#random;
    this.#atMs += 1000 * PHASES[this.#phase].gap * random.between(0.6, 1.4);
    if (this.#atMs >= this.#phaseEndsMs) {
      this.#phase = this.#phase === 'rush' ? 'calm' : 'rush';
      const { from, to } = PHASES[this.#phase];
      this.#phaseEndsMs = this.#atMs + 1000 * random.between(from, to);
    }
    if (this.#hand.length === 0) this.#hand = random.shuffle(DECK);
    return { atMs: this.#atMs, ...this.#describe(this.#hand.pop()!) };
  }

  #describe(card: Card): { from: Ground; intent: Intent } {
    const random = this.#random;
    switch (card) {
      case 'patient':
        return { from: this.#entrance(), intent: { kind: 'buy', patienceSeconds: Number.POSITIVE_INFINITY } };
      case 'impatient':
        return { from: this.#entrance(), intent: { kind: 'buy', patienceSeconds: random.between(9, 26) } };
      case 'nearPasser': {
        const z = random.between(4.29, 4.36);
        return this.#crossing(z, z);
      }
      // Between the camera and the line, close to its head.
      case 'frontPasser':
        return this.#crossing(random.between(5.6, 5.95), random.between(5.6, 5.95));
      case 'farPasser':
        return this.#crossing(random.between(14.1, 14.7), random.between(14.1, 14.7));
      // Through the end of the queue's zone, too quickly to be a visit.
      case 'crosser':
        return this.#crossing(random.between(12.9, 13.4), random.between(12.9, 13.4));
      case 'browser': {
        const from = this.#entrance();
        const look = { x: random.between(-3.4, -2.5), z: random.between(8, 10) };
        const out = beyondEdge(-1, random.between(6.2, 11));
        return { from, intent: { kind: 'pass', route: [look, out], pauseSeconds: random.between(4, 14) } };
      }
    }
  }

  #entrance(): Ground {
    const [low, high] = this.#random.chance(0.55) ? ENTRY_SIDES.leftFar : ENTRY_SIDES.leftNear;
    return beyondEdge(-1, this.#random.between(low, high));
  }

  #crossing(zLeft: number, zRight: number): { from: Ground; intent: Intent } {
    const ends = [beyondEdge(-1, zLeft), beyondEdge(1, zRight)] as const;
    const [from, to] = this.#random.chance(0.5) ? ends : ([ends[1], ends[0]] as const);
    const middle = { x: SLOTS[0]!.x, z: (zLeft + zRight) / 2 };
    return { from, intent: { kind: 'pass', route: [middle, to], pauseSeconds: 0 } };
  }
}
