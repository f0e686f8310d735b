import { expect, test } from '@jest/globals';
import { isLeft, type LeftProposal } from '../../../../src/metrics/floor/feet/left-proposal.ts';
import type { ZoneAdvice } from '../../../../src/metrics/floor/feet/zone-advice.ts';
import type { Point, QueueZones } from '../../../../src/vision/types.ts';

type Zone = ZoneAdvice['zone'];

const rectangle = (left: number, top: number, right: number, bottom: number): [number, number][] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];
const polygon = (points: [number, number][]) => ({ type: 'polygon' as const, points });
const advice = (points: readonly Point[], zone: Zone = 'checkoutZone'): ZoneAdvice => ({
  ...{ zone, share: 0.5, polygon: { type: 'polygon', points } },
});
const left = (points: [number, number][], zone: Zone = 'checkoutZone'): LeftProposal => ({
  ...{ zone, polygon: polygon(points) },
});

const DRAWN = rectangle(0.4, 0.5, 0.7, 0.8);
const ZONES: QueueZones = { checkoutZone: polygon(DRAWN), queueZone: polygon(rectangle(0, 0.5, 0.3, 0.8)) };
const ABOVE = rectangle(0.4, 0.35, 0.7, 0.8);

test('a proposal that was left, and one that differs a little, are left', () => {
  expect(isLeft(advice(ABOVE), ZONES, left(ABOVE))).toBe(true);
  expect(isLeft(advice(rectangle(0.38, 0.32, 0.72, 0.8)), ZONES, left(ABOVE))).toBe(true);
  expect(isLeft(advice(rectangle(0.4, 0.45, 0.7, 0.8)), ZONES, left(ABOVE))).toBe(true);
});

test('a proposal of other places, of another zone, or without one that was left, is shown', () => {
  expect(isLeft(advice(rectangle(0.4, 0.5, 0.7, 0.95)), ZONES, left(ABOVE))).toBe(false);
  expect(isLeft(advice(rectangle(0.4, 0.1, 0.7, 0.8)), ZONES, left(ABOVE))).toBe(false);
  expect(isLeft(advice(ABOVE), ZONES, left(ABOVE, 'queueZone'))).toBe(false);
  expect(isLeft(advice(ABOVE), ZONES, null)).toBe(false);
});

test('what counts is what a proposal adds to the zone as it is drawn now', () => {
  const wider: QueueZones = { checkoutZone: polygon(rectangle(0.4, 0.35, 0.7, 0.8)) };
  expect(isLeft(advice(rectangle(0.4, 0.35, 0.9, 0.8)), wider, left(ABOVE))).toBe(false);
  expect(isLeft(advice(ABOVE), { queueZone: polygon(DRAWN) }, left(ABOVE))).toBe(false);
});
