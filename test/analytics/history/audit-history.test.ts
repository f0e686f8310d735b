import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditHistory } from '../../../src/analytics/history/audit-history.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';
import { addMinutes, addVisits } from './history-rows.ts';

const START = Date.UTC(2026, 10, 20, 10);

let database: TestDatabase;
let sceneId: string;
let email: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

beforeEach(async () => {
  const { db } = database;
  await db.user.deleteMany();
  const device = await addDevice(db);
  email = (await db.user.findUniqueOrThrow({ where: { id: device.userId } })).email;
  sceneId = (await queueScene(db, device)).scene.id;
  await addMinutes(db, sceneId, [
    { atMs: START, inQueue: 2 },
    { atMs: START + 20 * 60_000, inQueue: 1 },
  ]);
  await addVisits(db, sceneId, [
    {
      outcome: 'completed',
      arrivedAtMs: START,
      decidedAtMs: START + 40 * 86_400_000,
      waitMs: 1_000,
      serviceMs: 1,
    },
    { outcome: 'completed', arrivedAtMs: START, decidedAtMs: START + 1, waitMs: null, serviceMs: 1 },
    { outcome: 'abandoned', arrivedAtMs: START, decidedAtMs: START + 1, waitMs: 1_000 },
    { outcome: 'lost', arrivedAtMs: START, decidedAtMs: START + 1 },
    { outcome: 'discarded', arrivedAtMs: START, decidedAtMs: START + 1 },
    { outcome: null, arrivedAtMs: START },
  ]);
  const totals = {
    arrivals: 4,
    completedCount: 2,
    abandonedCount: 1,
    lostCount: 1,
    waitCount: 1,
    serviceCount: 2,
  };
  await db.sceneTotals.create({ data: { sceneId, since: new Date(START), ...totals } });
});

const messages = async () => (await auditHistory(database.db)).differences.map(({ message }) => message);

test('correct rows have no difference, and progress counts the scenes', async () => {
  const { db } = database;
  await queueScene(db, await addDevice(db));
  const seen: string[] = [];
  const audit = await auditHistory(db, { onScene: (done, total) => seen.push(`${done}/${total}`) });
  expect(audit).toEqual({ scenes: 2, differences: [] });
  expect(seen).toEqual(['1/2', '2/2']);
  expect(await auditHistory(db, { email })).toEqual({ scenes: 1, differences: [] });
  await expect(auditHistory(db, { email: 'nobody' })).rejects.toThrow('There is no user "nobody".');
});

test('a quarter that was changed, is missing, or has no minutes is named', async () => {
  const { db } = database;
  const first = { sceneId_quarter: { sceneId, quarter: new Date(START) } };
  await db.occupancyQuarter.update({ where: first, data: { busyMs: { increment: 1 } } });
  const fault = 'quarters of an hour are not the sum of their minutes, first';
  expect(await messages()).toEqual([`1 ${fault} 2026-11-20T10:00:00.000Z`]);
  await db.occupancyQuarter.delete({ where: first });
  const alone = {
    ...{ coveredMs: 1, inQueueMs: 0, inServiceMs: 0, busyMs: 0 },
    maxInQueue: 0,
    maxInService: 0,
  };
  await db.occupancyQuarter.create({ data: { sceneId, quarter: new Date(START - 900_000), ...alone } });
  expect(await messages()).toEqual([`2 ${fault} 2026-11-20T09:45:00.000Z`]);
});

test('totals that differ from the visits are named', async () => {
  const { db } = database;
  await db.sceneTotals.update({ where: { sceneId }, data: { completedCount: 3, arrivals: 3 } });
  expect(await messages()).toEqual([
    'arrivals: 3 in the totals, 4 by the visits',
    'completed: 3 in the totals, 2 by the visits',
  ]);
});

test('a visit whose state and outcome contradict each other is named: series do not count it', async () => {
  const { db } = database;
  await db.visit.updateMany({ where: { sceneId, state: 'discarded' }, data: { state: 'closed' } });
  expect(await messages()).toEqual([
    'arrivals: 4 in the totals, 5 by the visits',
    'arrivals: 4 in a series by months, 5 by the visits',
  ]);
});
