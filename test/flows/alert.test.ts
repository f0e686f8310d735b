import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createKey } from '../../src/access/create-key.ts';
import { changeRule } from '../../src/alerts/configure-rule.ts';
import { Notifier } from '../../src/delivery/notifications/delivery/notifier.ts';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import { requestStop } from '../../src/runs/store/stop-runs.store.ts';
import { type TestApi, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { addRule } from '../support/rows/alert-rows.ts';
import { addMailChannel } from '../support/rows/channels.ts';
import { addDevice, queueScene } from '../support/rows/runs.ts';
import { type TestSmtpServer, testSmtpServer } from '../support/servers/smtp-server.ts';
import { serveStreams } from '../support/streams/event-stream.ts';
import { told } from '../support/told.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let smtp: TestSmtpServer;

beforeAll(async () => {
  smtp = await testSmtpServer();
  api = await testApi({ SMTP_URL: smtp.url, SMTP_CA_FILE: smtp.caFile });
  const { context, imagesDir } = api;
  const url = context.config.databaseUrl!;
  // A node also loads changed rules when it renews, here after 45 s. An earlier change comes by NOTIFY.
  worker = await startTestWorker(
    { db: context.db, url, imagesDir, drop: async () => undefined },
    // The alert is recorded with its images, however long they take on a busy machine.
    { leaseSeconds: 900, renewSeconds: 300, alertPictureWaitSeconds: 300 },
  );
});
afterAll(async () => {
  await worker.stop();
  await api.drop();
  await smtp.stop();
});

test('a rule that is added during a run fires and causes images, an insight and live events', async () => {
  const { db } = api.context;
  const { scene, task } = await queueScene(db, await addDevice(db, 'sim:shop?seed=1&start=120'));
  const place = { userId: scene.userId, deviceId: scene.deviceId, sceneId: scene.id };
  await eventually('the run is running', async () => {
    const { runStatus } = await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
    return runStatus === 'running';
  });
  const { key } = await createKey(db, { userId: scene.userId, name: 'live', scopes: ['analytics:read'] });
  const server = await serveStreams(api.app);
  const stream = await server.open('/stream?types=alerts,insights', { authorization: `Bearer ${key}` });
  const rule = await addRule(db, place, {
    name: 'Anybody at all',
    conditions: [{ metricPath: 'current.totalPresent', operator: 'GTE', threshold: 1_000 }],
  });
  const conditions = [{ metricPath: 'current.totalPresent', operator: 'GTE' as const, threshold: 0 }];
  await changeRule(db, { userId: scene.userId, id: rule.id }, { conditions });

  const channel = await addMailChannel(api.context, scene.userId);
  await db.notificationSubscription.create({
    data: { userId: scene.userId, channelId: channel.id, kinds: ['alert_triggered'], ruleIds: [rule.id] },
  });
  const event = await eventually('the rule fires', () =>
    db.alertEvent.findFirst({ where: { ruleId: rule.id } }),
  );
  expect(event).toMatchObject({
    ...place,
    taskId: task.id,
    metricPath: 'current.totalPresent',
    threshold: 0,
  });
  const images = await db.storedImage.findMany({ where: { alertEventId: event.id } });
  expect(images.map(({ kind }) => kind).sort()).toEqual(['annotated', 'clean', 'thumbnail']);
  const store = new LocalImages(api.imagesDir);
  for (const { objectKey, width, height, sizeBytes } of images) {
    const bytes = await store.get(objectKey);
    expect(bytes!.length).toBe(sizeBytes);
    expect(await sharp(bytes!).metadata()).toMatchObject({ format: 'jpeg', width, height });
  }
  const [sent] = await told(db, { alertEventId: event.id });
  expect(sent).toMatchObject({
    type: 'alert_triggered',
    data: { ruleId: rule.id, message: event.message, snapshotUrls: [expect.any(String), expect.any(String)] },
  });
  expect(await db.usageEvent.count({ where: { feature: 'alert', sourceId: `alert:${event.id}` } })).toBe(1);

  const insight = await eventually('its insight is completed', () =>
    db.insight.findFirst({ where: { alertEventId: event.id, vlmStatus: 'completed' } }),
  );
  expect(insight).toMatchObject({ vlmProvider: 'rules', vlmTokensUsed: 0, vlmError: null });
  expect(insight.vlmSummary).toMatch(/^Camera: people present \d+, limit 0\./);

  const notifier = new Notifier(api.context);
  await eventually('its owner gets an e-mail', async () => {
    await notifier.turn();
    await notifier.settled();
    return smtp.mails.length > 0;
  });
  await notifier.stop();
  expect(smtp.mails[0]).toMatchObject({ to: [channel.address] });
  expect(smtp.mails[0]!.headers.get('subject')).toBe('Warning: Anybody at all');
  const annotated = images.find(({ kind }) => kind === 'annotated')!;
  expect(smtp.mails[0]!.parts.find(({ type }) => type === 'image/jpeg')!.content).toEqual(
    await store.get(annotated.objectKey),
  );

  const [alert] = await stream.of('alerts');
  expect(alert!.data).toEqual(sent);
  await eventually('the event stream has the completed insight', () =>
    stream.events.some(({ data }) => data.vlmStatus === 'completed'),
  );
  const changes = stream.events.filter(({ type }) => type === 'insights').map(({ data }) => data);
  expect(changes.every(({ insightId, sceneId }) => insightId === insight.id && sceneId === scene.id)).toBe(
    true,
  );
  expect(changes.at(-1)).toMatchObject({ vlmStatus: 'completed', vlmSummary: insight.vlmSummary });
  stream.close();
  await server.close();

  await eventually('the rule is stored as firing', async () => {
    const { isFiring } = await db.alertRule.findUniqueOrThrow({ where: { id: rule.id } });
    return isFiring;
  });
  expect(await db.alertRule.findUniqueOrThrow({ where: { id: rule.id } })).toMatchObject({
    triggerCount: 1,
    lastTriggeredAt: event.triggeredAt,
  });
  const stop = { reason: 'user_request', drain: false, deadlineSeconds: 60 } as const;
  await requestStop(db, { ids: [task.id], deviceId: scene.deviceId }, stop);
  await eventually('the rule is no longer firing', async () => {
    const { isFiring } = await db.alertRule.findUniqueOrThrow({ where: { id: rule.id } });
    return !isFiring;
  });
  const { lastTriggeredAt } = await db.alertRule.findUniqueOrThrow({ where: { id: rule.id } });
  expect(lastTriggeredAt).toEqual(event.triggeredAt);
});
