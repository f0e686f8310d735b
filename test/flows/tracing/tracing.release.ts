import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Program, startProgram } from '../../../scripts/support/programs.ts';
import { sealSecret } from '../../../src/delivery/webhooks/secret.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { stillPersonEnv } from '../../support/networks/still-person.ts';
import { addRule } from '../../support/rows/alert-rows.ts';
import { addMailChannel, addPushChannel, testBrowser } from '../../support/rows/channels.ts';
import { addDevice, queueScene, TEST_ENCRYPTION_KEYS, testSealer } from '../../support/rows/runs.ts';
import { answering, type TestReceiver, testReceiver } from '../../support/servers/receiver.ts';
import { type TestSmtpServer, testSmtpServer } from '../../support/servers/smtp-server.ts';
import {
  type CollectedSpan,
  type TraceCollector,
  traceCollector,
} from '../../support/servers/trace-collector.ts';
import { VlmServer } from '../../support/servers/vlm-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tracing-'));
const programs: Program[] = [];
let detector: Record<string, string>;
let database: TestDatabase;
let receiver: TestReceiver;
let collector: TraceCollector;
let model: VlmServer;
let smtp: TestSmtpServer;
beforeAll(async () => {
  [database, receiver, collector, model, smtp] = await Promise.all([
    testDatabase(),
    testReceiver(),
    traceCollector(),
    VlmServer.start(),
    testSmtpServer(),
  ]);
  detector = await stillPersonEnv(join(folder, 'cards'));
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await Promise.all([database.drop(), receiver.stop(), collector.stop(), model.stop(), smtp.stop()]);
  rmSync(folder, { recursive: true });
});

function start(file: string): Program {
  const env = {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder, ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS },
    ...{ HOST: '127.0.0.1', PORT: '0', LANES: '1', RENEW_SECONDS: '1', ...detector },
    ...{ WEBHOOK_ALLOW_HOSTS: 'localhost', WEBHOOK_CA_FILE: receiver.caFile },
    ...{ SMTP_URL: smtp.url, SMTP_CA_FILE: smtp.caFile, MAIL_FROM: 'video@example.com' },
    ...{ VLM_PROVIDER: 'openai', VLM_URL: model.url, VLM_MODEL: 'made-up', VLM_API_KEY: model.key },
    ...{
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'shop',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  };
  const program = startProgram(file, env, folder);
  programs.push(program);
  return program;
}

const shown = ({ name, kind, attributes, resource }: CollectedSpan) => ({ name, kind, attributes, resource });
const [INTERNAL, CLIENT] = [1, 3];

