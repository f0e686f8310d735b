import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordHistory } from '../../scripts/chaos/history/history.ts';
import { kills } from '../../scripts/chaos/kills.ts';
import { outage } from '../../scripts/chaos/outage.ts';
import { restarts } from '../../scripts/chaos/restarts.ts';
import { starts } from '../../scripts/chaos/starts.ts';
import { Installation } from '../../scripts/support/installation.ts';

// Parts of `npm run chaos` in their shortest form, with short leases. They break real processes.
const LEASE_SECONDS = 3;

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.open({ workers: 2, leaseSeconds: LEASE_SECONDS });
  await recordHistory(installation);
});
afterAll(() => installation.close(), 60_000);

test('of many starts at the same moment exactly one is accepted', async () => {
  const result = await starts.run(installation, { concurrent: 100 });
  expect(result.answers).toEqual({ '202': 1, '409 ALREADY_RUNNING': 99 });
  expect(result.passed).toBe(true);
});

test('the other worker continues the runs of a killed one; one node at a time writes them, and they are metered once', async () => {
  const result = await kills.run(installation, { rounds: 1, scenes: 2, fps: 2, withinSeconds: 20 });
  expect(result).toMatchObject({ faults: [], processesLeft: 0, passed: true });
});

test('after a restart of PostgreSQL the API and all runs work again, and no committed row is lost', async () => {
  const result = await restarts.run(installation, { restarts: 1, scenes: 1, fps: 2 });
  expect(result).toMatchObject({ rowsLost: 0, programsEnded: 0, faults: [] });
  expect(Object.keys(result.answersWhileAway)).toEqual(['503']);
  expect(result.coveredPercent).toBeLessThan(100);
});

test('every camera has frames again after a network outage, with a bounded number of attempts', async () => {
  const result = await outage.run({ cameras: 2, minutes: 5, fps: 2 });
  expect(result).toMatchObject({ camerasBack: 2, passed: true });
});
