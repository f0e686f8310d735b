import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { processTree } from '../../scripts/support/process-tree.ts';
import { SYSTEM } from '../../src/audit/record-audit.ts';
import { changeDevice } from '../../src/cameras/devices/configure-device.ts';
import { numbersOfSnapshot, numbersOfWindow } from '../../src/metrics/stored-numbers.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { processStartTime } from '../../src/platform/processes/processes.ts';
import { requestStop } from '../../src/runs/store/stop-runs.store.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import type { Polygon } from '../../src/vision/types.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addDevice, queueScene, testSealer } from '../support/rows/runs.ts';
import { testShared } from '../support/shared.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

let database: TestDatabase;
let worker: TestWorker;

beforeAll(async () => {
  database = await testDatabase();
  // Renewals are rare: whatever happens at once was caused by NOTIFY. A lane on a busy machine is silent for some seconds.
  worker = await startTestWorker(database, { laneSilenceSeconds: 10, leaseSeconds: 900, renewSeconds: 300 });
});
afterAll(async () => {
  await worker.stop();
  await database.drop();
});

const STATS = { processedFrames: 0 };
const taskOf = (id: string) =>
  database.db.analysisTask.findUniqueOrThrow({ where: { id }, include: { scene: true, device: true } });
const framesOf = async (id: string) =>
  ((await taskOf(id)).stats as typeof STATS | null)?.processedFrames ?? 0;
const ffmpegs = () =>
  worker.lanePids.flatMap((pid) => processTree(pid)).filter(({ name }) => name.startsWith('ffmpeg'));
const stop = (run: { task: { id: string; deviceId: string } }) =>
  requestStop(
    database.db,
    { ids: [run.task.id], deviceId: run.task.deviceId },
    { reason: 'user_request', drain: false, deadlineSeconds: 60 },
  );

test('a run stores metrics of a camera until it is stopped', async () => {
  const { db } = database;
  const camera = await addDevice(db, 'sim:shop?seed=3');
  const run = await queueScene(db, camera);
  const { checkoutZone } = SHOP_ZONES;
  // Nobody stands in this zone.
  const staffZone: Polygon = {
    type: 'polygon',
    points: [
      [0, 0],
      [0.1, 0],
      [0.1, 0.05],
    ],
  };
  const checkout = await queueScene(db, camera, { zones: { checkoutZone, staffZone } });
  const { id } = run.task;
  const running = await eventually('the run is running', async () => {
    const task = await taskOf(id);
    return task.runStatus === 'running' && task;
  });
  expect(running.scene.analysisStatus).toBe('running');
  await eventually('frames are counted', async () => (await framesOf(id)) > 10);
  // On a busy machine the camera may give no frame for a while, and then has no rate.
  await eventually('the rate and the time of a frame are known', async () => {
    const { fps, avgProcessingTimeMs } = (await taskOf(id)).stats as Record<string, number>;
    return fps! > 0 && avgProcessingTimeMs! > 0;
  });
  await eventually('a snapshot is stored', async () =>
    db.metricSnapshot.findFirst({ where: { sceneId: run.scene.id } }),
  );
  const { scene, device } = await taskOf(id);
  expect(scene.latestMetrics).toMatchObject({ current: { inQueue: expect.any(Number) } });
  expect(device).toMatchObject({
    onlineStatus: 'online',
    width: expect.any(Number),
    codec: expect.any(String),
  });
  expect(ffmpegs()).toHaveLength(1);

  const noQueue = { inQueue: null, avgWaitSeconds: null, maxWaitSeconds: null, estimatedWaitSeconds: null };
  const served = { inService: expect.any(Number), totalPresent: expect.any(Number) };
  const ofCheckout = { where: { sceneId: checkout.scene.id } };
  const snapshot = await eventually('a snapshot of the scene without a queue is stored', async () =>
    db.metricSnapshot.findFirst(ofCheckout),
  );
  expect(numbersOfSnapshot(snapshot)).toMatchObject({ ...noQueue, ...served });
  expect((await taskOf(checkout.task.id)).scene.latestMetrics).toMatchObject({
    current: { ...noQueue, ...served },
    rolling5Min: { avgInQueue: null, maxInQueue: null, avgInService: expect.any(Number) },
  });
  expect((await taskOf(checkout.task.id)).stats).toMatchObject({ staff: { present: 0, people: 0 } });
  expect((await taskOf(id)).stats).not.toHaveProperty('staff');

  const before = ffmpegs();
  await stop(checkout);
  await stop(run);
  const stopped = await eventually('it is stopped', async () => {
    const task = await taskOf(id);
    return task.status === 'COMPLETED' && task;
  });
  expect(stopped).toMatchObject({
    runStatus: 'stopped',
    reason: 'user_request',
    scene: { analysisStatus: 'stopped' },
  });
  const windows = await db.rollingRecord.findMany({
    where: { sceneId: run.scene.id },
    distinct: ['windowType'],
  });
  expect(windows).toHaveLength(5);
  await eventually('the scene without a queue has its last records', async () => {
    const records = await db.rollingRecord.findMany(ofCheckout);
    for (const record of records)
      expect(numbersOfWindow(record)).toMatchObject({ abandoned: { count: null }, abandonmentRate: null });
    return records.length >= 5;
  });
  const last = await db.metricSnapshot.findFirstOrThrow({
    where: { sceneId: run.scene.id },
    orderBy: { windowEnd: 'desc' },
  });
  expect(last.windowEnd.getTime()).toBeGreaterThanOrEqual(stopped.lastFrameAt!.getTime());
  await eventually('its ffmpeg has ended', () => before.every(({ pid }) => processStartTime(pid) === null));
});

