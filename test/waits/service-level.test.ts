import { describe, expect, test } from '@jest/globals';
import {
  addService,
  countService,
  type DecidedVisit,
  NO_SERVICE,
  serviceLevel,
} from '../../src/waits/service-level.ts';
import { fc } from '../support/property.ts';

const visit = fc.record({
  outcome: fc.constantFrom<DecidedVisit['outcome']>('completed', 'abandoned', 'lost'),
  waitSeconds: fc.option(fc.double({ min: 0, max: 1000, noNaN: true }), { nil: null }),
});

describe('the service level', () => {
  test('is of those who were served or waited longer than the target', () => {
    const counts = countService(
      [
        { outcome: 'completed', waitSeconds: 180 },
        { outcome: 'completed', waitSeconds: 20 },
        { outcome: 'completed', waitSeconds: 180.001 },
        { outcome: 'abandoned', waitSeconds: 200 },
        { outcome: 'abandoned', waitSeconds: 180 },
        { outcome: 'lost', waitSeconds: 10 },
        { outcome: 'completed', waitSeconds: null },
      ],
      180,
    );
    expect(counts).toEqual({ within: 2, late: 1, gaveUpLate: 1, gaveUpEarly: 1 });
    expect(serviceLevel(counts)).toBe(0.5);
  });

  test('is unknown where nobody counts', () => {
    expect(serviceLevel(NO_SERVICE)).toBeNull();
    expect(serviceLevel(countService([{ outcome: 'abandoned', waitSeconds: 3 }], 180))).toBeNull();
  });

  test('of disjoint windows adds up, wherever the day is cut', () => {
    fc.assert(
      fc.property(
        fc.array(visit, { maxLength: 60 }),
        fc.nat(60),
        fc.integer({ min: 0, max: 1000 }),
        (visits, cut, target) => {
          const parts = [visits.slice(0, cut), visits.slice(cut)].map((part) => countService(part, target));
          const whole = countService(visits, target);
          expect(parts.reduce(addService, NO_SERVICE)).toEqual(whole);
          const level = serviceLevel(whole);
          if (level !== null) expect(level >= 0 && level <= 1).toBe(true);
        },
      ),
    );
  });

  test('of a longer target is never lower', () => {
    fc.assert(
      fc.property(
        fc.array(visit, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 0, max: 500 }),
        (visits, target) => {
          const shorter = serviceLevel(countService(visits, target));
          const longer = serviceLevel(countService(visits, target + 100));
          if (shorter !== null && longer !== null) expect(longer).toBeGreaterThanOrEqual(shorter);
        },
      ),
    );
  });
});
