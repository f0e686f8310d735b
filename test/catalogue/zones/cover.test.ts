import { describe, expect, test } from '@jest/globals';
import { coveredShare, coversWhole } from '../../../src/catalogue/zones/cover.ts';
import { type Point, polygonFault } from '../../../src/catalogue/zones/polygon.ts';
import { fc } from '../../support/property.ts';
import { HORSESHOE, rectangle } from './shapes.ts';

const SLIVER: Point[] = [
  [0, 0],
  [1, 0.999],
  [1, 1],
];

describe('the share of a polygon that is covered by', () => {
  test.each<[string, Point[], Point[], number]>([
    ['itself', HORSESHOE, HORSESHOE, 1],
    ['a larger one', rectangle(0.4, 0.4, 0.6, 0.6), rectangle(0, 0, 1, 1), 1],
    ['its left half', rectangle(0.2, 0.2, 0.6, 0.6), rectangle(0, 0, 0.4, 1), 0.5],
    ['its upper quarter', rectangle(0.2, 0.2, 0.6, 0.6), rectangle(0, 0, 1, 0.3), 0.25],
    ['one beside it', rectangle(0.1, 0.1, 0.2, 0.2), rectangle(0.3, 0.1, 0.4, 0.2), 0],
    ['one in the mouth of a horseshoe', HORSESHOE, rectangle(0.3, 0, 0.7, 0.7), 0],
    ['a horseshoe around it', rectangle(0.3, 0.1, 0.7, 0.7), HORSESHOE, 0],
    ['a horseshoe over its arms', rectangle(0.1, 0.1, 0.9, 0.7), HORSESHOE, 0.5],
    ['(a sliver) the whole frame', SLIVER, rectangle(0, 0, 1, 1), 1],
    ['(a sliver) a polygon elsewhere', SLIVER, rectangle(0.8, 0, 1, 0.2), 0],
    [
      'its left half, with corners the other way round',
      rectangle(0.2, 0.2, 0.6, 0.6),
      rectangle(0, 0, 0.4, 1).toReversed(),
      0.5,
    ],
  ])('%s', (_, points, cover, share) => {
    expect(coveredShare(points, cover)).toBeCloseTo(share, 2);
  });

  test('another rectangle is the product of the shares of the sides', () => {
    const side = fc
      .tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 5, max: 50 }))
      .map(([from, length]) => [from / 100, Math.min(100, from + length) / 100] as const);
    const overlap = (a: readonly [number, number], b: readonly [number, number]) =>
      Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0])) / (a[1] - a[0]);
    fc.assert(
      fc.property(side, side, side, side, (x, y, otherX, otherY) => {
        const share = coveredShare(
          rectangle(x[0], y[0], x[1], y[1]),
          rectangle(otherX[0], otherY[0], otherX[1], otherY[1]),
        );
        expect(Math.abs(share - overlap(x, otherX) * overlap(y, otherY))).toBeLessThan(0.011);
      }),
    );
  });
});

describe('whether a polygon is covered whole, but for a twentieth, by', () => {
  const place = rectangle(0.2, 0.2, 0.6, 0.6);

  test.each<[string, Point[], boolean]>([
    ['itself', place, true],
    ['a larger one', rectangle(0, 0, 1, 1), true],
    ['one that leaves 4 % out', rectangle(0, 0, 0.584, 1), true],
    ['one that leaves 6 % out', rectangle(0, 0, 0.576, 1), false],
    ['one that leaves 6 % out below', rectangle(0, 0, 1, 0.576), false],
    ['one beside it', rectangle(0.6, 0.2, 0.9, 0.6), false],
    ['one inside it', rectangle(0.3, 0.3, 0.5, 0.5), false],
  ])('%s', (_, cover, isCovered) => {
    expect(coversWhole(place, cover)).toBe(isCovered);
  });

  test('any polygon says the same as its share', () => {
    const share = fc.nat(100).map((n) => n / 100);
    const corners = fc.array(fc.tuple(share, share), { minLength: 3, maxLength: 8 });
    const valid = corners.filter((points) => polygonFault(points) === null);
    fc.assert(
      fc.property(valid, valid, (points, cover) => {
        expect(coversWhole(points, cover)).toBe(coveredShare(points, cover) >= 0.95);
        expect(coversWhole(points, points)).toBe(true);
      }),
    );
  });
});
