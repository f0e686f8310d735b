import { describe, expect, test } from '@jest/globals';
import { tillOf } from '../../../src/vision/tills/till-stays.ts';
import type { QueueZones } from '../../../src/vision/types.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import { fc } from '../../support/property.ts';
import { PARAMETERS, path, walk, ZONES } from '../zones/walk.ts';

const till = (id: string, left: number, right: number) => ({
  ...{ id, name: id, type: 'polygon' as const, points: rectangle(left, 0.2, right, 0.95) },
});
/** The queue, till c where the checkout is, and till d beside it. */
const TILLS: QueueZones = {
  queueZone: ZONES.queueZone,
  tills: [till('c', 0.4001, 0.6), till('d', 0.6001, 0.78)],
};
const ONE: QueueZones = { queueZone: ZONES.queueZone, tills: [till('c', 0.4001, 0.6)] };
const WITH_CHECKOUT: QueueZones = { ...TILLS, checkoutZone: till('', 0.4, 0.95) };

const at = (way: string, zones = TILLS) => walk([path(way)], { zones, stop: true });

describe('a visit', () => {
  test('knows its till, from the first to the last frame there', () => {
    const [visit] = at('q50 d50 o50');
    expect(visit).toMatchObject({
      outcome: 'completed',
      serviceStartedAtMs: 10_000,
      serviceEndedAtMs: 19_800,
    });
    expect(visit!.services).toEqual([{ tillId: 'd', startedAtMs: 10_000, endedAtMs: 19_800 }]);
    expect(tillOf(visit!, 0)).toBe('d');
  });

  test('with one till is as with the checkout zone in its place, but for the till', () => {
    const ways = ['q50 c50 o50', 'q50 o50', 'c40 o9 c40 o50', 'q20 c10 q50 c30', 'c50 o2 c50'];
    for (const way of ways) {
      const without = at(way, ZONES);
      expect(at(way, ONE).map(({ services: _, ...visit }) => visit)).toEqual(without);
      expect(without.every((visit) => !('services' in visit))).toBe(true);
    }
  });

  test('of a customer who is sent to another till is one, with the service times of both', () => {
    const [visit, ...others] = at('q50 c40 o10 d60 o60');
    expect(others).toEqual([]);
    expect(visit!.services).toEqual([
      { tillId: 'c', startedAtMs: 10_000, endedAtMs: 17_800 },
      { tillId: 'd', startedAtMs: 20_000, endedAtMs: 31_800 },
    ]);
    expect(visit).toMatchObject({
      serviceStartedAtMs: 10_000,
      serviceEndedAtMs: 31_800,
      outcome: 'completed',
    });
    expect(tillOf(visit!, 0)).toBe('d');
  });

  test('ends at the first till where the second is reached too late', () => {
    expect(at('q50 c40 o40 d60 o60').map(({ services }) => services!.map(({ tillId }) => tillId))).toEqual([
      ['c'],
      ['d'],
    ]);
  });

  test('is not served at a till that is only passed', () => {
    expect(at('q50 d8 c50 o60')[0]!.services!.map(({ tillId }) => tillId)).toEqual(['c']);
    expect(at('q50 c50 d8 o60')[0]!.services!.map(({ tillId }) => tillId)).toEqual(['c']);
  });

  test('who stands at the edge of two tills stays at the first one', () => {
    expect(at(`q50 ${'c4 d3 '.repeat(20)}o60`)[0]!.services!.map(({ tillId }) => tillId)).toEqual(['c']);
  });

  test('in the checkout zone and at no till is served at no till', () => {
    const [visit] = at('q50 o60', WITH_CHECKOUT);
    expect(visit).toMatchObject({ state: 'closed', serviceStartedAtMs: 10_000, services: [] });
    expect(tillOf(visit!, 0)).toBeNull();
  });

  test('who left the till when the run stops was served', () => {
    expect(at('q50 c40 o20')[0]).toMatchObject({ outcome: 'completed', serviceEndedAtMs: 17_800 });
    expect(at('q50 c40 o10 d10')[0]).toMatchObject({ outcome: 'completed', serviceEndedAtMs: 17_800 });
  });

  test('nobody is served where the staff stand', () => {
    const staffPoints = rectangle(0.45, 0.6, 0.55, 0.8);
    const zones = { tills: [{ ...till('c', 0.4001, 0.6), staffPoints }] };
    expect(at('c100', zones)).toEqual([]);
  });
});

test('whatever the way, services lie in their visit, one after the other, and each is at least as long as the entry threshold', () => {
  const part = fc.tuple(fc.constantFrom('q', 'c', 'd', 'o', '.'), fc.integer({ min: 1, max: 60 }));
  const ways = fc.array(part, { minLength: 1, maxLength: 25 });
  fc.assert(
    fc.property(ways, fc.constantFrom(TILLS, ONE, WITH_CHECKOUT), (parts, zones) => {
      const way = parts.map(([place, frames]) => place.repeat(frames)).join('');
      for (const visit of walk([way], { zones, stop: true })) {
        let before = visit.serviceStartedAtMs ?? 0;
        for (const { startedAtMs, endedAtMs } of visit.services!) {
          expect(startedAtMs).toBeGreaterThanOrEqual(before);
          expect(endedAtMs).toBeGreaterThanOrEqual(startedAtMs);
          before = endedAtMs!;
        }
        if (visit.outcome === 'completed' && visit.serviceEndedAtMs !== null)
          expect(before).toBeLessThanOrEqual(visit.serviceEndedAtMs);
        if (visit.services!.length > 0) expect(visit.serviceStartedAtMs).not.toBeNull();
        if (visit.services!.length > 0 && zones === ONE)
          expect(visit.serviceEndedAtMs! - visit.serviceStartedAtMs!).toBeGreaterThanOrEqual(
            visit.outcome === 'lost' ? 0 : PARAMETERS.entryThresholdSeconds * 1000 - 1e-6,
          );
      }
    }),
  );
});
