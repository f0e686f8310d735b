import { describe, expect, test } from '@jest/globals';
import type { MotRow } from '../../../../scripts/evaluate/footage/mot-files.ts';
import { combine, countSequence, scoresOf } from '../../../../scripts/evaluate/tracks/scores.ts';
import { fc } from '../../../support/property.ts';

/** A box 10 wide and 20 high at x. */
const box = (id: number, left: number, more: Partial<MotRow> = {}): MotRow => ({
  frame: 1,
  id,
  left,
  top: 0,
  width: 10,
  height: 20,
  confidence: 1,
  classId: 1,
  ...more,
});
const scored = (truth: readonly MotRow[][], results: readonly MotRow[][]) =>
  scoresOf(countSequence(truth, results));
const repeat = (frames: number, rows: (frame: number) => MotRow[]) =>
  Array.from({ length: frames }, (_, frame) => rows(frame));

describe('scores of tracks', () => {
  const two = repeat(10, (t) => [box(1, t), box(2, 100 + t)]);

  test('the truth itself has perfect scores', () => {
    expect(scored(two, two)).toEqual({
      ...{ hota: 100, detA: 100, assA: 100, mota: 100, idf1: 100 },
      ...{ idSwitches: 0, fragments: 0, falsePositives: 0, falseNegatives: 0 },
    });
  });

  test('without results all scores are 0', () => {
    expect(
      scored(
        two,
        repeat(10, () => []),
      ),
    ).toMatchObject({ hota: 0, mota: 0, idf1: 0, falseNegatives: 20 });
  });

  test('results where nobody is are false positives', () => {
    expect(
      scored(
        repeat(10, () => []),
        two,
      ),
    ).toMatchObject({ hota: 0, idf1: 0, falsePositives: 20 });
  });

  test('an id that changes in the middle halves association and identity and is one switch', () => {
    const truth = repeat(10, () => [box(1, 0)]);
    const results = repeat(10, (t) => [box(t < 5 ? 7 : 8, 0)]);
    expect(scored(truth, results)).toMatchObject({
      ...{ detA: 100, assA: 50, mota: 90, idf1: 50, idSwitches: 1 },
      hota: expect.closeTo(100 * Math.SQRT1_2, 3),
    });
  });

  test('two people who swap ids are two switches', () => {
    const results = repeat(10, (t) => [box(t < 5 ? 1 : 2, t), box(t < 5 ? 2 : 1, 100 + t)]);
    expect(scored(two, results)).toMatchObject({
      idSwitches: 2,
      mota: 90,
      idf1: 50,
      assA: expect.closeTo(33.333, 3),
    });
  });

  test('a gap is a fragment and no switch', () => {
    const results = repeat(10, (t) => [box(1, t), ...(t === 5 ? [] : [box(2, 100 + t)])]);
    expect(scored(two, results)).toMatchObject({ idSwitches: 0, fragments: 1, mota: 95 });
  });

  test('an IoU of .6 counts at the 12 of 19 thresholds up to .6', () => {
    const truth = repeat(4, () => [box(1, 0)]);
    const results = repeat(4, () => [box(1, 2.5)]);
    expect(scored(truth, results)).toMatchObject({
      hota: expect.closeTo((100 * 12) / 19, 3),
      mota: 100,
    });
  });

  test.each([
    { name: 'a distractor', truth: { classId: 8 }, expected: { falsePositives: 0, falseNegatives: 0 } },
    { name: 'somebody sitting in a car', truth: { classId: 7 }, expected: { falsePositives: 0 } },
    { name: 'a car', truth: { classId: 3 }, expected: { falsePositives: 4 } },
    { name: 'a person not to be evaluated', truth: { confidence: 0 }, expected: { falsePositives: 4 } },
  ])('a result for $name has the expected counts', ({ truth: more, expected }) => {
    const truth = repeat(4, () => [box(1, 0), box(2, 100, more)]);
    expect(
      scored(
        truth,
        repeat(4, () => [box(1, 0), box(2, 100)]),
      ),
    ).toMatchObject(expected);
  });

  test('two boxes of one id in a frame are refused', () => {
    expect(() =>
      scored(
        repeat(1, () => [box(1, 0)]),
        repeat(1, () => [box(3, 0), box(3, 50)]),
      ),
    ).toThrow('The results give id 3 two boxes in frame 1.');
  });

  test('over several sequences counts add up, and association is weighted by true positives', () => {
    const short = countSequence(
      repeat(10, () => [box(1, 0)]),
      repeat(10, (t) => [box(t < 5 ? 7 : 8, 0)]),
    );
    const long = countSequence(
      repeat(30, () => [box(1, 0)]),
      repeat(30, () => [box(1, 0)]),
    );
    expect(scoresOf(combine([short, long]))).toMatchObject({
      assA: 87.5,
      idf1: 87.5,
      mota: 97.5,
      idSwitches: 1,
    });
  });

  test('scores do not depend on the ids themselves nor on the order of rows', () => {
    const frame = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(frame, frame), { minLength: 1, maxLength: 8 }), (frames) => {
        const truth = frames.map(([ids]) => ids.map((id) => box(id, 30 * id)));
        const results = frames.map(([, ids]) => ids.map((id) => box(id, 30 * id + id)));
        const renamed = results.map((rows) => rows.map((row) => ({ ...row, id: 90 - 7 * row.id })).reverse());
        expect(scored(truth, renamed)).toEqual(scored(truth, results));
      }),
    );
  });
});
