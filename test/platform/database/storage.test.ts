import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readStorage } from '../../../src/platform/database/storage.store.ts';
import { Prisma } from '../../../src/platform/prisma-client/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { insertRows } from '../../support/rows/insert-rows.ts';
import { addDevice, queueScene } from '../../support/rows/runs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

const HOUR_MS = 3_600_000;

test('every table is listed, the largest first, with its rows, its oldest row and its growth', async () => {
  const { db } = database;
  const { bytes: emptyBytes } = await readStorage(db, { now: new Date() });
  const device = await addDevice(db);
  const { scene } = await queueScene(db, device);
  const now = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  const minutes = (hoursAgo: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      sceneId: scene.id,
      minute: new Date(now.getTime() - hoursAgo * HOUR_MS + at * 60_000),
      ...{ coveredMs: 60_000, inQueueMs: 0, inServiceMs: 0, busyMs: 0, maxInQueue: 0, maxInService: 0 },
    }));
  await insertRows(db, 'OccupancyMinute', [...minutes(40 * 24, 300), ...minutes(5, 200)]);
  await db.$executeRaw`ANALYZE`;

  const seen: string[] = [];
  const { bytes, tables } = await readStorage(db, {
    now,
    onTable: (done, total) => seen.push(`${done}/${total}`),
  });
  const of = (name: string) => tables.find(({ table }) => table === name);
  expect(tables.map(({ table }) => table).sort()).toEqual(Object.values(Prisma.ModelName).sort());
  expect(seen.at(-1)).toBe(`${tables.length}/${tables.length}`);
  const sizes = tables.map((table) => table.bytes);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(bytes).toBeGreaterThanOrEqual(emptyBytes);
  const minute = of('OccupancyMinute')!;
  expect(minute).toMatchObject({ rows: 500, newRows: 200 });
  expect(minute.oldest).toEqual(new Date(now.getTime() - 40 * 24 * HOUR_MS));
  expect(minute.bytesPerYear).toBeCloseTo((minute.bytes / 500) * 200 * 365, 0);
  expect(of('User')).toMatchObject({ rows: 1, newRows: 1 });
  expect(Math.abs(of('User')!.oldest!.getTime() - device.createdAt.getTime())).toBeLessThan(5_000);
  expect(of('Visit')).toMatchObject({ rows: 0, oldest: null, newRows: 0, bytesPerYear: 0 });
  expect(of('Setting')).toMatchObject({ oldest: null, newRows: null, bytesPerYear: null });
});

test('a table whose rows are written late grows by the newest day that it has, while rows are written', async () => {
  const { db } = database;
  const { scene } = await queueScene(db, await addDevice(db));
  // Removed on the 800th day are the visits of the UTC day before: its last quarter began 800 days and a half ago.
  const now = new Date('2026-11-24T12:00:00Z');
  const newest = new Date(now.getTime() - 800.5 * 24 * HOUR_MS - HOUR_MS / 4);
  const lists = { arrivals: 1, outcomes: [], waitMs: [], serviceMs: [] };
  await insertRows(
    db,
    'VisitQuarter',
    Array.from({ length: 300 }, (_, at) => ({
      ...{ sceneId: scene.id, quarter: new Date(newest.getTime() - at * (HOUR_MS / 4)) },
      ...lists,
    })),
  );
  await db.$executeRaw`ANALYZE "VisitQuarter"`;
  const quarters = async (daysLater: number) => {
    const { tables } = await readStorage(db, {
      now: new Date(now.getTime() + daysLater * 24 * HOUR_MS),
      lateDays: { VisitQuarter: 800 },
    });
    return tables.find(({ table }) => table === 'VisitQuarter')!;
  };

  const { bytes, rows, newRows, bytesPerYear } = await quarters(0);
  expect({ rows, newRows }).toEqual({ rows: 300, newRows: 96 });
  expect(bytesPerYear).toBeCloseTo((bytes / 300) * 96 * 365, 0);
  // Nothing ran on the days after.
  expect(await quarters(3)).toMatchObject({ rows: 300, newRows: 0, bytesPerYear: 0 });
});
