import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  aspectOf,
  networkScale,
  regionAround,
  sizeForRegion,
  WHOLE_PICTURE,
} from '../../src/vision/region.ts';
import type { Point, QueueZones } from '../../src/vision/types.ts';

const zone = (left: number, top: number, right: number, bottom: number): QueueZones['queueZone'] => ({
  type: 'polygon',
  points: [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ],
});
const SIZES = [
  { width: 512, height: 384 },
  { width: 384, height: 288 },
  { width: 256, height: 192 },
];
const WIDE = { aspect: 16 / 9, networkAspect: 4 / 3 };
const rounded = ({ left, top, width, height }: typeof WHOLE_PICTURE) =>
  [left, top, width, height].map((value) => Number(value.toFixed(3)));

describe('the part of the picture around zones', () => {
  test.each<[string, QueueZones[], number, number[]]>([
    ['no zones: the whole picture', [{}], 0.2, [0, 0, 1, 1]],
    ['a zone that covers everything', [{ queueZone: zone(0, 0, 1, 1) }], 0.1, [0, 0, 1, 1]],
    ['people as tall as the picture', [{ queueZone: zone(0.4, 0.4, 0.6, 0.6) }], 1, [0, 0, 1, 1]],
    // 0.5 ± a height beside, two heights above, one below; then as wide as the network
    ['a zone in the middle', [{ queueZone: zone(0.4, 0.5, 0.6, 0.6) }], 0.1, [0.344, 0.292, 0.313, 0.417]],
    ['a zone at the left edge', [{ queueZone: zone(0, 0.5, 0.1, 0.6) }], 0.1, [0, 0.3, 0.3, 0.4]],
    ['a zone at the bottom corner', [{ checkoutZone: zone(0.9, 0.9, 1, 1) }], 0.1, [0.775, 0.7, 0.225, 0.3]],
    [
      'several scenes: all their zones',
      [
        { queueZone: zone(0, 0.5, 0.1, 0.6) },
        { checkoutZone: zone(0.9, 0.5, 1, 0.6), staffZone: zone(0.4, 0.9, 0.5, 1) },
      ],
      0.1,
      [0, 0, 1, 1],
    ],
  ])('%s', (_, zones, personHeight, expected) => {
    expect(rounded(regionAround(zones, { personHeight, ...WIDE }))).toEqual(expected);
  });

  test('lies in the picture and holds every zone', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const points = fc.array(fc.tuple(share, share) as fc.Arbitrary<Point>, { minLength: 3, maxLength: 8 });
    const aspect = fc.constantFrom(16 / 9, 4 / 3, 9 / 16, 1);
    fc.assert(
      fc.property(points, share, aspect, (corners, personHeight, shape) => {
        const zones = [{ queueZone: { type: 'polygon' as const, points: corners } }];
        const region = regionAround(zones, { personHeight, aspect: shape, networkAspect: 4 / 3 });
        const { left, top, width, height } = region;
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
        expect(left + width).toBeLessThanOrEqual(1 + 1e-9);
        expect(top + height).toBeLessThanOrEqual(1 + 1e-9);
        for (const [x, y] of corners) {
          expect(x).toBeGreaterThanOrEqual(left - 1e-9);
          expect(x).toBeLessThanOrEqual(left + width + 1e-9);
          expect(y).toBeGreaterThanOrEqual(top - 1e-9);
          expect(y).toBeLessThanOrEqual(top + height + 1e-9);
        }
        const size = sizeForRegion(region, shape, SIZES)!;
        const before = networkScale(WHOLE_PICTURE, shape, SIZES[0]!);
        expect(networkScale(region, shape, size)).toBeGreaterThanOrEqual(0.97 * before);
      }),
    );
  });
});

describe('the size for a part of the picture', () => {
  const part = (width: number, height: number) => ({ left: 0, top: 0, width, height });
  test.each([
    ['the whole picture', WHOLE_PICTURE, 512],
    ['slightly less', part(0.9, 0.9), 512],
    ['three quarters of each side', part(0.75, 0.75), 384],
    ['half of each side', part(0.5, 0.5), 256],
    ['a quarter of each side', part(0.25, 0.25), 256],
    ['as high as the picture', part(0.2, 1), 384],
  ])('%s: people get as many pixels as in the whole picture at the largest size', (_, region, width) => {
    expect(sizeForRegion(region, 16 / 9, SIZES)?.width).toBe(width);
  });

  test('a network of one size keeps it', () => {
    expect(sizeForRegion(part(0.2, 0.2), 1, SIZES.slice(0, 1))).toBe(SIZES[0]);
    expect(sizeForRegion(part(0.2, 0.2), 1, [])).toBeUndefined();
  });
});

test('the aspect is that of the whole picture', () => {
  const letterbox = { inputWidth: 512, inputHeight: 384, contentWidth: 512, contentHeight: 288 };
  expect(aspectOf(letterbox)).toBeCloseTo(16 / 9, 6);
  expect(aspectOf({ ...letterbox, region: part({ width: 0.25, height: 0.5 }) })).toBeCloseTo(32 / 9, 6);
});
const part = (size: { width: number; height: number }) => ({ left: 0.1, top: 0.1, ...size });
