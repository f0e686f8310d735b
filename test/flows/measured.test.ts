import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Area } from '../../src/catalogue/zones/polygon.ts';
import { readFloorMap } from '../../src/metrics/floor/read-floor-map.ts';
import { requestStop } from '../../src/runs/store/stop-runs.store.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { FLOOR_COLUMNS, FLOOR_ROWS } from '../../src/vision/floor/grid.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { runFfmpeg, scratchFolder } from '../support/ffmpeg.ts';
import { queueRecording } from '../support/rows/recorded.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

let database: TestDatabase;
let worker: TestWorker;
const folder = scratchFolder();

beforeAll(async () => {
  database = await testDatabase();
  worker = await startTestWorker(database);
});
afterAll(async () => {
  await worker.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const SECONDS = 40;
const RECORDED_AT = '2024-03-01T09:00:00Z';
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

test('a worker analyses every frame of a recording, and every row has the time of the video', async () => {
  const video = join(folder, 'moving.mp4');
  // The detector finds somebody in the queue.
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=5:duration=${SECONDS}`];
  await runFfmpeg(...picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', video);
  const recording = {
    imagesDir: database.imagesDir,
    video,
    recordedAt: RECORDED_AT,
    durationMs: SECONDS * 1000,
  };
  const { task, scene } = await queueRecording(database.db, recording);
  const ended = await eventually('the analysis ends', async () => {
    const row = await database.db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
    return row.completedAt && row;
  });
  expect(ended).toMatchObject({
    status: 'COMPLETED',
    errorMessage: null,
    positionMs: (SECONDS - 0.2) * 1000,
  });
  const [from, to] = [new Date(RECORDED_AT), new Date(Date.parse(RECORDED_AT) + SECONDS * 1000)];
  const visits = await database.db.visit.findMany({ where: { sceneId: scene.id } });
  expect(visits).toHaveLength(1);
  for (const { arrivalDecidedAt, outcomeDecidedAt } of visits) {
    expect(arrivalDecidedAt.getTime()).toBeGreaterThanOrEqual(from.getTime());
    expect(outcomeDecidedAt!.getTime()).toBeLessThan(to.getTime());
  }
  const minutes = await database.db.occupancyMinute.findMany({ where: { sceneId: scene.id } });
  expect(minutes).toMatchObject([{ minute: from, coveredMs: (SECONDS - 0.2) * 1000 }]);
  const [hour] = await database.db.floorHour.findMany({ where: { sceneId: scene.id } });
  expect(hour).toMatchObject({ hour: from, coveredMs: (SECONDS - 0.2) * 1000 });
  const usage = await database.db.usageEvent.findMany({ where: { taskId: task.id } });
  expect(usage.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(SECONDS);
  expect(await database.db.event.count()).toBe(0);
});
