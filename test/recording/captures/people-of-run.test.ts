import { describe, expect, test } from '@jest/globals';
import { PeopleOfRun } from '../../../src/recording/captures/people-of-run.ts';
import type { AttributeKey } from '../../../src/vision/attributes/keys.ts';

const box = { left: 0.1, top: 0.1, right: 0.2, bottom: 0.6 };
const COVERED: readonly AttributeKey[] = ['front', 'upperRed'];
const frame = (timeMs: number, ...ids: number[]) => ({
  timeMs,
  tracks: ids.map((id) => ({ id, box, zone: null })),
});
const told = (trackId: number, classifiedAtMs: number, ...attributes: AttributeKey[]) => ({
  trackId,
  classifiedAtMs,
  attributes,
  known: attributes,
  confidence: 0.9,
});

/** One frame every 200 ms with these people. */
function watch(people: PeopleOfRun, [fromMs, toMs]: readonly [number, number], ...ids: number[]) {
  const captures = [];
  for (let timeMs = fromMs; timeMs < toMs; timeMs += 200) {
    people.observe(frame(timeMs, ...ids));
    const capture = people.takeCapture();
    if (capture) captures.push(capture);
  }
  return captures;
}

describe('PeopleOfRun', () => {
  test('captures at every full ten seconds, once everybody was looked at', () => {
    const people = new PeopleOfRun(COVERED);
    expect(watch(people, [9_000, 12_200], 1, 2)).toEqual([]);
    people.learn([told(1, 10_000, 'upperRed', 'front')]);
    const [capture, ...others] = watch(people, [12_200, 20_000], 1, 2, 3);
    expect(others).toEqual([]);
    expect(capture).toEqual({
      atMs: 10_000,
      persons: [
        {
          trackId: 1,
          box,
          confidence: 0.9,
          attributes: ['upperRed', 'front'],
          known: ['upperRed', 'front'],
        },
        { trackId: 2, box, confidence: 0, attributes: [], known: [] },
      ],
      coveredKeys: COVERED,
    });
    expect(people.coverage(['embedded'])).toMatchObject({ persons: 2, coverage: { upperRed: 0.5, hat: 0 } });
  });

  test('a key that was told and does not hold is known all the same', () => {
    const people = new PeopleOfRun(COVERED);
    people.observe(frame(9_000, 1, 2));
    people.learn([{ ...told(1, 9_000), known: ['upperRed'] }]);
    const [capture] = watch(people, [9_200, 13_000], 1, 2);
    expect(capture?.persons.map(({ attributes, known }) => ({ attributes, known }))).toEqual([
      { attributes: [], known: ['upperRed'] },
      { attributes: [], known: [] },
    ]);
    expect(people.coverage(['embedded'])).toMatchObject({
      coveredKeys: COVERED,
      coverage: { upperRed: 0.5, front: 0 },
    });
  });

  test('nobody there, nothing captured; the first frame is no moment of capture', () => {
    const people = new PeopleOfRun(COVERED);
    expect(watch(people, [10_000, 19_900], 1)).toEqual([]);
    expect(watch(people, [20_000, 29_000])).toEqual([]);
    expect(people.coverage([])).toBeNull();
    expect(people.captureOf(frame(29_000))).toBeNull();
  });

  test('which way somebody is turned is not known from an old look, what they wear is', () => {
    const people = new PeopleOfRun(COVERED);
    people.observe(frame(1_000, 1));
    people.learn([told(1, 1_000, 'upperRed', 'front')]);
    expect(people.captureOf(frame(4_000, 1))?.persons[0]?.attributes).toEqual(['upperRed', 'front']);
    const [later] = people.captureOf(frame(4_200, 1))!.persons;
    expect([later?.attributes, later?.known]).toEqual([['upperRed'], ['upperRed']]);
  });

  test('who was away for a minute is forgotten', () => {
    const people = new PeopleOfRun(COVERED);
    people.observe(frame(1_000, 1));
    people.learn([told(1, 1_000, 'hat')]);
    people.observe(frame(62_000, 2));
    expect(people.attributesOf(1, 62_000)).toBeNull();
  });
});
