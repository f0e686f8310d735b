import { ALL_ATTRIBUTE_KEYS, ATTRIBUTE_CATEGORIES, type AttributeKey } from '../vision/attributes/keys.ts';
import type { Box } from '../vision/types.ts';

/** The keys with statistics. */
export const SUMMED_KEYS: readonly AttributeKey[] = [
  ...ATTRIBUTE_CATEGORIES.gender,
  ...ATTRIBUTE_CATEGORIES.age,
];

/** A person of a capture, as stored. */
export interface CapturedPerson {
  readonly trackId: number;
  readonly box: Box;
  /** 0-1; 0 where no key holds. */
  readonly confidence: number;
  readonly attributes: readonly AttributeKey[];
  /** Keys that could be told, whether they hold or not. */
  readonly known: readonly AttributeKey[];
}

/** The persons in the frame at one moment. */
export interface Capture {
  /** Frame time. */
  readonly atMs: number;
  /** At least one person. */
  readonly persons: readonly CapturedPerson[];
  /** Keys that the attribute models in use can tell. */
  readonly coveredKeys: readonly AttributeKey[];
}

export type KeyCounts = Record<AttributeKey, number>;

/** For all 27 keys, the number of persons of whom the key holds. */
export const countAttributes = (persons: readonly CapturedPerson[]): KeyCounts =>
  countKeys(persons.flatMap(({ attributes }) => attributes));

/** For all 27 keys, the number of persons of whom the key could be told, whether it holds or not. */
export const countKnown = (persons: readonly CapturedPerson[]): KeyCounts =>
  countKeys(persons.flatMap(({ known }) => known));

function countKeys(keys: readonly AttributeKey[]): KeyCounts {
  const counts = Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, 0])) as KeyCounts;
  for (const key of keys) counts[key]++;
  return counts;
}

type GenderCounts = Pick<KeyCounts, 'female' | 'male'>;

/** `attributesSummary` of an insight, as stored. */
export interface AttributesSummary {
  readonly totalPersons: number;
  readonly genderDistribution: GenderCounts;
  /** The number of persons of whom the gender could be told; null in older records. */
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
