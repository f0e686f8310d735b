import type { Ground } from '../camera.ts';
import { beyondEdge, SLOTS } from '../layout.ts';
import type { Random } from '../random.ts';
import type { Arrival, ArrivalSource, Stop } from './arrivals.ts';

const PASSER_GAP_SECONDS = [2.5, 6.5] as const;
const between = (a: Ground, b: Ground): Ground => ({ x: (a.x + b.x) / 2, z: (a.z + b.z) / 2 });
/** Between two people in line, all but the last two. */
const GAPS = [
  between(SLOTS[0], SLOTS[1]),
  between(SLOTS[1], SLOTS[2]),
  between(SLOTS[2], SLOTS[3]),
  between(SLOTS[3], SLOTS[4]),
  between(SLOTS[4], SLOTS[5]),
] as const;

/** People who walk through the zones without a stop, between the people who wait and in front of them. */
export class ZonePassers implements ArrivalSource {
  readonly #random: Random;
  #atMs = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): Arrival {
    const random = this.#random;
    this.#atMs += 1000 * random.between(...PASSER_GAP_SECONDS);
    const through = this.#through();
    const side = random.chance(0.5) ? 1 : -1;
    const edge = (of: -1 | 1, z: number) => beyondEdge(of, Math.max(4.4, z + random.between(-0.8, 0.8)));
    const [left, right = left] = through;
    const from = edge(side === 1 ? -1 : 1, (side === 1 ? left : right).z);
    const to = edge(side, (side === 1 ? right : left).z);
    const route = [...(side === 1 ? through : through.toReversed()), to];
    return { atMs: this.#atMs, from, intent: { kind: 'pass', route } };
  }

  /** The points to walk through, from left to right. */
  #through(): readonly [Ground, ...Ground[]] {
    const random = this.#random;
    const kind = random.pick(['line', 'line', 'before', 'both'] as const);
    const gap = random.pick(GAPS);
    if (kind === 'line') return [gap];
    // Just in front of the zone, so that they cover the people in it.
    if (kind === 'before') return [{ x: random.between(0, 1.5), z: random.between(5.5, 6.1) }];
    return [GAPS[0], { x: 2.9, z: random.between(8.3, 9.1) }];
  }
}

/** Outside the zones, half a metre and more from their edges. */
const SPOTS: readonly Ground[] = [
  { x: 0.62, z: 5.5 },
  { x: -0.5, z: 5.5 },
  { x: -1.2, z: 7.5 },
  { x: -1.75, z: 8.7 },
  { x: -2.5, z: 10.1 },
  { x: -3.3, z: 11.2 },
  { x: -4.4, z: 12.6 },
  { x: 1.05, z: 10.7 },
  { x: 0.55, z: 12.1 },
  { x: 1.45, z: 12.4 },
  { x: -0.6, z: 13.5 },
];
/** Spots at a smaller z are in front of the line, where a person covers the people who wait. */
const FRONT_Z = 6;
const STANDER_GAP_SECONDS = [6, 13] as const;
const WALK_SECONDS = 20;

/** People who stand near the zones for 15 s to two minutes, each at a free spot. */
export class Standers implements ArrivalSource {
  readonly #random: Random;
  readonly #spots = SPOTS.map((at) => ({ ...at, freeAtMs: 0 }));
  #atMs = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): Arrival {
    const random = this.#random;
    this.#atMs += 1000 * random.between(...STANDER_GAP_SECONDS);
    const earliest = Math.min(...this.#spots.map(({ freeAtMs }) => freeAtMs));
    this.#atMs = Math.max(this.#atMs, earliest);
    const spot = random.pick(this.#spots.filter(({ freeAtMs }) => freeAtMs <= this.#atMs));
    const pauseSeconds = spot.z < FRONT_Z ? random.between(15, 40) : random.between(45, 130);
    spot.freeAtMs = this.#atMs + 1000 * (pauseSeconds + WALK_SECONDS);
    const stop: Stop = {
      x: spot.x + random.between(-0.12, 0.12),
      z: spot.z + random.between(-0.12, 0.12),
      pauseSeconds,
    };
    const side = spot.x > 0.8 ? 1 : -1;
    const edge = () => beyondEdge(side, Math.min(14.4, spot.z + random.between(0, 1.5)));
    return { atMs: this.#atMs, from: edge(), intent: { kind: 'pass', route: [stop, edge()] } };
  }
}
