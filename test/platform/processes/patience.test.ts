import { expect, test } from '@jest/globals';
import { patientMs } from '../../../src/platform/processes/patience.ts';

test.each([
  ['an idle machine keeps the limit', 0.1, 2, 6_000],
  ['a machine whose cores are just used keeps it too', 2, 2, 6_000],
  ['with three programs for each core it is three times as long', 6, 2, 18_000],
  ['it is never more than five times as long', 400, 2, 30_000],
])('%s', (_, load, cores, expected) => {
  expect(patientMs(6_000, load, cores)).toBe(expected);
});
