import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { usualAtThisHour } from '../../../src/insights/rules/usual.store.ts';
import { windowBytes } from '../../../src/metrics/stored-numbers.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('the usual value is that of the same time on the wall, also after the clocks have changed', async () => {
  const { db } = database;
  const device = await addDevice(db);
  const { scene } = await queueScene(db, device);
  const [sceneId, deviceId] = [scene.id, device.id];
  // Clocks in Berlin went back on 25 October 2026: 17:00 was 15:00 UTC, and is 16:00 UTC now.
  const days = [22, 23, 24].map((day) => Date.UTC(2026, 9, day));
  const record = (hour: number, avgInQueue: number, coveragePercent = 100) =>
    days.map((dayMs) => {
      const windowEnd = new Date(dayMs + hour * 3_600_000);
      const window = {
        windowType: '60min',
        windowEnd,
        windowStart: new Date(windowEnd.getTime() - 3_600_000),
      };
      return { ...window, sceneId, deviceId, numbers: windowBytes({ avgInQueue, coveragePercent }) };
    });
  await db.rollingRecord.createMany({ data: [...record(15, 4), ...record(16, 9), ...record(17, 2, 49)] });
  const usual = (hour: number, timezone: string) =>
    usualAtThisHour(db, {
      ...{ sceneId, timezone, name: 'avgInQueue' },
      at: new Date(Date.UTC(2026, 9, 26, hour, 0, 30)),
    });
  expect(await usual(16, 'Europe/Berlin')).toEqual({ value: 4, days: 3 });
  expect(await usual(16, 'UTC')).toEqual({ value: 9, days: 3 });
  // Hours of which less than half was seen say nothing.
  expect(await usual(17, 'UTC')).toBeNull();
});
