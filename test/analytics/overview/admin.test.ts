import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiUser, codeOf, SHOP, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { addAlert, addRule } from '../../support/rows/alert-rows.ts';
import { addNode, queueScene } from '../../support/rows/runs.ts';

let api: TestApi;
let admin: ApiUser;
beforeAll(async () => {
  api = await testApi();
  admin = await api.user(['admin']);
});
afterAll(() => api.drop());

const overview = async () => (await admin.get('/admin/overview')).body.data;

test('an installation without work and without nodes is not ready', async () => {
  const data = await overview();
  expect(data).toMatchObject({
    isReady: false,
    runs: { queued: 0, processing: 0, oldestQueuedAgeMs: null },
    nodes: {
      healthy: 0,
      degraded: 0,
      offline: 0,
      draining: 0,
      activeDeviceCount: 0,
      maxConcurrentDevices: 0,
    },
    webhookDeliveries: { due: 0, oldestDueAgeMs: null },
    insights: { pending: 0, oldestPendingAgeMs: null },
  });
  expect(data.databaseMs).toBeGreaterThan(0);
});

test('what waits is counted over all users, with the age of the oldest', async () => {
  const { db } = api.context;
  const user = await api.user();
  const { id } = (await user.post('/devices', SHOP)).body.data;
  const runs = [];
  for (const _each of [1, 2, 3]) runs.push((await queueScene(db, { id, userId: user.userId })).task.id);
  await db.$executeRaw`UPDATE "AnalysisTask" SET "createdAt" = now() - interval '90 s' WHERE id = ${runs[0]}::uuid`;
  const busy = await addNode(db, 'busy');
  await db.analysisTask.update({
    where: { id: runs[2]! },
    data: { computeNodeId: busy, epoch: 1, startedAt: new Date(), status: 'PROCESSING' },
  });
  await db.computeNode.update({ where: { id: busy }, data: { activeDeviceCount: 1 } });
  const [leaving, weak, gone] = [
    await addNode(db, 'leaving'),
    await addNode(db, 'weak'),
    await addNode(db, 'gone'),
  ];
  await db.computeNode.update({ where: { id: leaving }, data: { isDraining: true } });
  await db.computeNode.update({ where: { id: weak }, data: { health: 'degraded' } });
  await db.computeNode.update({
    where: { id: gone },
    data: { lastHeartbeatAt: new Date(Date.now() - 3_600_000) },
  });

  const rule = await addRule(db, { ...(await shopOf(user)), userId: user.userId });
  const { event, insight } = await addAlert(db, rule, { event: { triggeredAt: new Date() } });
  await db.$executeRaw`UPDATE "Insight" SET "createdAt" = now() - interval '60 s' WHERE id = ${insight.id}::uuid`;
  await user.post('/users/me/webhook', { url: 'https://93.184.216.34/hook' });
  const webhook = await db.webhook.findFirstOrThrow({ where: { userId: user.userId } });
  for (const dueAt of [new Date(0), new Date('2999-01-01')]) {
    const type = 'system_announcement';
    const { id: eventId } = await db.event.create({
      data: {
        userId: user.userId,
        type,
        body: Buffer.from('{}'),
        occurredAt: event.triggeredAt,
        dedupeKey: randomUUID(),
      },
    });
    await db.webhookDelivery.create({
      data: {
        ...{ userId: user.userId, webhookId: webhook.id, webhookUrl: webhook.url, eventId, dueAt },
        ...{ notificationType: type, maxAttempts: 1 },
      },
    });
  }

  const data = await overview();
  expect(data).toMatchObject({
    isReady: true,
    runs: { queued: 2, processing: 1 },
    nodes: {
      healthy: 2,
      degraded: 1,
      offline: 1,
      draining: 1,
      activeDeviceCount: 1,
      maxConcurrentDevices: 30,
    },
    webhookDeliveries: { due: 1 },
    insights: { pending: 1 },
  });
  expect(data.runs.oldestQueuedAgeMs).toBeGreaterThanOrEqual(90_000);
  expect(data.insights.oldestPendingAgeMs).toBeGreaterThanOrEqual(60_000);
  expect(data.webhookDeliveries.oldestDueAgeMs).toBeGreaterThan(86_400_000);
});

test('nodes that all leave make it not ready', async () => {
  await api.context.db.computeNode.updateMany({ data: { isDraining: true } });
  expect((await overview()).isReady).toBe(false);
});

test('only administrators see it', async () => {
  expect(codeOf(await (await api.user()).get('/admin/overview'))).toEqual([403, 'INSUFFICIENT_SCOPE']);
});
