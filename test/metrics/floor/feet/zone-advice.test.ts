import { describe, expect, test } from '@jest/globals';
import { Area, distanceToEdge, polygonFault } from '../../../../src/catalogue/zones/polygon.ts';
import type { FootPoint } from '../../../../src/metrics/floor/feet/encode-feet.ts';
import { widened } from '../../../../src/metrics/floor/feet/wider-polygon.ts';
import { knownFeet, zoneAdvice } from '../../../../src/metrics/floor/feet/zone-advice.ts';
import type { Point, QueueZones } from '../../../../src/vision/types.ts';
import { fc } from '../../../support/property.ts';

const box = (left: number, top: number, right: number, bottom: number) => ({
  type: 'polygon' as const,
  points: [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const,
});

/** A till: people are served on the floor at the right, and wait at the left. */
const ZONES: QueueZones = { queueZone: box(0.1, 0.6, 0.45, 0.9), checkoutZone: box(0.5, 0.6, 0.8, 0.8) };

/** People who stood around a place, one a minute. */
const people = (count: number, [x, y]: Point, changes: Partial<FootPoint> = {}): FootPoint[] =>
  Array.from({ length: count }, (_, at) => ({
    minute: 1000 + at,
    x: x + 0.015 * ((at % 3) - 1),
    y: y + 0.01 * ((at % 5) - 2),
    feet: 'unknown' as const,
    isStanding: true,
    isShort: true,
    ...changes,
  }));

/** What the counter hides: bodies end above the floor of the checkout. */
const BEHIND_COUNTER = people(20, [0.65, 0.52]);

describe('a zone beside which people are cut off', () => {
  test('gets a proposal that has their places and the zone itself', () => {
    const advice = zoneAdvice([...BEHIND_COUNTER, ...people(20, [0.65, 0.7])], ZONES, false);
    expect(advice).toMatchObject({ zone: 'checkoutZone', share: 0.5 });
    const points = advice!.polygon.points;
    const area = new Area(points);
    expect(BEHIND_COUNTER.filter(({ x, y }) => !area.contains([x, y]))).toEqual([]);
    expect(ZONES.checkoutZone!.points.filter((point) => !area.contains(point))).toEqual([]);
    expect([polygonFault(points), points.length <= 20]).toEqual([null, true]);
    // It does not swallow what lies around.
    expect([area.contains([0.65, 0.4]), area.contains([0.3, 0.75]), area.contains([0.9, 0.55])]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('that is drawn over a counter gets a proposal down to the estimated feet', () => {
    const advice = zoneAdvice(people(20, [0.65, 0.85], { feet: 'estimated' }), ZONES, false);
    expect(advice?.zone).toBe('checkoutZone');
    expect(new Area(advice!.polygon.points).contains([0.65, 0.86])).toBe(true);
  });

  test.each<[string, FootPoint[]]>([
    ['feet that are seen outside: the zone means it so', people(30, [0.65, 0.52], { feet: 'seen' })],
    ['people who walk past', people(30, [0.65, 0.52], { isStanding: false })],
    [
      'whole people behind the zone, whose feet the model does not know',
      people(30, [0.65, 0.52], { isShort: false }),
    ],
    ['a single person', people(5, [0.65, 0.52])],
    ['one minute', people(20, [0.65, 0.52], { minute: 1000 })],
    ['few of many', [...people(5, [0.65, 0.55]), ...people(60, [0.65, 0.7])]],
    ['people far away', people(30, [0.65, 0.3])],
    [
      'places that lie apart',
      Array.from({ length: 6 }, (_, at) => people(2, [0.2 + at * 0.12, 0.52])).flat(),
    ],
    ['nobody', []],
  ])('gets none for %s', (_, points) => expect(zoneAdvice(points, ZONES, false)).toBeNull());

  test('keeps its proposal a little longer than it takes to begin one', () => {
    const some = [...people(10, [0.65, 0.52]), ...people(40, [0.65, 0.7])];
    expect([zoneAdvice(some, ZONES, false), zoneAdvice(some, ZONES, true)?.zone]).toEqual([
      null,
      'checkoutZone',
    ]);
  });

  test('gets none that would take another zone', () => {
    const zones = { ...ZONES, staffZone: box(0.5, 0.5, 0.8, 0.59) };
    expect(zoneAdvice(BEHIND_COUNTER, zones, false)).toBeNull();
    const around = [...people(15, [0.65, 0.4]), ...people(15, [0.65, 0.45])];
    const thin = { ...ZONES, staffZone: box(0.55, 0.46, 0.75, 0.55) };
    expect(zoneAdvice(around, thin, false)).toBeNull();
  });
});

describe('whether feet are known', () => {
  test.each([
    ['too few people', people(29, [0.5, 0.5]), null],
    ['a camera that sees only heads or upper bodies', people(60, [0.5, 0.5]), 'unknown'],
    ['hidden feet that are estimated', people(60, [0.5, 0.5], { feet: 'estimated' }), 'known'],
  ] as const)('%s', (_, points, known) => expect(knownFeet(points)).toBe(known));
});

test('a wider polygon is valid, and has the polygon and most of the points', () => {
  const share = fc.double({ min: 0.02, max: 0.98, noNaN: true });
  const corner = fc.tuple(share, share);
  fc.assert(
    fc.property(
      fc.array(corner, { minLength: 3, maxLength: 8 }),
      fc.array(corner, { minLength: 1, maxLength: 60 }),
      (polygon, outside) => {
        fc.pre(polygonFault(polygon) === null);
        const points = widened(polygon, outside);
        if (!points) return;
        expect([polygonFault(points), points.length <= 20]).toEqual([null, true]);
        expect(points.flat().every((each) => each >= 0 && each <= 1)).toBe(true);
        const area = new Area(points);
        const missed = outside.filter((point) => !area.contains(point));
        expect(missed.length).toBeLessThanOrEqual(0.5 * outside.length);
        for (const point of missed) expect(distanceToEdge(points, point)).toBeLessThan(0.2);
      },
    ),
  );
});

test('one with notches keeps them where nobody stands', () => {
  const notched: Point[] = [
    [0.2, 0.4],
    [0.4, 0.4],
    [0.4, 0.6],
    [0.6, 0.6],
    [0.6, 0.4],
    [0.8, 0.4],
    [0.8, 0.8],
    [0.2, 0.8],
  ];
  const points = widened(notched, [
    [0.28, 0.35],
    [0.3, 0.34],
    [0.32, 0.35],
  ])!;
  const area = new Area(points);
  expect([area.contains([0.3, 0.35]), area.contains([0.5, 0.5])]).toEqual([true, false]);
});
