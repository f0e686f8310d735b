import type { Ground } from '../camera.ts';
import { beyondEdge, SLOTS } from '../layout.ts';
import type { Random } from '../random.ts';

/** Why a person comes. */
export type Intent =
  | { readonly kind: 'buy'; readonly patienceSeconds: number }
  /** Walks the route and leaves. */
  | { readonly kind: 'pass'; readonly route: readonly Stop[] };

/** A point of a route, with an optional pause there. */
export interface Stop extends Ground {
  readonly pauseSeconds?: number;
}

/** The companions of a person who leads a group. */
interface Company {
  /** 1-3. */
  readonly companions: number;
  /** All wait and are served together; otherwise only the leader does, and the others wait beside the line. */
  readonly waitsTogether: boolean;
}

export interface Arrival {
  readonly atMs: number;
  readonly from: Ground;
  readonly intent: Intent;
  readonly company?: Company;
}

/** An endless sequence of arrivals in the order of time. */
export interface ArrivalSource {
  next(): Arrival;
}

/** Number of arrivals of each kind in one deck. */
const CARDS = {
  patient: 10,
  impatient: 3,
  nearPasser: 2,
  frontPasser: 1,
  farPasser: 1,
  crosser: 1,
  browser: 1,
} as const;
type Card = keyof typeof CARDS;

/** Shuffled anew for each round, so that every few minutes have people who pass by and impatient people. */
const DECK: readonly Card[] = Object.entries(CARDS).flatMap(([card, count]) =>
  new Array<Card>(count).fill(card as Card),
);

function* dealt(random: Random): Generator<Card, never> {
  for (;;) yield* random.shuffle(DECK).reverse();
}

/** Rush and calm alternate. `gap`: mean seconds between two arrivals; `from` and `to`: seconds of the phase. */
const PHASES = { rush: { gap: 3.9, from: 75, to: 90 }, calm: { gap: 6.6, from: 70, to: 90 } } as const;
const ENTRY_SIDES = { leftFar: [10.8, 12.8], leftNear: [7.4, 9] } as const;

/** Customers and people who pass by. */
export class Arrivals implements ArrivalSource {
  readonly #random: Random;
  readonly #gapScale: number;
  readonly #cards: Generator<Card, never>;
  #phase: keyof typeof PHASES = 'rush';
  #phaseEndsMs = 0;
  #atMs = 0;

  /** @param gapScale factor on the time between two arrivals */
  constructor(random: Random, gapScale = 1) {
    this.#random = random;
    this.#gapScale = gapScale;
    this.#cards = dealt(random);
    this.#phaseEndsMs = 1000 * random.between(PHASES.rush.from, PHASES.rush.to);
  }

  next(): Arrival {
    const random = this.#random;
    this.#atMs += 1000 * this.#gapScale * PHASES[this.#phase].gap * random.between(0.6, 1.4);
    if (this.#atMs >= this.#phaseEndsMs) {
      this.#phase = this.#phase === 'rush' ? 'calm' : 'rush';
      const { from, to } = PHASES[this.#phase];
      this.#phaseEndsMs = this.#atMs + 1000 * random.between(from, to);
    }
    return { atMs: this.#atMs, ...this.#describe(this.#cards.next().value) };
  }

  #describe(card: Card): { from: Ground; intent: Intent } {
    const random = this.#random;
    switch (card) {
      case 'patient':
        return this.#buyer(Number.POSITIVE_INFINITY);
      case 'impatient':
        return this.#buyer(random.between(9, 26));
      case 'nearPasser': {
        const z = random.between(4.29, 4.36);
        return this.#crossing(z, z);
      }
      case 'frontPasser':
        return this.#lingering(random.between(5.55, 5.85));
      case 'farPasser':
        return this.#crossing(random.between(14.1, 14.7), random.between(14.1, 14.7));
      // Through the end of the queue zone, too quickly for a visit.
      case 'crosser':
        return this.#crossing(random.between(12.9, 13.4), random.between(12.9, 13.4));
      case 'browser': {
        const from = this.#entrance();
        const pauseSeconds = random.between(4, 14);
        const rest = { x: random.between(-3.4, -2.5), z: random.between(8, 10), pauseSeconds };
        const out = beyondEdge(-1, random.between(6.2, 11));
        return { from, intent: { kind: 'pass', route: [rest, out] } };
      }
    }
  }

  #buyer(patienceSeconds: number): { from: Ground; intent: Intent } {
    return { from: this.#entrance(), intent: { kind: 'buy', patienceSeconds } };
  }

  #entrance(): Ground {
    const [low, high] = this.#random.chance(0.55) ? ENTRY_SIDES.leftFar : ENTRY_SIDES.leftNear;
    return beyondEdge(-1, this.#random.between(low, high));
  }

  /** Between the camera and the head of the line, with a short stop in front of two people who wait. */
  #lingering(z: number): { from: Ground; intent: Intent } {
    const random = this.#random;
    const before = (slot: Ground): Stop => {
      const beside = random.pick([-1, 1]) * random.between(0.12, 0.2);
      return { x: (slot.x * z) / slot.z + beside, z, pauseSeconds: random.between(1.5, 2.5) };
    };
    const [first, second] = random.pick([
      [SLOTS[2], SLOTS[0]],
      [SLOTS[3], SLOTS[1]],
      [SLOTS[2], SLOTS[1]],
    ] as const);
    return this.#across([before(first), before(second)], z, z);
  }

  #crossing(zLeft: number, zRight: number): { from: Ground; intent: Intent } {
    return this.#across([{ x: SLOTS[0].x, z: (zLeft + zRight) / 2 }], zLeft, zRight);
  }

  /** From one edge of the frame to the other, in either direction. @param stops from left to right */
  #across(stops: readonly Stop[], zLeft: number, zRight: number): { from: Ground; intent: Intent } {
    const [left, right] = [beyondEdge(-1, zLeft), beyondEdge(1, zRight)];
    return this.#random.chance(0.5)
      ? { from: left, intent: { kind: 'pass', route: [...stops, right] } }
      : { from: right, intent: { kind: 'pass', route: [...stops.toReversed(), left] } };
  }
}
