import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Area } from '../../src/catalogue/zones/polygon.ts';
import { readFloorMap } from '../../src/metrics/floor/read-floor-map.ts';
import { requestStop } from '../../src/runs/store/stop-runs.store.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { FLOOR_COLUMNS, FLOOR_ROWS } from '../../src/vision/floor/grid.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

let database: TestDatabase;
let worker: TestWorker;

beforeAll(async () => {
  database = await testDatabase();
  worker = await startTestWorker(database);
});
afterAll(async () => {
  await worker.stop();
  await database.drop();
});

const DAY_MS = 86_400_000;

test('the floor map of a camera has who waits in the queue where the queue is', async () => {
  const { db } = database;
  const device = await addDevice(db, 'sim:shop?seed=1&start=120');
  const { scene, task } = await queueScene(db, device);
  const inQueueSeconds = async () => {
    const minutes = await db.occupancyMinute.findMany({ where: { sceneId: scene.id } });
    return minutes.reduce((sum, { inQueueMs }) => sum + Number(inQueueMs) / 1000, 0);
  };
  await eventually('somebody waited for 10 seconds', async () => (await inQueueSeconds()) > 10);
  await requestStop(
    db,
    { ids: [task.id], deviceId: device.id },
    { reason: 'user_request', drain: false, deadlineSeconds: 60 },
  );
  await eventually('the run is stopped', async () => {
    const { status } = await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
    return status === 'COMPLETED';
  });

  const range = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) };
  const map = await readFloorMap(db, { userId: device.userId, sceneId: scene.id, ...range });
  const minutes = await db.occupancyMinute.findMany({ where: { sceneId: scene.id } });
  const coveredSeconds = minutes.reduce((sum, { coveredMs }) => sum + coveredMs, 0) / 1000;
  expect(Math.abs(map.coveredSeconds - coveredSeconds)).toBeLessThan(1);
  const queue = new Area(SHOP_ZONES.queueZone!.points);
  const inZone = map.seconds.map((_, cell) => {
    const [column, row] = [cell % FLOOR_COLUMNS, Math.floor(cell / FLOOR_COLUMNS)];
    return queue.contains([(column + 0.5) / FLOOR_COLUMNS, (row + 0.5) / FLOOR_ROWS]);
  });
  const sum = (isWanted: (cell: number) => boolean) =>
    map.seconds.reduce<number>((total, seconds, cell) => total + (isWanted(cell) ? (seconds ?? 0) : 0), 0);
  const [inside, all] = [sum((cell) => inZone[cell]!), sum(() => true)];
  const visits = await db.visit.findMany({ where: { taskId: task.id, queueEnteredAt: { not: null } } });
  // From the first frame in the zone, which is before the entry is confirmed and counts in occupancy minutes.
  const waited = visits.reduce(
    (total, { queueEnteredAt, queueLeftAt, outcomeDecidedAt }) =>
      total + ((queueLeftAt ?? outcomeDecidedAt)!.getTime() - queueEnteredAt!.getTime()) / 1000,
    0,
  );
  expect(inside / waited).toBeGreaterThan(0.8);
  expect(inside / waited).toBeLessThan(1.2);
  expect(all).toBeGreaterThanOrEqual(inside);
});
