import { describe, expect, test } from '@jest/globals';
import { sceneWarnings } from '../../../src/cameras/scenes/scene-warnings.ts';
import { type Point, polygonFault } from '../../../src/catalogue/zones/polygon.ts';
import { snapped } from '../../../src/page/cameras/zones/geometry.ts';
import {
  drawingFaults,
  isQueueAround,
  shapesOf,
  type Zones,
} from '../../../src/page/cameras/zones/shapes.ts';
import { polygonSchema } from '../../../src/vision/polygon-schema.ts';
import { zonesSchema } from '../../../src/vision/scene-config.ts';
import { fc } from '../../support/property.ts';

const square = (left: number, top: number, size: number): Point[] => [
  [left, top],
  [left + size, top],
  [left + size, top + size],
  [left, top + size],
];
/** Places on a coarse grid meet and overlap often; the others hardly ever. */
const coarse = fc.nat(4).map((n) => n / 4);
const share = fc.oneof(coarse, fc.double({ min: 0, max: 1, noNaN: true }));
const point = fc.tuple(share, share);
const points = fc.array(point, { minLength: 1, maxLength: 22 });

describe('faults of a polygon', () => {
  test.each<[string, Point[], unknown]>([
    ['a square', square(0.1, 0.1, 0.5), null],
    [
      'two points',
      [
        [0, 0],
        [1, 1],
      ],
      { kind: 'tooFew' },
    ],
    ['21 points', Array.from({ length: 21 }, (_, at): Point => [at / 30, at % 2]), { kind: 'tooMany' }],
    [
      'a point outside',
      [
        [0, 0],
        [1.2, 0],
        [0, 1],
      ],
      { kind: 'outside' },
    ],
    [
      'a point that is not a number',
      [
        [0, 0],
        [Number.NaN, 0],
        [0, 1],
      ],
      { kind: 'outside' },
    ],
    [
      'a point twice',
      [
        [0, 0],
        [0, 0],
        [0, 1],
      ],
      { kind: 'samePoints', first: 0, second: 1 },
    ],
    [
      'a bow tie',
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
      { kind: 'crossing', first: 0, second: 2 },
    ],
    ['a speck', square(0.5, 0.5, 0.005), { kind: 'tooSmall' }],
  ])('%s', (_name, of, fault) => expect(polygonFault(of)).toEqual(fault));

  test('the editor accepts exactly what the API accepts', () => {
    fc.assert(
      fc.property(points, (of) => {
        const accepted = polygonSchema.safeParse({ type: 'polygon', points: of }).success;
        expect(polygonFault(of) === null).toBe(accepted);
      }),
    );
  });
});

describe('faults of a drawing', () => {
  const zone = (of: Point[]) => ({ type: 'polygon' as const, points: of });
  const till = (id: string, left: number, size: number) => ({
    id,
    name: id,
    ...zone(square(left, 0.1, size)),
  });
  const faultsOf = (zones: Zones) => drawingFaults(shapesOf({ zones, privacyMask: [] }), true);

  test.each<[string, Zones]>([
    ['no zone', {}],
    ['only a staff zone', { staffZone: zone(square(0, 0, 0.2)) }],
    ['a queue zone', { queueZone: zone(square(0, 0, 0.5)) }],
    [
      'a staff zone over the whole queue zone',
      { queueZone: zone(square(0.1, 0.1, 0.3)), staffZone: zone(square(0, 0, 0.5)) },
    ],
    [
      'a staff zone over half of the queue zone',
      { queueZone: zone(square(0.1, 0.1, 0.4)), staffZone: zone(square(0.3, 0.1, 0.4)) },
    ],
    [
      'a checkout zone that crosses itself',
      {
        checkoutZone: zone([
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
        ]),
      },
    ],
    ['two tills that touch', { tills: [till('a', 0, 0.5), till('b', 0.5, 0.5)] }],
    ['two tills that overlap by a twentieth', { tills: [till('a', 0, 0.4), till('b', 0.38, 0.4)] }],
    ['two tills that overlap by a fifth', { tills: [till('a', 0, 0.4), till('b', 0.32, 0.4)] }],
    ['a name twice', { tills: [till('a', 0, 0.3), { ...till('b', 0.5, 0.3), name: 'a' }] }],
    ['a till without a name', { tills: [{ ...till('a', 0, 0.3), name: ' ' }] }],
    ['a staff zone over a till', { tills: [till('a', 0.1, 0.3)], staffZone: zone(square(0, 0, 0.5)) }],
    ['a staff side over its till', { tills: [{ ...till('a', 0.1, 0.3), staffPoints: square(0, 0, 0.5) }] }],
    [
      'a staff side beside its till',
      { tills: [{ ...till('a', 0.1, 0.3), staffPoints: square(0.4, 0.1, 0.3) }] },
    ],
    [
      'a staff side outside of the picture',
      { tills: [{ ...till('a', 0, 0.3), staffPoints: square(0.9, 0, 0.3) }] },
    ],
    ['a till that is a speck', { tills: [till('a', 0, 0.005)] }],
  ])('%s', (_name, zones) => {
    expect(faultsOf(zones).length === 0).toBe(zonesSchema.safeParse(zones).success);
  });

  test.each<[string, Zones, boolean]>([
    ['no zone', {}, false],
    [
      'a queue around the service',
      { queueZone: zone(square(0, 0, 0.9)), checkoutZone: zone(square(0.3, 0.3, 0.2)) },
      true,
    ],
    [
      'a queue beside the service',
      { queueZone: zone(square(0, 0, 0.3)), checkoutZone: zone(square(0.3, 0.3, 0.2)) },
      false,
    ],
    ['a queue alone', { queueZone: zone(square(0, 0, 0.9)) }, false],
  ])('%s is warned about as the API does', (_name, zones, isWarned) => {
    expect(isQueueAround(shapesOf({ zones, privacyMask: [] }))).toBe(isWarned);
    expect(sceneWarnings({ zones } as Parameters<typeof sceneWarnings>[0])).toHaveLength(isWarned ? 1 : 0);
  });

  test('a polygon that crosses itself surrounds nothing yet', () => {
    const crossing = zone([
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
    ]);
    const zones = { queueZone: crossing, checkoutZone: crossing };
    expect(isQueueAround(shapesOf({ zones, privacyMask: [] }))).toBe(false);
  });

  test('masks alone need no zone', () => expect(drawingFaults([], false)).toEqual([]));
});

describe('snapping', () => {
  const other = square(0.4, 0.4, 0.2);
  const reach = { x: 0.02, y: 0.04 };

  test.each<[string, Point, Point]>([
    ['a corner of another zone', [0.41, 0.42], [0.4, 0.4]],
    ['an edge of another zone', [0.5, 0.43], [0.5, 0.4]],
    ['the left edge of the picture', [0.015, 0.7], [0, 0.7]],
    ['the lower edge of the picture', [0.2, 0.97], [0.2, 1]],
    ['a corner of the picture', [0.99, 0.98], [1, 1]],
    ['nothing near', [0.2, 0.2], [0.2, 0.2]],
  ])('%s', (_name, at, to) => expect(snapped(at, [other], reach)).toEqual(to));
});
