import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adviseScenes, removeOldAdvice } from '../../../src/analytics/advice/advise.job.ts';
import { rectangle } from '../../catalogue/zones/shapes.ts';
import {
  type ApiUser,
  codeOf,
  QUEUE_ZONE,
  SHOP,
  type TestApi,
  TestClock,
  testApi,
} from '../../support/api.ts';
import { insertRows } from '../../support/rows/insert-rows.ts';
import { told } from '../../support/told.ts';
import { addVisits, type VisitRow } from '../history/history-rows.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TODAY = Date.UTC(2026, 10, 20);
const at = (hour: number, minute = 0, day = 0) => TODAY + day * DAY_MS + (hour * 60 + minute) * MINUTE_MS;
const TILLS = ['a', 'b', 'c'].map((id, number) => ({
  ...{
    id,
    name: `Till ${id}`,
    type: 'polygon',
    points: rectangle(number * 0.3, 0.6, number * 0.3 + 0.25, 1),
  },
}));

let api: TestApi;
let owner: ApiUser;
const clock = new TestClock();

async function newScene(tills = TILLS): Promise<string> {
  const device = await owner.post('/devices', SHOP);
  const body = { deviceId: device.body.data.id, name: 'Row', analysisType: 'queue_analysis' };
  const scene = await owner.post('/scenes', { ...body, config: { zones: { queueZone: QUEUE_ZONE, tills } } });
  expect(scene.body.message ?? '').toBe('');
  return scene.body.data.id;
}

/** People who come from 10:00 to 13:00, one a minute with services of a minute, on so many days before today. */
async function addDays(sceneId: string, days: number): Promise<void> {
  const { db } = api.context;
  const visits: VisitRow[] = [];
  const quarters = [];
  for (let day = -days; day < 0; day++) {
    for (let minute = 0; minute < 180; minute++) {
      const arrivedAtMs = at(10, minute, day);
      const decidedAtMs = arrivedAtMs + 2 * MINUTE_MS;
      visits.push({
        ...{ outcome: 'completed', arrivedAtMs, decidedAtMs },
        waitMs: 20_000,
        serviceMs: 80_000,
      });
    }
    for (let quarter = 36; quarter < 60; quarter++)
      quarters.push({
        ...{ sceneId, quarter: new Date(at(0, quarter * 15, day)), coveredMs: 900_000, busyMs: 0 },
        ...{
          inQueueMs: 0n,
          inServiceMs: 0n,
          maxInQueue: 0,
          maxInService: 0,
          minuteAverages: [],
          minuteMaxima: [],
        },
      });
  }
  await addVisits(db, sceneId, visits);
  await insertRows(db, 'OccupancyQuarter', quarters);
}

/** A run sees the scene now, with these states of the tills. */
const seeNow = (sceneId: string, ...states: string[]) =>
  api.context.db.scene.update({
    where: { id: sceneId },
    data: {
      analysisStatus: 'running',
      metricsUpdatedAt: clock.time,
      latestMetrics: { tills: states.map((state, number) => ({ tillId: TILLS[number]!.id, state })) },
    },
  });

async function job(time: number): Promise<void> {
  clock.time = new Date(time);
  await api.context.db.scene.updateMany({
    where: { analysisStatus: 'running' },
    data: { metricsUpdatedAt: clock.time },
  });
  await Promise.all([adviseScenes(api.context), adviseScenes(api.context)]);
}
const read = async (sceneId: string, query = '') => {
  const answer = await owner.get(`/analytics/scenes/${sceneId}/advice?${query}`);
  expect(answer.body.message ?? '').toBe('');
  return answer.body.data;
};
const eventsOf = (sceneId: string) => told(api.context.db, { sceneId, type: 'staffing_advice' });

beforeAll(async () => {
  api = await testApi({}, clock);
});
afterAll(() => api.drop());
beforeEach(async () => {
  clock.time = new Date(at(9, 50));
  owner = await api.user();
  // The job advises those of earlier tests too.
  await api.context.db.scene.updateMany({ data: { analysisStatus: 'stopped' } });
});

