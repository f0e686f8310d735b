import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Area } from '../../src/catalogue/zones/polygon.ts';
import { readFloorMap } from '../../src/metrics/floor/read-floor-map.ts';
import { FLOOR_COLUMNS, FLOOR_ROWS } from '../../src/vision/floor/grid.ts';
import { type ApiUser, QUEUE_ZONE, type TestApi, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { runFfmpeg, scratchFolder } from '../support/ffmpeg.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

let api: TestApi;
let user: ApiUser;
let worker: TestWorker;
const folder = scratchFolder();

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  const { context, imagesDir } = api;
  const url = context.config.databaseUrl!;
  worker = await startTestWorker({ db: context.db, url, imagesDir, drop: async () => undefined });
});
afterAll(async () => {
  await worker?.stop();
  await api?.drop();
  await rm(folder, { recursive: true, force: true });
});

const SECONDS = 40;
const FRAME_MS = 200;
const LAST_MS = SECONDS * 1000 - FRAME_MS;
const RECORDED_AT = '2026-11-01T12:00:00.000Z';

test('an uploaded recording is analysed by a node, every frame at the time of the video, shown on the floor, and charged', async () => {
  const { db } = api.context;
  const video = join(folder, 'moving.mp4');
  // The detector finds somebody in the queue.
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=5:duration=${SECONDS}`];
  await runFfmpeg(...picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', video);
  const uploaded = await user
    .post(`/recordings?recordedAt=${RECORDED_AT}&timezone=Europe/Berlin`)
    .set('Content-Type', 'application/octet-stream')
    .send((await readFile(video)) as never);
  expect(uploaded.status).toBe(201);
  const { id, sceneId, deviceId } = uploaded.body.data;
  // More than it has: none is left out.
  const wanted = { zones: { queueZone: QUEUE_ZONE }, analysisFps: 10 };
  expect((await user.post(`/recordings/${id}/analysis`, wanted)).status).toBe(202);
  const analysis = await eventually('the end of the analysis', async () => {
    const shown = (await user.get(`/recordings/${id}`)).body.data.analysis;
    return shown.completedAt !== null && shown;
  });
  expect(analysis).toMatchObject({
    ...{ status: 'completed', progressPercent: 100, positionSeconds: LAST_MS / 1000, error: null },
    ...{ etaSeconds: null, secondsPerSecond: expect.any(Number) },
  });

  const [from, to] = [new Date(RECORDED_AT), new Date(Date.parse(RECORDED_AT) + SECONDS * 1000)];
  const [visit, ...others] = await db.visit.findMany({ where: { sceneId } });
  expect(others).toEqual([]);
  const { arrivalDecidedAt, queueEnteredAt, queueLeftAt, outcomeDecidedAt } = visit!;
  expect(arrivalDecidedAt.getTime()).toBeGreaterThanOrEqual(from.getTime());
  expect(outcomeDecidedAt!.getTime()).toBeLessThan(to.getTime());
  const minutes = await db.occupancyMinute.findMany({ where: { sceneId } });
  expect(minutes).toMatchObject([{ minute: from }]);
  const { coveredMs, inQueueMs } = minutes[0]!;
  // The last frame has no length.
  expect(coveredMs).toBe(LAST_MS);
  const range = 'from=2026-11-01T12:00:00Z&to=2026-11-01T12:01:00Z&bucket=1m';
  const series = (await user.get(`/analytics/scenes/${sceneId}/series?${range}`)).body.data;
  expect(series.coveragePercent[0]).toBeCloseTo(coveredMs / 600, 0);
  expect(series.avgInQueue[0]).toBeCloseTo(Number(inQueueMs) / coveredMs, 1);

  const [hour] = await db.floorHour.findMany({ where: { sceneId } });
  expect(hour).toMatchObject({ hour: from, coveredMs });
  const map = await readFloorMap(db, { userId: user.userId, sceneId, from, to: new Date('2026-11-02') });
  expect(map.coveredSeconds).toBe(coveredMs / 1000);
  const queue = new Area(QUEUE_ZONE.points as [number, number][]);
  const isInQueue = (cell: number) => {
    const [column, row] = [cell % FLOOR_COLUMNS, Math.floor(cell / FLOOR_COLUMNS)];
    return queue.contains([(column + 0.5) / FLOOR_COLUMNS, (row + 0.5) / FLOOR_ROWS]);
  };
  const sum = (isWanted: (cell: number) => boolean) =>
    map.seconds.reduce<number>((total, seconds, cell) => total + (isWanted(cell) ? (seconds ?? 0) : 0), 0);
  const [inside, all] = [sum(isInQueue), sum(() => true)];
  // From the first frame in the zone, which is before the entry is confirmed and counts in occupancy minutes.
  const waited = ((queueLeftAt ?? outcomeDecidedAt)!.getTime() - queueEnteredAt!.getTime()) / 1000;
  expect(inside / waited).toBeGreaterThan(0.8);
  expect(inside / waited).toBeLessThan(1.2);
  expect(all).toBeGreaterThanOrEqual(inside);

  const shares = (await user.get('/billing/summary/by-device')).body.data;
  expect(shares).toMatchObject([{ deviceId, deviceType: 'recording', analysisSeconds: SECONDS }]);
  expect((await user.get('/events')).body.data).toEqual([]);
});