test('after a change of the address the same run continues at once with the new stream', async () => {
  const { db } = database;
  const device = await addDevice(db, 'sim:shop?seed=8');
  const run = await queueScene(db, device);
  const beside = await queueScene(db, device);
  const { id, userId, deviceId } = run.task;
  await eventually(
    'frames come',
    async () => (await framesOf(id)) > 2 && (await framesOf(beside.task.id)) > 2,
  );
  const before = ffmpegs();
  const { config } = worker;
  const context = { config, db, sealer: testSealer, shared: testShared(config), clock: systemClock };
  const changedAtMs = Date.now();
  await changeDevice(context, { userId, id: deviceId, by: SYSTEM }, { streamUrl: 'sim:shop?seed=9' });
  const task = await eventually('the new stream is open and delivers frames', async () => {
    const seen = await taskOf(id);
    return seen.device.width !== null && Number(seen.lastFrameAt) > changedAtMs + 500 && seen;
  });
  expect(task).toMatchObject({ status: 'PROCESSING', runStatus: 'running', epoch: 1 });
  // Two scenes share one stream.
  expect(before.map(({ pid }) => processStartTime(pid))).toEqual([null]);
  expect(ffmpegs()).toHaveLength(1);

  // No stream stays open when the address changes twice in a row and both runs are stopped.
  for (const seed of [10, 11])
    await changeDevice(context, { userId, id: deviceId, by: SYSTEM }, { streamUrl: `sim:shop?seed=${seed}` });
  for (const one of [run, beside]) await stop(one);
  await eventually('both are stopped', async () =>
    (await Promise.all([run, beside].map(({ task: { id } }) => taskOf(id)))).every(
      ({ status }) => status === 'COMPLETED',
    ),
  );
  await eventually('all ffmpegs have ended', () => ffmpegs().length === 0);
});

test('a lane that is killed or stuck is replaced, and its runs continue; at its third end within minutes they fail', async () => {
  const { db } = database;
  const runs = [
    await queueScene(db, await addDevice(db, 'sim:shop?seed=4', 2)),
    await queueScene(db, await addDevice(db, 'sim:shop?seed=5', 2)),
  ];
  const ids = runs.map(({ task }) => task.id);
  await eventually('both deliver frames', async () =>
    (await Promise.all(ids.map(framesOf))).every((n) => n > 4),
  );
  const [pid] = worker.lanePids;
  const before = ffmpegs();
  expect(before).toHaveLength(2);
  const frames = await Promise.all(ids.map(framesOf));
  process.kill(pid!, 'SIGKILL');
  await eventually('its ffmpegs have ended with it', () =>
    before.every((seen) => processStartTime(seen.pid) === null),
  );
  await eventually('another lane runs', () => worker.lanePids.length === 1 && worker.lanePids[0] !== pid);
  await eventually('frames come again', async () =>
    (await Promise.all(ids.map(framesOf))).every((count, at) => count > frames[at]! + 4),
  );
  const tasks = await Promise.all(ids.map(taskOf));
  expect(tasks.map(({ status, epoch }) => ({ status, epoch }))).toEqual([
    { status: 'PROCESSING', epoch: 1 },
    { status: 'PROCESSING', epoch: 1 },
  ]);
  const [next] = worker.lanePids;
  process.kill(next!, 'SIGSTOP');
  await eventually('the stuck lane was killed', () => processStartTime(next!) === null);
  const again = await Promise.all(ids.map(framesOf));
  await eventually('frames come again', async () =>
    (await Promise.all(ids.map(framesOf))).every((count, at) => count > again[at]! + 2),
  );
  process.kill(worker.lanePids[0]!, 'SIGKILL');
  const failed = await eventually('they have failed', async () => {
    const ended = await Promise.all(ids.map(taskOf));
    return ended.every(({ status }) => status === 'FAILED') && ended;
  });
  for (const { runStatus, scene, errorMessage } of failed) {
    expect([runStatus, scene.analysisStatus, scene.status]).toEqual(['error', 'error', 'active']);
    expect(errorMessage).toContain('three times within 5 minutes');
  }
});

test('a worker that stops releases its runs at once and leaves no process', async () => {
  const { db } = database;
  const { task: held } = await queueScene(db, await addDevice(db, 'sim:shop?seed=7', 2));
  await eventually('the camera delivers frames', async () => (await framesOf(held.id)) > 2);
  const { startedAt } = await taskOf(held.id);
  const before = worker.lanePids.flatMap((pid) => processTree(pid));
  expect(before.length).toBeGreaterThanOrEqual(2);
  await worker.stop();
  expect(before.filter(({ pid }) => processStartTime(pid) !== null)).toEqual([]);
  expect(await taskOf(held.id)).toMatchObject({ status: 'QUEUED', scene: { analysisStatus: 'starting' } });

  // The next worker continues the same run with its metrics.
  const frames = await framesOf(held.id);
  worker = await startTestWorker(database, { nodeName: 'next' });
  await eventually('the run continues', async () => (await framesOf(held.id)) > frames + 2);
  expect(await taskOf(held.id)).toMatchObject({ status: 'PROCESSING', startedAt });
});
