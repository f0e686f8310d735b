import { describe, expect, test } from '@jest/globals';
import type { Visit } from '../../../src/vision/types.ts';
import { VISIT_MOVES } from '../../../src/vision/zones/visit-states.ts';
import { fc } from '../../support/property.ts';
import { PARAMETERS, walk } from './walk.ts';

/** The path of a person: stretches of some frames in one zone. */
const way = fc
  .array(fc.tuple(fc.constantFrom('q', 'c', 'o', '.'), fc.integer({ min: 1, max: 40 })), {
    minLength: 1,
    maxLength: 25,
  })
  .map((parts) => parts.map(([place, frames]) => place.repeat(frames)).join(''));
const parameters = fc.record({
  entryThresholdSeconds: fc.integer({ min: 1, max: 6 }),
  exitThresholdSeconds: fc.integer({ min: 1, max: 6 }),
  trackingMaxAgeSeconds: fc.integer({ min: 1, max: 6 }),
});

const begin = (visit: Visit): number => visit.queueEnteredAtMs ?? visit.serviceStartedAtMs!;
const end = (visit: Visit): number => visit.serviceEndedAtMs ?? visit.queueLeftAtMs!;

describe('any path of people', () => {
  test('gives visits that do not overlap, each with times in order', () => {
    fc.assert(
      fc.property(way, parameters, (person, given) => {
        const visits = walk([person], { parameters: given, stop: true });
        let previousEnd = -1;
        for (const visit of visits) {
          const times = [
            visit.queueEnteredAtMs,
            visit.queueLeftAtMs,
            visit.serviceStartedAtMs,
            visit.serviceEndedAtMs,
          ].filter((time) => time !== null);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          expect(begin(visit)).toBeGreaterThanOrEqual(previousEnd);
          previousEnd = end(visit);
          expect(visit.state).toBe('closed');
          expect(visit.arrivalDecidedAtMs).toBeLessThanOrEqual(visit.outcomeDecidedAtMs!);
          expect(visit.outcomeDecidedAtMs).toBeGreaterThanOrEqual(previousEnd);
          expect(visit.arrivalDecidedAtMs - begin(visit)).toBeGreaterThanOrEqual(
            given.entryThresholdSeconds * 1000 - 1e-6,
          );
          if (visit.outcome === 'abandoned') expect(visit.serviceStartedAtMs).toBeNull();
          if (visit.serviceStartedAtMs !== null) expect(visit.outcome).not.toBe('abandoned');
        }
      }),
    );
  });

  test('shifted in time shifts the visits and changes nothing else', () => {
    const shift = fc.integer({ min: 0, max: 2_000_000_000_000 });
    fc.assert(
      fc.property(fc.array(way, { minLength: 1, maxLength: 3 }), shift, (people, startMs) => {
        const move = (ms: number | null) => (ms === null ? null : ms + startMs);
        const moved = walk(people, { stop: true }).map((visit) => ({
          ...visit,
          queueEnteredAtMs: move(visit.queueEnteredAtMs),
          queueLeftAtMs: move(visit.queueLeftAtMs),
          serviceStartedAtMs: move(visit.serviceStartedAtMs),
          serviceEndedAtMs: move(visit.serviceEndedAtMs),
          arrivalDecidedAtMs: visit.arrivalDecidedAtMs + startMs,
          outcomeDecidedAtMs: move(visit.outcomeDecidedAtMs),
        }));
        expect(walk(people, { startMs, stop: true })).toEqual(moved);
      }),
    );
  });

  test('with changes below the thresholds gives the same visit', () => {
    const flicker = fc.constantFrom(['o', 5] as const, ['o', 1] as const, ['.', 20] as const);
    fc.assert(
      fc.property(fc.array(flicker, { maxLength: 10 }), (flickers) => {
        const person = `${'q'.repeat(20)}${flickers.map(([place, frames]) => place.repeat(frames) + 'q'.repeat(3)).join('')}`;
        expect(walk([person], { parameters: PARAMETERS })).toMatchObject([
          { state: 'queued', queueEnteredAtMs: 0 },
        ]);
      }),
    );
  });
});

test('a closed visit never changes, and only a queued one can be abandoned', () => {
  const sources = Object.entries(VISIT_MOVES)
    .filter(([, to]) => to.includes('abandoned'))
    .map(([from]) => from);
  expect(sources).toEqual(['queued']);
  expect([VISIT_MOVES.completed, VISIT_MOVES.abandoned, VISIT_MOVES.lost]).toEqual([[], [], []]);
});
