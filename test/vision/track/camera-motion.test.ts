import { describe, expect, test } from '@jest/globals';
import { cameraShift } from '../../../src/vision/track/camera-motion.ts';
import type { Box } from '../../../src/vision/types.ts';
import { fc } from '../../support/property.ts';

/** People 0.06 wide; the second number is how high. */
const PEOPLE: readonly Box[] = [
  [0.1, 0.3],
  [0.22, 0.35],
  [0.45, 0.4],
  [0.6, 0.3],
  [0.85, 0.45],
].map(([x, h]) => ({ left: x! - 0.03, right: x! + 0.03, top: 0.5, bottom: 0.5 + h! }));
const moved = (boxes: readonly Box[], dx: number, dy: number): Box[] =>
  boxes.map(({ left, top, right, bottom }) => ({
    ...{ left: left + dx, right: right + dx, top: top + dy, bottom: bottom + dy },
  }));

describe('the shift of the camera', () => {
  test.each([
    ['is found to the side', 0.08, 0],
    ['is found over more than the distance of two people', -0.15, 0],
    ['is found downwards', 0, 0.12],
  ])('%s', (_, dx, dy) => {
    const shift = cameraShift(PEOPLE, moved(PEOPLE, dx, dy), 4);
    expect(shift).toEqual({ dx: expect.closeTo(dx, 9), dy: expect.closeTo(dy, 9) });
  });

  test('is found although some people walk and some are missing', () => {
    const after = moved(PEOPLE, 0.1, 0).toSpliced(1, 1);
    after.push(...moved([PEOPLE[1]!], 0.13, 0), ...moved([PEOPLE[0]!], 0.5, 0));
    expect(cameraShift(PEOPLE, after.slice(1), 4)?.dx).toBeCloseTo(0.1, 1);
  });

  test.each([
    ['everybody stands', PEOPLE],
    ['one walks', [...PEOPLE.slice(1), ...moved(PEOPLE.slice(0, 1), 0.1, 0)]],
    [
      'everybody walks in another direction',
      PEOPLE.flatMap((box, i) => moved([box], [0.05, -0.05, 0.1, -0.1, 0][i]!, 0)),
    ],
    ['nobody is detected', []],
  ])('is null if %s', (_, after) => {
    expect(cameraShift(PEOPLE, after, 4)).toBeNull();
  });

  test('is null with too few people', () => {
    const three = PEOPLE.slice(0, 3);
    expect(cameraShift(three, moved(three, 0.1, 0), 4)).toBeNull();
  });

  test('is shorter than one and a half of the highest body for any detections', () => {
    const box = fc
      .tuple(...[0, 0, 0].map(() => fc.double({ min: 0.01, max: 0.9, noNaN: true })))
      .map(([x, y, h]) => ({ left: x!, right: x! + 0.05, top: y!, bottom: y! + h! }));
    fc.assert(
      fc.property(fc.array(box, { maxLength: 8 }), fc.array(box, { maxLength: 8 }), (before, after) => {
        const shift = cameraShift(before, after, 2);
        expect(Math.abs(shift?.dy ?? 0)).toBeLessThan(1.5);
      }),
    );
  });
});
