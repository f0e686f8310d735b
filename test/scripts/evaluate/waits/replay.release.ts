import { describe, expect, test } from '@jest/globals';
import { replayVisits } from '../../../../scripts/evaluate/waits/replay-visits.ts';
import { scoreWaits } from '../../../../scripts/evaluate/waits/score-waits.ts';
import { judgeKind } from '../../../../scripts/evaluate/waits/simulated-command.ts';
import { simulateShop } from '../../../../scripts/evaluate/waits/simulated-shops.ts';
import type { LoggedVisit } from '../../../../scripts/evaluate/waits/visit-log.ts';
import { dearCases, fc } from '../../../support/property.ts';

const DAY = 86_400;
const { visits } = simulateShop('two-tills', 5, 2);

/** The same log until `cut`; what happened later is told otherwise. */
function anotherFuture(cut: number, shift: number): LoggedVisit[] {
  const later = (at: number | null): number | null => (at === null || at <= cut ? at : at + shift);
  return visits
    .filter(({ joinedAt }) => joinedAt! <= cut || shift > 50)
    .map((visit) => ({
      ...visit,
      joinedAt: later(visit.joinedAt),
      leftAt: later(visit.leftAt),
      startedAt: later(visit.startedAt),
      endedAt: later(visit.endedAt),
      till: visit.startedAt !== null && visit.startedAt > cut ? 'elsewhere' : visit.till,
    }));
}

describe('a log that is played through the predictor', () => {
  test('another future changes no earlier prediction', () => {
    const options = { tills: true, learnDays: 0 };
    const whole = replayVisits(visits, options).judged.map(({ said }) => said);
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 1.9, noNaN: true }),
        fc.integer({ min: 1, max: 5000 }),
        (day, shift) => {
          const cut = day * DAY;
          const other = replayVisits(anotherFuture(cut, shift), options).judged.map(({ said }) => said);
          expect(other.filter(({ at }) => at <= cut)).toEqual(whole.filter(({ at }) => at <= cut));
        },
      ),
      { numRuns: dearCases(3) },
    );
    expect(whole.length).toBeGreaterThan(500);
  });

  test('predictions begin on the day after those that are learned', () => {
    const { judged } = replayVisits(visits, { tills: false, learnDays: 1 });
    expect(Math.min(...judged.map(({ said }) => said.at))).toBeGreaterThanOrEqual(DAY);
    const joined = visits.filter(({ joinedAt }) => joinedAt! >= DAY);
    expect(judged.map(({ said }) => said.person)).toEqual(joined.map(({ person }) => person));
  });

  test('joins without a prediction are counted by reason', () => {
    const { judged, silent } = replayVisits(visits, { tills: false, learnDays: 0 });
    expect(silent.learning! + silent.noServiceSeen! + judged.length).toBe(visits.length);
    expect(silent.noServiceSeen).toBe(1);
  });

  test('counts who finds somebody waiting, and knows who gave up', () => {
    const log: LoggedVisit[] = Array.from({ length: 40 }, (_, n) => ({
      person: `${n}`,
      ...{ joinedAt: n * 60, leftAt: n * 60, startedAt: n * 60, endedAt: n * 60 + 50, till: null },
    }));
    log.push(
      { person: 'a', joinedAt: 2400, leftAt: 2450, startedAt: null, endedAt: null, till: null },
      { person: 'b', joinedAt: 2410, leftAt: 2420, startedAt: 2425, endedAt: 2460, till: null },
      { person: 'c', joinedAt: 2430, leftAt: null, startedAt: null, endedAt: null, till: null },
    );
    const { judged } = replayVisits(log, { tills: false, learnDays: 0 });
    expect(judged.slice(-3)).toMatchObject([
      { said: { person: 'a', ahead: 0 }, served: null, gaveUp: 50 },
      { said: { person: 'b', ahead: 1 }, served: 15, gaveUp: null, today: (2 * 900) / 15 },
      { said: { person: 'c', ahead: 1 }, served: null, gaveUp: null },
    ]);
    const { foundQueue, foundQueueWithGivenUp } = scoreWaits({ judged: judged.slice(-3), silent: {} });
    expect(foundQueue).toMatchObject({ count: 1, meanWait: 15 });
    expect(foundQueueWithGivenUp.count).toBe(1);
  });
});

test('of two days in a shop with two tills, the predictor errs less than the rules of today', () => {
  const { tills, withoutTills } = judgeKind('two-tills', [4], 9);
  expect(tills.errorOfToday).toBeLessThan(0.65);
  expect(withoutTills.errorOfToday).toBeLessThan(0.75);
  expect(tills.insideBandPercent).toBeGreaterThan(70);
});
