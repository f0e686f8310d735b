import { expect, test } from '@jest/globals';
import { presentStaff } from '../../../src/runs/api/present.ts';

const COUNTS = { present: 2, people: 3, meanDecisionSeconds: 75.2, longestDecisionSeconds: 101.6 };
const MEMBER = { trackId: 4, reason: 'stays_at_till' as const, seconds: 200.5, othersServed: 3 };

test('staff have the reason and the time of each decision', () => {
  const members = [
    { ...MEMBER, decidedAtMs: 1_000 },
    { ...MEMBER, decidedAtMs: null },
  ];
  expect(presentStaff({ ...COUNTS, members })).toEqual({
    ...COUNTS,
    members: [
      { ...MEMBER, decidedAt: '1970-01-01T00:00:01.000Z' },
      { ...MEMBER, decidedAt: null },
    ],
  });
});
