import { ALL_ATTRIBUTE_KEYS, ATTRIBUTE_CATEGORIES, type AttributeKey } from '../vision/attributes/keys.ts';
import type { Box } from '../vision/types.ts';

/** The keys that statistics are kept of. */
export const SUMMED_KEYS: readonly AttributeKey[] = [
  ...ATTRIBUTE_CATEGORIES.gender,
  ...ATTRIBUTE_CATEGORIES.age,
];

/** One person of a capture, as it is stored. */
export interface CapturedPerson {
  readonly trackId: number;
  readonly box: Box;
  /** 0-1; 0 where nothing holds. */
  readonly confidence: number;
  readonly attributes: readonly AttributeKey[];
  /** Keys that could be told, whether they hold or not. */
  readonly known: readonly AttributeKey[];
}

/** Who was in the picture at one moment. */
export interface Capture {
  /** Frame time. */
  readonly atMs: number;
  /** At least one. */
  readonly persons: readonly CapturedPerson[];
  /** The keys that the networks in use can tell at all. */
  readonly coveredKeys: readonly AttributeKey[];
}

export type KeyCounts = Record<AttributeKey, number>;

/** Persons of whom each key holds, all 27 keys. */
export const countAttributes = (persons: readonly CapturedPerson[]): KeyCounts =>
  countKeys(persons.flatMap(({ attributes }) => attributes));

/** Persons of whom each key could be told, whether it holds or not, all 27 keys. */
export const countKnown = (persons: readonly CapturedPerson[]): KeyCounts =>
  countKeys(persons.flatMap(({ known }) => known));

function countKeys(keys: readonly AttributeKey[]): KeyCounts {
  const counts = Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, 0])) as KeyCounts;
  for (const key of keys) counts[key]++;
  return counts;
}

type GenderCounts = Pick<KeyCounts, 'female' | 'male'>;

/** `attributesSummary` of an insight, as it is stored. */
export interface AttributesSummary {
  readonly totalPersons: number;
  readonly genderDistribution: GenderCounts;
  /** Of how many persons it could be told; null where that was not recorded. */
  readonly known: GenderCounts | null;
}

const gendersOf = ({ female, male }: GenderCounts): GenderCounts => ({ female, male });

export const summaryOf = (
  totalPersons: number,
  counts: GenderCounts,
  known: GenderCounts | null,
): AttributesSummary => ({
  totalPersons,
  genderDistribution: gendersOf(counts),
  known: known && gendersOf(known),
});
