import { expect, test } from '@jest/globals';
import { verdict } from '../../../scripts/chaos/verdict.ts';

test('a broken promise is named with its figure and its limit', () => {
  expect(
    verdict({
      slowestSeconds: { is: 30, atMost: 20 },
      faults: { is: 0, exactly: 0 },
      visits: { is: 0, atLeast: 1 },
    }),
  ).toEqual({
    failed: ['slowestSeconds is 30, and must be at most 20', 'visits is 0, and must be at least 1'],
    passed: false,
  });
});

test('kept promises pass, and what is no number keeps none', () => {
  expect(verdict({ seconds: { is: 20, atMost: 20 }, visits: { is: 1, atLeast: 1 } })).toEqual({
    failed: [],
    passed: true,
  });
  for (const promised of [{ atMost: 1 }, { atLeast: 1 }, { exactly: 1 }])
    expect(verdict({ seconds: { is: Number.NaN, ...promised } }).passed).toBe(false);
});

test('a promise may be a word; what is missing breaks it', () => {
  expect(
    verdict({
      waitingFor: { is: 'capacity', exactly: 'capacity' },
      status: { is: 'failed', exactly: 'completed' },
    }),
  ).toEqual({ failed: ['status is failed, and must be exactly completed'], passed: false });
  for (const is of [null, undefined])
    expect(
      verdict({ firstFrameSeconds: { is, atMost: 25 }, answers: { is, exactly: 0 } }).failed,
    ).toHaveLength(2);
});
