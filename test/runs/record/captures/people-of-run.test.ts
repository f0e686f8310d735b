import { describe, expect, test } from '@jest/globals';
import { PeopleOfRun } from '../../../../src/runs/record/captures/people-of-run.ts';
import type { AttributeKey } from '../../../../src/vision/attributes/keys.ts';

const box = { left: 0.1, top: 0.1, right: 0.2, bottom: 0.6 };
const COVERED: readonly AttributeKey[] = ['front', 'upperRed'];
const frame = (timeMs: number, ...ids: number[]) => ({
  timeMs,
  tracks: ids.map((id) => ({ id, box, zone: null })),
});
const classified = (trackId: number, classifiedAtMs: number, ...attributes: AttributeKey[]) => ({
  trackId,
  classifiedAtMs,
  attributes,
  known: attributes,
  confidence: 0.9,
});

/** Observes one frame every 200 ms with these people. */
function watch(people: PeopleOfRun, [fromMs, toMs]: readonly [number, number], ...ids: number[]) {
  const captures = [];
  for (let timeMs = fromMs; timeMs < toMs; timeMs += 200) {
    people.observe(frame(timeMs, ...ids));
    const capture = people.takeCapture();
    if (capture) captures.push(capture);
  }
  return captures;
}

describe('the people of a run', () => {
  test('are captured every full ten seconds, after the lane had time to classify them', () => {
    const people = new PeopleOfRun(COVERED);
    expect(watch(people, [9_000, 12_200], 1, 2)).toEqual([]);
    people.learn([classified(1, 10_000, 'upperRed', 'front')]);
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

  test('have known keys that do not apply to them', () => {
    const people = new PeopleOfRun(COVERED);
    people.observe(frame(9_000, 1, 2));
    people.learn([{ ...classified(1, 9_000), known: ['upperRed'] }]);
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

  test('are not captured when there is nobody, nor at the first frame', () => {
    const people = new PeopleOfRun(COVERED);
    expect(watch(people, [10_000, 19_900], 1)).toEqual([]);
    expect(watch(people, [20_000, 29_000])).toEqual([]);
    expect(people.coverage([])).toBeNull();
    expect(people.captureOf(frame(29_000))).toBeNull();
  });

  test('keep what they wear from an old classification, but not their orientation', () => {
    const people = new PeopleOfRun(COVERED);
    people.observe(frame(1_000, 1));
    people.learn([classified(1, 1_000, 'upperRed', 'front')]);
    expect(people.captureOf(frame(4_000, 1))?.persons[0]?.attributes).toEqual(['upperRed', 'front']);
    const [later] = people.captureOf(frame(4_200, 1))!.persons;
    expect([later?.attributes, later?.known]).toEqual([['upperRed'], ['upperRed']]);
  });

  test('are forgotten after a minute without a detection', () => {
    const people = new PeopleOfRun(COVERED);
    people.observe(frame(1_000, 1));
    people.learn([classified(1, 1_000, 'hat')]);
    people.observe(frame(62_000, 2));
    expect(people.attributesOf(1, 62_000)).toBeNull();
  });
});
