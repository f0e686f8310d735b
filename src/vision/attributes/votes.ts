import {
  ALL_ATTRIBUTE_KEYS,
  ATTRIBUTE_CATEGORIES,
  type AttributeKey,
  type Classification,
  EXCLUSIVE,
} from './keys.ts';

/** What is held of one person. */
export interface PersonAttributes {
  readonly attributes: readonly AttributeKey[];
  /** Keys about which anything could be said. */
  readonly known: readonly AttributeKey[];
  /** 0-1: how sure, on average, the attributes that hold are; 0 when none does. */
  readonly confidence: number;
}

const HOLDS_FROM = 0.5;
/** Of several that exclude each other the strongest holds already from here on. */
const STRONGEST_FROM = 0.4;
/** Bags are often missed: seen in a quarter of the frames is seen. */
const OFTEN_MISSED: Classification = { handBag: 0.25, backpack: 0.25 };
/** People turn round; what they wear stays. */
const PASSING: ReadonlySet<AttributeKey> = new Set(ATTRIBUTE_CATEGORIES.orientation);
const HALF_LIFE_MS = 400;
/** Which way somebody is turned is told only when it is as sure as this: between two ways it is neither. */
const SURE_FROM = 0.65;

const GROUPS: readonly (readonly AttributeKey[])[] = [
  ...EXCLUSIVE,
  ...ALL_ATTRIBUTE_KEYS.filter((key) => !EXCLUSIVE.flat().includes(key)).map((key) => [key]),
];

interface Tally {
  sum: number;
  weight: number;
  atMs: number;
}

/** The classifications of all looks at one person, added up. */
export class Votes {
  readonly #tallies = new Map<AttributeKey, Tally>();

  /** @param weight above 0: how good the look was */
  add(classification: Classification, { timeMs, weight }: { timeMs: number; weight: number }): void {
    for (const key of ALL_ATTRIBUTE_KEYS) {
      const value = classification[key];
      if (value === undefined) continue;
      const tally = this.#tallies.get(key) ?? { sum: 0, weight: 0, atMs: timeMs };
      const kept = PASSING.has(key) ? 0.5 ** ((timeMs - tally.atMs) / HALF_LIFE_MS) : 1;
      tally.sum = tally.sum * kept + weight * value;
      tally.weight = tally.weight * kept + weight;
      tally.atMs = timeMs;
      this.#tallies.set(key, tally);
    }
  }

  result(): PersonAttributes {
    const means = new Map([...this.#tallies].map(([key, { sum, weight }]) => [key, sum / weight]));
    const isUnsure = ATTRIBUTE_CATEGORIES.orientation.every((key) => (means.get(key) ?? 0) < SURE_FROM);
    if (isUnsure) for (const key of PASSING) means.delete(key);
    const holding = new Map<AttributeKey, number>();
    for (const group of GROUPS) {
      const known = group.filter((key) => means.has(key)).sort((a, b) => means.get(b)! - means.get(a)!);
      const [strongest] = known;
      if (!strongest) continue;
      const least = known.length > 1 ? STRONGEST_FROM : (OFTEN_MISSED[strongest] ?? HOLDS_FROM);
      if (means.get(strongest)! >= least) holding.set(strongest, means.get(strongest)!);
    }
    const sum = [...holding.values()].reduce((total, mean) => total + mean, 0);
    return {
      attributes: ALL_ATTRIBUTE_KEYS.filter((key) => holding.has(key)),
      known: ALL_ATTRIBUTE_KEYS.filter((key) => means.has(key)),
      confidence: holding.size === 0 ? 0 : Math.round((sum / holding.size) * 100) / 100,
    };
  }
}
