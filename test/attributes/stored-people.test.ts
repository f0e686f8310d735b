import { expect, test } from '@jest/globals';
import { type CapturedPerson, countAttributes, countKnown } from '../../src/attributes/capture.ts';
import { peopleBytes, peopleOf } from '../../src/attributes/stored-people.ts';
import { ALL_ATTRIBUTE_KEYS, SENSITIVE_GROUPS } from '../../src/vision/attributes/keys.ts';
import { fc } from '../support/property.ts';

const keys = fc.shuffledSubarray([...ALL_ATTRIBUTE_KEYS]);
const share = fc.oneof(fc.constantFrom(0, 1, 0.81), fc.double({ min: 0, max: 1, noNaN: true }));
const person: fc.Arbitrary<CapturedPerson> = fc.record({
  trackId: fc.nat(),
  box: fc.record({ left: share, top: share, right: share, bottom: share }),
  confidence: share,
  attributes: keys,
  known: keys,
});
const none = { attributes: null, known: null, coveredKeys: [] };

test('people come back exactly, with the counts that follow from them', () => {
  fc.assert(
    fc.property(
      fc.array(person, { maxLength: 5 }),
      keys,
      fc.subarray([...SENSITIVE_GROUPS]),
      (persons, coveredKeys, groups) => {
        const people = peopleOf({ ...none, people: peopleBytes({ persons, coveredKeys }, groups) });
        expect(people).toEqual({
          ...{ persons, coveredKeys },
          attributes: countAttributes(persons, groups),
          known: countKnown(persons, groups),
        });
        // The order of JSON in the database, in which records of before are answered.
        expect(Object.keys(people.attributes).slice(0, 4)).toEqual(['hat', 'back', 'male', 'side']);
      },
    ),
  );
});

test('stored records have no names, so that a key never changes its place; one without people in bytes has JSON', () => {
  const [first, last] = [ALL_ATTRIBUTE_KEYS.at(0)!, ALL_ATTRIBUTE_KEYS.at(-1)!];
  expect([ALL_ATTRIBUTE_KEYS.length, first, last]).toEqual([27, 'female', 'upperGray']);
  const one = {
    trackId: 7,
    box: { left: 0, top: 0.25, right: 1, bottom: 1 },
    confidence: 0.8,
    attributes: [last, first],
    known: [],
  };
  const bytes = peopleBytes({ persons: [one], coveredKeys: [first, last] }, ['age']);
  expect(Buffer.from(bytes).toString('hex')).toBe('02ff01000004041c00e90704048119021a00ff00000000');
  const none = Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, null]));
  const json = { attributes: { ...none, female: 1 }, known: null, coveredKeys: ['female'], persons: [one] };
  expect(peopleOf({ ...json, people: null } as never)).toEqual(json);
});
