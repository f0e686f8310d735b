import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditHistory } from '../../../src/analytics/history/audit-history.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { workOnNext } from '../../../src/privacy/work-on-jobs.ts';
import { type ApiUser, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestWorker, type TestWorker } from '../../support/worker.ts';

let api: TestApi;
let user: ApiUser;
let worker: TestWorker;
beforeAll(async () => {
  api = await testApi({}, systemClock);
  user = await api.user();
  const { context } = api;
  const database = { db: context.db, url: context.config.databaseUrl!, imagesDir: api.imagesDir };
  worker = await startTestWorker({ ...database, drop: async () => undefined });
});
afterAll(async () => {
  await worker.stop();
  await api.drop();
});

test('an erasure while a run writes leaves nothing of its range, and the analysis goes on', async () => {
  const { db } = api.context;
  const { deviceId, sceneId } = await shopOf(user);
  await user.patch(`/devices/${deviceId}`, { streamUrl: 'sim:shop?seed=1' });
  expect((await user.post(`/devices/${deviceId}/analysis/start`, { sceneId })).status).toBe(202);
  await eventually(
    'there are open visits, minutes and a floor map',
    async () =>
      (await db.visit.count({ where: { sceneId, outcomeDecidedAt: null } })) > 0 &&
      (await db.occupancyMinute.count({ where: { sceneId } })) > 0 &&
      (await db.floorHour.count({ where: { sceneId } })) > 0,
  );
  const looked = await user.get(`/devices/${deviceId}/frame`);
  expect(looked.status).toBe(200);
  const first = await db.analysisTask.findFirstOrThrow({ where: { sceneId } });

  const to = new Date();
  const from = new Date(to.getTime() - 3_600_000);
  const range = { from: from.toISOString(), to: to.toISOString() };
  const { id } = (await user.post('/privacy/erasures', range)).body.data;
  expect(await workOnNext(api.context, new AbortController().signal)).toBe(true);
  const { status, counts } = (await user.get(`/privacy/erasures/${id}`)).body.data;
  expect([status, counts.visits > 0, counts.minutes > 0]).toEqual(['completed', true, true]);

  const next = await eventually('the analysis goes on', async () =>
    db.analysisTask.findFirst({ where: { sceneId, runStatus: 'running', id: { not: first.id } } }),
  );
  expect(next.createdAt.getTime()).toBeGreaterThan(to.getTime());
  await eventually(
    'the new run has stored a snapshot and a minute',
    async () =>
      (await db.metricSnapshot.count({ where: { sceneId } })) > 0 &&
      (await db.occupancyMinute.count({ where: { sceneId } })) > 0,
  );
  const began = next.startedAt!;
  const { length: old } = await db.visit.findMany({ where: { sceneId, arrivalDecidedAt: { lt: to } } });
  const minutes = await db.occupancyMinute.findMany({ where: { sceneId }, orderBy: { minute: 'asc' } });
  const snapshots = await db.metricSnapshot.count({ where: { sceneId, windowStart: { lt: to } } });
  expect([old, snapshots]).toEqual([0, 0]);
  expect(minutes[0]!.minute.getTime()).toBeGreaterThan(began.getTime() - 60_000);
  const [hour] = await db.floorHour.findMany({ where: { sceneId } });
  expect(hour?.coveredMs ?? 0).toBeLessThan(Date.now() - began.getTime());
  expect((await auditHistory(db)).differences).toEqual([]);
  const actions = (await user.get('/audit')).body.data.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(
    expect.arrayContaining(['pictures_viewed', 'erasure_requested', 'erasure_completed']),
  );
});
