import { expect, test } from '@jest/globals';
import { alertMessage } from '../../src/alerts/message.ts';

test.each([
  ['current.inQueue', 'GT', 5, 7, 'In queue 7 > 5 at "Till 3"'],
  ['current.maxWaitSeconds', 'GTE', 60, 83.456, 'Longest wait so far 83.46 s ≥ 60 s at "Till 3"'],
  ['rolling5Min.abandonmentRate', 'GT', 0.2, 0.25, 'Share giving up (last 5 min) 25 % > 20 % at "Till 3"'],
  ['rolling15Min.coveragePercent', 'LT', 90, 71.5, 'Coverage (last 15 min) 71.5 % < 90 % at "Till 3"'],
  ['rolling60Min.throughputPerHour', 'LTE', 10, 8, 'Served per hour (last 60 min) 8/h ≤ 10/h at "Till 3"'],
  ['total.lostCount', 'NEQ', 0, 2, 'Lost from sight (since start) 2 ≠ 0 at "Till 3"'],
] as const)('%s %s', (metricPath, operator, threshold, actualValue, expected) => {
  expect(alertMessage({ metricPath, operator, threshold, actualValue }, 'Till 3')).toBe(expected);
});
