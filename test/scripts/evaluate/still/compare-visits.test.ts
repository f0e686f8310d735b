import { expect, test } from '@jest/globals';
import { compareVisits } from '../../../../scripts/evaluate/still/compare-visits.ts';
import type { Visit } from '../../../../src/vision/types.ts';

const visit = (queueEnteredAtMs: number, more: Partial<Visit> = {}): Visit => ({
  ...{ id: 1, trackId: 1, state: 'closed', queueEnteredAtMs, queueLeftAtMs: queueEnteredAtMs + 5_000 },
  ...{ serviceStartedAtMs: null, serviceEndedAtMs: null, outcome: 'completed' },
  ...{ arrivalDecidedAtMs: queueEnteredAtMs + 1_000, outcomeDecidedAtMs: queueEnteredAtMs + 6_000 },
  ...more,
});

test('visits are the same within one frame, and each counts once', () => {
  const all = [visit(0), visit(10_000), visit(20_000), visit(30_000), visit(40_000)];
  const skipping = [
    visit(200, { queueLeftAtMs: 5_200 }),
    visit(10_400),
    visit(20_000, { outcome: 'lost' }),
    visit(33_000),
    visit(40_000, { queueLeftAtMs: 45_400 }),
  ];
  expect(compareVisits(all, skipping, 200)).toEqual({
    ...{ visits: 5, same: 1, otherBegin: 1, otherEnd: 2, missing: 1, invented: 1 },
  });
});
