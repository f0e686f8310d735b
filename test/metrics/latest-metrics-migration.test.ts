import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { QueueMetrics } from '../../src/metrics/queue-metrics.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const ENDED = {
  completed: { count: 2, avgWaitSeconds: 5 },
  abandoned: { count: 0, avgWaitSeconds: null, maxWaitSeconds: null },
  arrivals: 3,
};

async function migrated(sceneId: string, latestMetrics: object) {
  const { db } = database;
  const before = await db.scene.update({ where: { id: sceneId }, data: { latestMetrics } });
  const file = 'prisma/migrations/20261122232500_latest_metrics_null/migration.sql';
  const sql = (await readFile(file, 'utf8')).replaceAll(/^--.*$/gm, '');
  for (const statement of sql.split(';').filter((part) => part.trim() !== ''))
    await db.$executeRawUnsafe(statement);
  const after = await db.scene.findUniqueOrThrow({ where: { id: sceneId } });
  expect(after.updatedAt).toEqual(before.updatedAt);
  return after.latestMetrics;
}

test('the migration adds missing counts to live metrics, and null for a missing zone', async () => {
  const camera = await addDevice(database.db);
  const { checkoutZone } = SHOP_ZONES;
  const { scene } = await queueScene(database.db, camera, { zones: { checkoutZone } });
  const current = { inQueue: 0, inService: 1, totalPresent: 1 };
  expect(await migrated(scene.id, { current, rolling5Min: ENDED, total: ENDED })).toEqual({
    current: { ...current, inQueue: null },
    rolling5Min: {
      ...ENDED,
      completed: { ...ENDED.completed, waitCount: null, serviceCount: null },
      abandoned: { ...ENDED.abandoned, waitCount: null },
    },
    total: expect.objectContaining({ abandoned: { ...ENDED.abandoned, waitCount: null } }),
  });
});

test('the migration leaves current live metrics, and those of unknown form, as they are', async () => {
  const { scene } = await queueScene(database.db, await addDevice(database.db));
  const metrics = JSON.parse(JSON.stringify(new QueueMetrics({ zones: SHOP_ZONES }).at(0)));
  expect(await migrated(scene.id, metrics)).toEqual(metrics);
  expect(await migrated(scene.id, {})).toEqual({});
});
