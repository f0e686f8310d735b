import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { watchScenes } from '../../../src/analytics/unusual/watch-scenes.job.ts';
import { type ApiUser, QUEUE_ZONE, SHOP, type TestApi, TestClock, testApi } from '../../support/api.ts';
import { insertRows } from '../../support/rows/insert-rows.ts';
import { told } from '../../support/told.ts';
import { addMinutes, addVisits } from '../history/history-rows.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A Friday. */
const TODAY = Date.UTC(2026, 10, 20);
const at = (hour: number, minute = 0, day = 0) => TODAY + day * DAY_MS + (hour * 60 + minute) * MINUTE_MS;
const A_MINUTE = 4;

let api: TestApi;
let owner: ApiUser;
const clock = new TestClock();

beforeAll(async () => {
  api = await testApi({}, clock);
});
afterAll(() => api?.drop());

/** A scene of a camera of its own, which saw four people come each minute from 9:00 to 14:00 on so many days before today. */
async function newScene(days: number): Promise<string> {
  const { db } = api.context;
  clock.time = new Date(at(9));
  owner = await api.user();
  const device = await owner.post('/devices', SHOP);
  const body = { deviceId: device.body.data.id, name: 'Row', analysisType: 'queue_analysis' };
  const scene = await owner.post('/scenes', { ...body, config: { zones: { queueZone: QUEUE_ZONE } } });
  expect(scene.body.message ?? '').toBe('');
  const sceneId = scene.body.data.id;
  await db.scene.update({ where: { id: sceneId }, data: { analysisStatus: 'running' } });
  const quarters = Array.from({ length: days * 20 }, (_, number) => {
    const day = -1 - Math.floor(number / 20);
    return { sceneId, quarter: new Date(at(9, (number % 20) * 15, day)) };
  });
  const people = { inQueueMs: 0n, inServiceMs: 0n, maxInQueue: 0, maxInService: 0 };
  await insertRows(
    db,
    'OccupancyQuarter',
    quarters.map((row) => ({
      ...{ ...row, ...people, coveredMs: 900_000, busyMs: 0 },
      ...{ minuteAverages: [], minuteMaxima: [] },
    })),
  );
  const count = 15 * A_MINUTE;
  await insertRows(
    db,
    'VisitQuarter',
    quarters.map((row) => ({
      ...{ ...row, arrivals: count, outcomes: Array(count).fill('completed') },
      ...{ waitMs: Array(count).fill(1000), serviceMs: Array(count).fill(30_000) },
    })),
  );
  return sceneId;
}

/** So many people come in each minute of today. */
async function come(sceneId: string, from: number, to: number, people: number): Promise<void> {
  const minutes = Array.from({ length: (to - from) / MINUTE_MS }, (_, minute) => from + minute * MINUTE_MS);
  await addMinutes(
    api.context.db,
    sceneId,
    minutes.map((atMs) => ({ atMs })),
  );
  await addVisits(
    api.context.db,
    sceneId,
    minutes.flatMap((atMs) =>
      Array.from({ length: people }, (_, number) => ({
        ...{ outcome: 'completed' as const, arrivedAtMs: atMs + number * 1000, decidedAtMs: atMs + 40_000 },
        ...{ waitMs: 1000, serviceMs: 30_000 },
      })),
    ),
  );
}

async function job(time: number): Promise<void> {
  clock.time = new Date(time);
  await api.context.db.scene.updateMany({
    where: { analysisStatus: 'running' },
    data: { metricsUpdatedAt: clock.time },
  });
  await Promise.all([watchScenes(api.context), watchScenes(api.context)]);
}
const eventsOf = (sceneId: string) => told(api.context.db, { sceneId, type: 'unusual_activity' });
const unusualOf = (sceneId: string) =>
  api.context.db.unusualActivity.findMany({ where: { sceneId }, orderBy: { beganAt: 'asc' } });
const shownNow = async () => (await owner.get('/overview')).body.data[0].scenes[0].unusual;

test('what leaves the usual for 20 minutes is told once, shown, and ends when it is back', async () => {
  const sceneId = await newScene(15);
  await come(sceneId, at(9), at(11), A_MINUTE);
  await job(at(11, 2));
  expect(await eventsOf(sceneId)).toEqual([]);
  await come(sceneId, at(11), at(11, 30), 2 * A_MINUTE);
  await job(at(11, 22));
  const [event] = await eventsOf(sceneId);
  expect(event).toMatchObject({ timestamp: new Date(at(11, 22)).toISOString() });
  expect(event!.data).toMatchObject({
    ...{ sceneId, timezone: 'UTC', beganAt: new Date(at(11)).toISOString() },
    deviations: [{ metric: 'arrivals', value: 160 }],
  });
  expect(event!.data.message).toMatch(
    /^Unlike other Fridays: 160 people came in 20 minutes, usually \d+ to \d+\.$/,
  );
  expect(await shownNow()).toMatchObject({ id: event!.data.unusualId, beganAt: event!.data.beganAt });
  await job(at(11, 25));
  await come(sceneId, at(11, 30), at(12, 30), A_MINUTE);
  await job(at(11, 40));
  expect(await shownNow()).not.toBeNull();
  await job(at(11, 52));
  expect(await shownNow()).toBeNull();
  // The unusual half hour does not make the ordinary one after it look empty.
  await job(at(12, 10));
  await job(at(12, 30));
  expect(await unusualOf(sceneId)).toMatchObject([{ endedAt: new Date(at(11, 52)) }]);
  expect(await eventsOf(sceneId)).toHaveLength(1);
});

test('nothing is told of a camera with a fault or a warning, of times that it did not see, or of a young scene', async () => {
  const { db } = api.context;
  const [faulty, unsure, unseen, young] = [
    await newScene(15),
    await newScene(15),
    await newScene(15),
    await newScene(13),
  ];
  for (const sceneId of [faulty, unsure, young]) await come(sceneId, at(9), at(10), 3 * A_MINUTE);
  await come(unseen, at(9), at(9, 50), 3 * A_MINUTE);
  await come(unseen, at(9, 51), at(10), 3 * A_MINUTE);
  const since = new Date(at(9)).toISOString();
  const cameraOf = async (sceneId: string) =>
    (await db.scene.findUniqueOrThrow({ where: { id: sceneId } })).deviceId;
  await db.device.update({
    where: { id: await cameraOf(faulty) },
    data: { fault: { reason: 'view_changed', since } },
  });
  await db.device.update({
    where: { id: await cameraOf(unsure) },
    data: { warnings: [{ reason: 'overloaded', since }] },
  });
  await job(at(10, 2));
  for (const sceneId of [faulty, unsure, unseen, young]) expect(await unusualOf(sceneId)).toEqual([]);
  await db.device.update({ where: { id: await cameraOf(unsure) }, data: { warnings: [] } });
  await job(at(10, 2));
  expect(await unusualOf(unsure)).toHaveLength(1);
  // Nobody looks any more: it ends when it was seen last.
  await db.scene.update({ where: { id: unsure }, data: { analysisStatus: 'stopped' } });
  await job(at(11, 3));
  expect(await unusualOf(unsure)).toMatchObject([{ endedAt: new Date(at(10, 2)) }]);
});
