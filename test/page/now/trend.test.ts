import { expect, test } from '@jest/globals';
import { trendOf } from '../../../src/page/now/trend.ts';

test.each([
  [6, [2, 3, 9], 'growing'],
  [0, [2, 3, 9], 'shrinking'],
  [3, [2, 3, 9], 'steady'],
  [3, [null, null, 9], null],
  [null, [2, 3, 9], null],
])('%s people after %s: %s', (inQueue, avgInQueue, trend) => {
  const spark = { start: '2026-01-01T00:00:00Z', bucketSeconds: 300, avgInQueue };
  expect(trendOf({ current: { inQueue } as never, spark })).toBe(trend);
});
