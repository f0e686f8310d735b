import { describe, expect, test } from '@jest/globals';
import { Area, type Point, polygonArea, polygonFault } from '../../../src/catalogue/zones/polygon.ts';
import { polygonSchema } from '../../../src/vision/polygon-schema.ts';
import { fc } from '../../support/property.ts';
import { HORSESHOE, rectangle } from './shapes.ts';

const SQUARE = rectangle(0.2, 0.2, 0.6, 0.6);

describe('whether a polygon contains a point', () => {
  test.each<[string, Point[], Point, boolean]>([
    ['the middle', SQUARE, [0.4, 0.4], true],
    ['outside the bounding box', SQUARE, [0.7, 0.4], false],
    ['on the left edge', SQUARE, [0.2, 0.4], true],
    ['on the right edge', SQUARE, [0.6, 0.4], true],
    ['on the top edge', SQUARE, [0.4, 0.2], true],
    ['on the bottom edge', SQUARE, [0.4, 0.6], true],
    ['a corner', SQUARE, [0.6, 0.6], true],
    ['just beside an edge', SQUARE, [0.6000001, 0.4], false],
    ['an arm of a horseshoe', HORSESHOE, [0.2, 0.3], true],
    ['the mouth of a horseshoe', HORSESHOE, [0.5, 0.3], false],
    ['level with corners inside', HORSESHOE, [0.5, 0.7], true],
    ['level with corners outside', HORSESHOE, [0.05, 0.7], false],
    ['below the frame', SQUARE, [0.4, 1.2], false],
  ])('%s', (_, points, point, inside) => {
    expect(new Area(points).contains(point)).toBe(inside);
    expect(new Area(points.toReversed()).contains(point)).toBe(inside);
  });

  test('agrees with the areas of triangles for any convex polygon', () => {
    const coordinate = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(coordinate, coordinate, fc.integer({ min: 3, max: 20 }), (x, y, corners) => {
        const points = Array.from({ length: corners }, (__, i): Point => {
          const angle = (i / corners) * 2 * Math.PI;
          return [0.5 + 0.4 * Math.cos(angle), 0.5 + 0.4 * Math.sin(angle)];
        });
        const around = points.reduce(
          (sum, point, i) => sum + polygonArea([point, points[(i + 1) % corners]!, [x, y]]),
          0,
        );
        const surplus = around - polygonArea(points);
        fc.pre(Math.abs(surplus) > 1e-6);
        expect(new Area(points).contains([x, y])).toBe(surplus < 1e-6);
      }),
    );
  });
});

describe('the fault of a polygon', () => {
  test.each<[string, Point[], RegExp | null]>([
    ['none: a square', SQUARE, null],
    ['none: corners the other way round', SQUARE.toReversed(), null],
    ['none: not convex', HORSESHOE, null],
    ['a bow tie', [SQUARE[0]!, SQUARE[2]!, SQUARE[1]!, SQUARE[3]!], /edges 1 and 3 cross/],
    ['a corner on a far edge', [...SQUARE, [0.4, 0.2]], /cross or touch/],
    [
      'an edge that runs back along another',
      [
        [0.1, 0.1],
        [0.9, 0.1],
        [0.4, 0.1],
        [0.4, 0.8],
      ],
      /cross or touch/,
    ],
    ['the first point again at the end', [...SQUARE, SQUARE[0]!], /points 5 and 1 are the same/],
    [
      'three points on a line',
      [
        [0.1, 0.1],
        [0.5, 0.5],
        [0.9, 0.9],
      ],
      /cross or touch/,
    ],
    [
      'a very small area',
      [
        [0.1, 0.1],
        [0.101, 0.1],
        [0.1, 0.101],
      ],
      /covers less than/,
    ],
  ])('%s', (_, points, fault) => {
    const { error } = polygonSchema.safeParse({ type: 'polygon', points });
    expect(polygonFault(points) === null).toBe(fault === null);
    if (fault) expect(error!.issues[0]!.message).toMatch(fault);
    else expect(error).toBeUndefined();
  });
});
