import {
  ALL_ATTRIBUTE_KEYS,
  ATTRIBUTE_CATEGORIES,
  type AttributeKey,
  keysWithin,
  type SensitiveGroup,
} from '../vision/attributes/keys.ts';
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

/** Null for the keys of a group that is switched off. */
export type KeyCounts = Record<AttributeKey, number | null>;

/** What may be stored of a capture. @param groups the sensitive groups that are determined */
export const captureWithin = <Captured extends Capture>(
  capture: Captured,
  groups: readonly SensitiveGroup[],
): Captured => ({
  ...capture,
  coveredKeys: keysWithin(capture.coveredKeys, groups),
  persons: capture.persons.map((person) => ({
    ...person,
    attributes: keysWithin(person.attributes, groups),
    known: keysWithin(person.known, groups),
  })),
});

/** For all 27 keys, the number of persons of whom the key holds. */
export const countAttributes = (
  persons: readonly CapturedPerson[],
  groups: readonly SensitiveGroup[],
): KeyCounts =>
  countKeys(
    persons.flatMap(({ attributes }) => attributes),
    groups,
  );

/** For all 27 keys, the number of persons of whom the key could be told, whether it holds or not. */
export const countKnown = (
  persons: readonly CapturedPerson[],
  groups: readonly SensitiveGroup[],
): KeyCounts =>
  countKeys(
    persons.flatMap(({ known }) => known),
    groups,
  );

function countKeys(keys: readonly AttributeKey[], groups: readonly SensitiveGroup[]): KeyCounts {
  const on = keysWithin(ALL_ATTRIBUTE_KEYS, groups);
  const count = (key: AttributeKey) => keys.filter((each) => each === key).length;
  return Object.fromEntries(
    ALL_ATTRIBUTE_KEYS.map((key) => [key, on.includes(key) ? count(key) : null]),
  ) as KeyCounts;
}

/** The counts of an older capture without those of groups that were switched off since. */
export function countsWithin(counts: KeyCounts, groups: readonly SensitiveGroup[]): KeyCounts {
  const on = keysWithin(ALL_ATTRIBUTE_KEYS, groups);
  return Object.fromEntries(
    ALL_ATTRIBUTE_KEYS.map((key) => [key, on.includes(key) ? counts[key] : null]),
  ) as KeyCounts;
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
