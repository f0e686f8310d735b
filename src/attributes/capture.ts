import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../vision/attributes/keys.ts';
import type { Box } from '../vision/types.ts';

/** One person of a capture, as it is stored. */
export interface CapturedPerson {
  readonly trackId: number;
  readonly box: Box;
  /** 0-1; 0 where nothing holds. */
  readonly confidence: number;
  readonly attributes: readonly AttributeKey[];
}

/** Who was in the picture at one moment. */
export interface Capture {
  /** Frame time. */
  readonly atMs: number;
  /** At least one. */
  readonly persons: readonly CapturedPerson[];
}

/** Persons per key, all 27 keys. */
export function countAttributes(persons: readonly CapturedPerson[]): Record<AttributeKey, number> {
  const counts = Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, 0])) as Record<
    AttributeKey,
    number
  >;
  for (const { attributes } of persons) for (const key of attributes) counts[key]++;
  return counts;
}

/** `attributesSummary` of an insight. */
export const summaryOf = (persons: readonly CapturedPerson[]) => {
  const { female, male } = countAttributes(persons);
  return { totalPersons: persons.length, genderDistribution: { female, male } };
};
