import {
  ALL_ATTRIBUTE_KEYS,
  ATTRIBUTE_CATEGORIES,
  type AttributeKey,
  type Classification,
  EXCLUSIVE,
} from './keys.ts';

/** What the crops of one person say together. */
export interface PersonAttributes {
  readonly attributes: readonly AttributeKey[];
  /** The keys with a classification. */
  readonly known: readonly AttributeKey[];
  /** 0-1: mean likelihood of the attributes that hold; 0 when none does. */
  readonly confidence: number;
}

/** A key holds from this mean on … */
const HOLDS_FROM = 0.5;
/** … and the strongest of several that exclude each other from this one on. */
const STRONGEST_FROM = 0.4;
/** The detector often misses bags: a quarter of the frames is enough. */
const OFTEN_MISSED: Classification = { handBag: 0.25, backpack: 0.25 };
/** Orientation changes, so old crops lose their weight; clothes stay. */
const PASSING: ReadonlySet<AttributeKey> = new Set(ATTRIBUTE_CATEGORIES.orientation);
const HALF_LIFE_MS = 400;
/** Least mean of an orientation; between two orientations none is known. */
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

/** Adds up the classifications of all crops of one person. */
export class Votes {
  readonly #tallies = new Map<AttributeKey, Tally>();

  /** @param weight above 0: the quality of the crop */
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
      const known = group.flatMap((key) => {
        const mean = means.get(key);
        return mean === undefined ? [] : [{ key, mean }];
      });
      const [strongest] = known.sort((a, b) => b.mean - a.mean);
      if (!strongest) continue;
      const { key, mean } = strongest;
      const least = known.length > 1 ? STRONGEST_FROM : (OFTEN_MISSED[key] ?? HOLDS_FROM);
      if (mean >= least) holding.set(key, mean);
    }
    const sum = [...holding.values()].reduce((total, mean) => total + mean, 0);
    return {
      attributes: ALL_ATTRIBUTE_KEYS.filter((key) => holding.has(key)),
      known: ALL_ATTRIBUTE_KEYS.filter((key) => means.has(key)),
      confidence: holding.size === 0 ? 0 : Math.round((sum / holding.size) * 100) / 100,
    };
  }
}
