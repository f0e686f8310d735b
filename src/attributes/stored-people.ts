import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { addNumber, bitBytes, NumberReader, placesOf } from '../metrics/number-bytes.ts';
import type { AttributeRecord } from '../platform/prisma-client/client.ts';
import {
  ALL_ATTRIBUTE_KEYS,
  type AttributeKey,
  SENSITIVE_GROUPS,
  type SensitiveGroup,
} from '../vision/attributes/keys.ts';
import { type Capture, type CapturedPerson, countAttributes, countKnown, type KeyCounts } from './capture.ts';

/**
 * What a record holds of its people as bytes, an eighth of the same JSON with names. The counts of keys follow from them.
 *
 * | bytes | contents |
 * |---|---|
 * | 1 | one bit for each of the `SENSITIVE_GROUPS` that was determined |
 * | keys | those that the networks in use could tell |
 * | number | of people |
 * | each person | number of its track, left, top, right, bottom, confidence (`number-bytes.ts`), keys that hold, keys that could be told |
 *
 * Keys are places in `KEYS`: 255 and four bytes with a bit for each where they stand in its order, else their number and a byte each.
 */
const IN_ORDER = 255;
const MASK_BYTES = 4;

/** Never change the place of one. */
const KEYS: readonly AttributeKey[] = ALL_ATTRIBUTE_KEYS;

export interface People {
  readonly attributes: KeyCounts;
  readonly known: KeyCounts | null;
  readonly coveredKeys: readonly string[];
  readonly persons: readonly CapturedPerson[];
}

const keys = z.array(z.enum(KEYS)).readonly();
const persons = z
  .array(
    z.object({
      trackId: z.number(),
      box: z.object({ top: z.number(), left: z.number(), right: z.number(), bottom: z.number() }),
      ...{ confidence: z.number(), attributes: keys, known: keys },
    }),
  )
  .readonly();
export const storedCapture = z.object({ atMs: z.number(), persons, coveredKeys: keys });

const counts = z.record(z.enum(KEYS), z.number().nullable()).transform((found) => ordered(found));
const storedPeople = z.object({
  ...{ attributes: counts, known: counts.nullable(), coveredKeys: keys },
  persons: persons.nullish().transform((found) => found ?? []),
});

type Stored = Pick<AttributeRecord, 'people' | 'attributes' | 'known' | 'coveredKeys'> &
  Partial<Pick<AttributeRecord, 'persons'>>;

/** @param groups the sensitive groups that are determined */
export function peopleBytes(
  { persons, coveredKeys }: Pick<Capture, 'persons' | 'coveredKeys'>,
  groups: readonly SensitiveGroup[],
): Uint8Array<ArrayBuffer> {
  const bytes = [
    SENSITIVE_GROUPS.reduce((bits, group, at) => bits | (groups.includes(group) ? 1 << at : 0), 0),
  ];
  addKeys(bytes, coveredKeys);
  addNumber(bytes, persons.length);
  for (const { trackId, box, confidence, attributes, known } of persons) {
    for (const value of [trackId, box.left, box.top, box.right, box.bottom, confidence])
      addNumber(bytes, value);
    addKeys(bytes, attributes);
    addKeys(bytes, known);
  }
  return Uint8Array.from(bytes);
}

/** The people of a record. Rows of version 0.2 have JSON. */
export function peopleOf(row: Stored): People {
  if (!row.people) {
    return storedPeople.parse(row);
  }
  const reader = new NumberReader(row.people, 0);
  const bits = reader.byte();
  const groups = SENSITIVE_GROUPS.filter((_, at) => (bits & (1 << at)) !== 0);
  const coveredKeys = readKeys(reader);
  const persons = Array.from({ length: reader.next() }, (): CapturedPerson => {
    const [trackId, left, top] = [reader.next(), reader.next(), reader.next()];
    const [right, bottom, confidence] = [reader.next(), reader.next(), reader.next()];
    return {
      trackId,
      // In the order of JSON in the database.
      box: { top, left, right, bottom },
      confidence,
      attributes: readKeys(reader),
      known: readKeys(reader),
    };
  });
  return {
    attributes: ordered(countAttributes(persons, groups)),
    known: ordered(countKnown(persons, groups)),
    coveredKeys,
    persons,
  };
}

/** As JSON in the database: short names first. */
const BY_LENGTH = KEYS.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
const ordered = (counts: KeyCounts): KeyCounts =>
  Object.fromEntries(BY_LENGTH.map((key) => [key, counts[key]])) as KeyCounts;

function addKeys(bytes: number[], keys: readonly AttributeKey[]): void {
  const places = keys.map((key) => KEYS.indexOf(key));
  const mask = bitBytes(places, MASK_BYTES);
  const isInOrder = isDeepStrictEqual(placesOf(mask), places);
  bytes.push(...(isInOrder ? [IN_ORDER, ...mask] : [places.length, ...places]));
}

function readKeys(reader: NumberReader): AttributeKey[] {
  const first = reader.byte();
  if (first !== IN_ORDER) return Array.from({ length: first }, () => KEYS[reader.byte()]!);
  const mask = Array.from({ length: MASK_BYTES }, () => reader.byte());
  return placesOf(mask).flatMap((place) => KEYS[place] ?? []);
}