test('one trace leads from the frame that fires a rule to the webhook that another program delivers', async () => {
  const { db } = database;
  const { scene, task } = await queueScene(db, await addDevice(db, 'sim:shop?seed=1', 2));
  const { userId, deviceId } = scene;
  const place = { userId, deviceId, sceneId: scene.id };
  const rule = await addRule(db, place, {
    conditions: [{ metricPath: 'current.totalPresent', operator: 'GTE', threshold: 0 }],
    cooldownMinutes: 1440,
  });
  await db.webhook.create({
    data: {
      ...{ userId, url: receiver.url, timeoutMs: 30_000, maxRetries: 3 },
      ...{ subscribedTypes: ['alert_triggered'], ...sealSecret(testSealer, 'a secret of the receiver') },
    },
  });
  const push = testBrowser(`${new URL(receiver.url).origin}/push`);
  const channels = await Promise.all([
    addMailChannel({ db }, userId),
    addPushChannel({ db, sealer: testSealer }, userId, push),
  ]);
  await db.notificationSubscription.createMany({
    data: channels.map(({ id: channelId }) => ({ userId, channelId, kinds: ['alert_triggered'] })),
  });
  receiver.answer = answering(500);
  const worker = start('src/worker.ts');
  const alert = await eventually('the alert is stored', () =>
    db.alertEvent.findFirst({ where: { ruleId: rule.id } }),
  );
  const { id: insightId } = await eventually('the insight is written', () =>
    db.insight.findFirst({ where: { alertEventId: alert.id, vlmStatus: 'completed' } }),
  );
  const traceId = alert.id.replaceAll('-', '');
  const find = (name: string, of = 'worker') =>
    collector.spans.find(
      (span) => span.traceId === traceId && span.name === name && span.resource.program === of,
    );
  for (const name of ['webhook', 'email', 'push'])
    await eventually(`the first attempt of ${name} is traced`, () => find(name));
  await worker.stop();

  receiver.answer = answering(204);
  await db.webhookDelivery.updateMany({ where: { status: 'pending' }, data: { dueAt: new Date() } });
  start('src/api.ts');
  const delivered = await eventually('the API traces the next attempt', () => find('webhook', 'api'));

  const [root, insight, chat, refused] = ['alert', 'insight', 'chat', 'webhook'].map((name) => find(name)!);
  // Any of them is found by the ids of what it is about, and none has what is secret.
  for (const name of ['alert', 'analysis', 'insight', 'webhook', 'email', 'push'])
    expect([name, find(name)!.attributes]).toEqual([
      name,
      expect.objectContaining({ 'user.id': userId, 'alert.event.id': alert.id }),
    ]);
  for (const name of ['alert', 'analysis', 'insight', 'email', 'push'])
    expect([name, find(name)!.attributes['device.id']]).toEqual([name, deviceId]);
  const [analysis, email, pushed] = ['analysis', 'email', 'push'].map((name) => find(name)!);
  expect(shown(root!)).toMatchObject({
    kind: INTERNAL,
    attributes: {
      ...{ 'alert.event.id': alert.id, 'alert.rule.id': rule.id, 'analysis.run.id': task.id },
      ...{ 'user.id': userId, 'scene.id': scene.id, 'device.id': deviceId },
      ...{ 'frame.time': alert.triggeredAt.toISOString() },
    },
    resource: { 'service.name': 'shop', 'service.version': expect.any(String), program: 'worker' },
  });
  expect(root!.parentSpanId || null).toBeNull();
  expect(BigInt(root!.startTimeUnixNano) / 1_000_000n).toBe(BigInt(alert.triggeredAt.getTime()));
  expect(BigInt(root!.endTimeUnixNano)).toBeGreaterThan(BigInt(root!.startTimeUnixNano));
  expect(shown(insight!)).toMatchObject({
    kind: INTERNAL,
    attributes: { 'insight.id': insightId, 'insight.attempt': 1, 'insight.outcome': 'completed' },
  });
  expect(shown(chat!)).toMatchObject({
    kind: CLIENT,
    attributes: { 'gen_ai.request.model': 'made-up', 'gen_ai.usage.input_tokens': 900 },
  });
  expect(shown(refused!).attributes).toMatchObject({
    'webhook.attempt': 1,
    'http.response.status_code': 500,
  });
  expect(shown(delivered)).toMatchObject({
    kind: CLIENT,
    attributes: { 'webhook.attempt': 2, 'http.response.status_code': 204, 'server.address': 'localhost' },
    resource: { 'service.name': 'shop', program: 'api' },
  });
  const below = [analysis, insight, refused, delivered, email, pushed];
  expect(below.map((span) => span!.parentSpanId)).toEqual(below.map(() => root!.spanId));
  expect(analysis!.startTimeUnixNano).toBe(root!.startTimeUnixNano);
  expect(BigInt(analysis!.endTimeUnixNano)).toBeGreaterThan(BigInt(analysis!.startTimeUnixNano));
  expect(BigInt(analysis!.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root!.endTimeUnixNano));
  expect(shown(email!)).toMatchObject({
    kind: CLIENT,
    attributes: {
      'notification.kind': 'alert_triggered',
      'notification.attempt': 1,
      'notification.events': 1,
    },
  });
  expect(shown(pushed!).attributes).toMatchObject({
    'notification.attempt': 1,
    'http.response.status_code': 500,
  });
  expect(chat!.parentSpanId).toBe(insight!.spanId);
  const sent = JSON.stringify(collector.spans);
  for (const secret of [
    model.key,
    'a secret of the receiver',
    new URL(receiver.url).pathname,
    '@example.com',
    'sim:shop',
  ])
    expect(sent).not.toContain(secret);
  // A message of a browser is encrypted.
  const hooks = receiver.arrived.filter(({ headers }) => headers['content-encoding'] === undefined);
  expect(hooks.map(({ headers }) => headers.traceparent)).toEqual(
    [refused, delivered].map((span) => `00-${traceId}-${span!.spanId}-01`),
  );
});