describe('the advice of a scene', () => {
  test('is given once while it stands, told, and says later what happened', async () => {
    const sceneId = await newScene();
    await addDays(sceneId, 15);
    await seeNow(sceneId, 'serving', 'closed', 'closed');
    await job(at(9, 50));
    const { current, reason, advice } = await read(sceneId);
    expect(reason).toBeNull();
    expect(advice).toEqual([current]);
    expect(current).toMatchObject({ isShadow: false, openTills: 1, outcome: null });
    expect(current.tills).toBeGreaterThan(0);
    expect(current.lateShare).toBeGreaterThan(0.3);
    expect(current.lateShareWithIt).toBeLessThan(current.lateShare);
    expect(Date.parse(current.startsAt)).toBeGreaterThan(at(9, 50));

    await job(at(9, 52));
    expect((await read(sceneId)).advice).toMatchObject([{ id: current.id }]);
    const [event, ...more] = await eventsOf(sceneId);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      data: {
        ...{ adviceId: current.id, tills: current.tills, target: { waitSeconds: 180, share: 0.9 } },
        message: expect.stringMatching(
          /^Open (one|two) more tills? by .*: otherwise \d+% wait longer than 3 min\.$/,
        ),
      },
    });

    // Nobody opened a till, and people waited for long.
    const { db } = api.context;
    const late = Array.from({ length: 20 }, (_, minute): VisitRow => {
      const arrivedAtMs = Date.parse(current.startsAt) + minute * 30_000;
      const times = { arrivedAtMs, decidedAtMs: arrivedAtMs + 400_000 };
      return { outcome: 'completed', ...times, waitMs: 300_000, serviceMs: 60_000 };
    });
    await addVisits(db, sceneId, late);
    const states = { name: 'a', freeSeconds: 0, lostSeconds: 0, spans: null };
    await db.tillQuarter.createMany({
      data: TILLS.flatMap(({ id }) =>
        Array.from({ length: 16 }, (_, quarter) => ({
          ...{ ...states, sceneId, tillId: id, quarter: new Date(at(9, quarter * 15)) },
          servingSeconds: id === 'a' ? 900 : 0,
          closedSeconds: id === 'a' ? 0 : 900,
        })),
      ),
    });
    await db.scene.update({ where: { id: sceneId }, data: { analysisStatus: 'stopped' } });
    await job(Date.parse(current.endsAt) + 21 * MINUTE_MS);
    const after = await read(sceneId);
    expect(after).toMatchObject({
      ...{ current: null, reason: 'notMeasured' },
      outcomes: { followed: 0, helpful: 1, needless: 0, unknown: 0, helpfulShare: 1 },
      advice: [{ id: current.id, outcome: 'helpful', people: 20, actualLateShare: 1, actualOpenTills: 1 }],
    });
    expect((await read(sceneId, `to=${new Date(at(9)).toISOString()}`)).advice).toEqual([]);

    clock.time = new Date(TODAY + 5_000 * DAY_MS);
    await removeOldAdvice(api.context);
    expect(await db.staffingAdvice.count({ where: { sceneId } })).toBe(0);
  });

  test('is stored in shadow, and not told, in the first weeks', async () => {
    const sceneId = await newScene();
    await addDays(sceneId, 8);
    await seeNow(sceneId, 'serving', 'closed', 'closed');
    await job(at(10, 20));
    expect((await read(sceneId)).current).toMatchObject({ isShadow: true });
    expect(await eventsOf(sceneId)).toEqual([]);
  });

  test('is that a till can close where nobody comes', async () => {
    const sceneId = await newScene();
    await addDays(sceneId, 8);
    await seeNow(sceneId, 'serving', 'free', 'free');
    await job(at(13, 20));
    expect((await read(sceneId)).current).toMatchObject({ tills: -1, openTills: 3 });
  });

  test.each([
    ['fewTills', 1, ['serving'], 8],
    ['notMeasured', 3, [], 8],
    ['learning', 3, ['serving', 'closed', 'closed'], 6],
    [null, 3, ['serving', 'closed', 'unknown'], 8],
    [null, 3, ['closed', 'closed', 'closed'], 8],
  ] as const)('is null with the reason %p', async (reason, tills, states, days) => {
    const sceneId = await newScene(TILLS.slice(0, tills));
    await addDays(sceneId, days);
    if (states.length > 0) await seeNow(sceneId, ...states);
    await job(at(10, 20));
    expect(await read(sceneId)).toMatchObject({ current: null, reason, advice: [] });
  });

  test('that cannot be decided keeps no other one from its outcome', async () => {
    const { db } = api.context;
    const sceneId = await newScene();
    const [hour, day] = [at(9), at(9, 0, -1)].map((ms) => new Date(ms));
    const given = { openTills: 1, tills: 1, lateShare: 0.5, lateShareWithIt: 0, isShadow: true };
    const target = { targetWaitSeconds: 180, targetShare: 0.9 };
    await db.staffingAdvice.createMany({
      data: [day!, hour!].map((time) => ({
        ...{ ...given, ...target, sceneId, madeAt: time, heldUntil: time, startsAt: time, endsAt: time },
      })),
    });
    await db.$executeRawUnsafe(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused'; END $$`);
    await db.$executeRawUnsafe(`CREATE TRIGGER refuse BEFORE UPDATE ON "StaffingAdvice" FOR EACH ROW
      WHEN (OLD."madeAt" = '${day!.toISOString()}') EXECUTE FUNCTION refuse()`);
    await job(at(10));
    const outcomes = await db.staffingAdvice.findMany({ where: { sceneId }, orderBy: { madeAt: 'asc' } });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([null, 'unknown']);
  });

  test('is only for the owner', async () => {
    const sceneId = await newScene();
    const other = await api.user();
    expect(codeOf(await other.get(`/analytics/scenes/${sceneId}/advice`))).toEqual([404, 'NOT_FOUND']);
    const wrong = await owner.get(`/analytics/scenes/${sceneId}/advice?from=2030-01-01T00:00:00Z`);
    expect(codeOf(wrong)).toEqual([400, 'INVALID_DATE_RANGE']);
  });
});
