import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { removeOldMessages } from '../../../src/delivery/notifications/delivery/delivery.store.ts';
import { newImageKey } from '../../../src/platform/images/image-store.ts';
import { Prometheus } from '../../../src/platform/prometheus.ts';
import { shopOf } from '../../support/api.ts';
import { addAlert, addRule } from '../../support/rows/alert-rows.ts';
import { decryptPush, readVapid } from '../../support/servers/push-message.ts';
import { answering } from '../../support/servers/receiver.ts';
import { notificationWorld, PUBLIC_URL } from './world.ts';

const HOUR = 3600;

const world = notificationWorld();
const { clock, deliver, deliverAfter, happen, mailChannel, pushChannel, records, subscribe } = world;

const OFFLINE = {
  ...{ deviceId: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d01', deviceName: 'Camera till 3' },
  ...{ lastFrameAt: null, error: 'The camera refuses the connection.' },
};
const KINDS = { kinds: ['device_offline'] };

/** A rule of a scene fires, with stored pictures where told. */
async function alert({ name = 'Long queue', hasPicture = false } = {}) {
  const { context } = world.api;
  const { db, images } = context;
  const { userId } = world.user;
  const { deviceId, sceneId } = await shopOf(world.user);
  const rule = await addRule(db, { userId, deviceId, sceneId }, { name, severity: 'critical' });
  const { event } = await addAlert(db, rule, { event: { triggeredAt: clock.now() } });
  const jpeg = await sharp({ create: { width: 64, height: 36, channels: 3, background: 'grey' } })
    .jpeg()
    .toBuffer();
  for (const kind of hasPicture ? (['clean', 'annotated'] as const) : []) {
    const objectKey = newImageKey(clock.now(), userId);
    await images.put(objectKey, kind === 'annotated' ? jpeg : Buffer.from('another picture'));
    const size = { width: 64, height: 36, sizeBytes: jpeg.length };
    const row = { userId, alertEventId: event.id, kind, objectKey, ...size, capturedAt: clock.now() };
    await db.storedImage.create({ data: row });
  }
  await happen(
    'alert_triggered',
    {
      ...{ ruleId: rule.id, ruleName: name, sceneId, sceneName: 'Till', deviceId, severity: 'critical' },
      ...{
        metricPath: 'rolling15Min.completed.p90WaitSeconds',
        operator: 'GTE',
        threshold: 120,
        actualValue: 200.4,
      },
      ...{ message: 'message', snapshotUrls: [] },
    },
    { deviceId, sceneId, severity: 'critical', alertEventId: event.id },
  );
  return { deviceId, sceneId, ruleId: rule.id, alertId: event.id, jpeg };
}

describe('an alert', () => {
  test('is told by e-mail: what, where, since when, with its picture and a link', async () => {
    const { db } = world.api.context;
    await subscribe(await mailChannel());
    clock.time = new Date('2027-01-30T08:15:00.000Z');
    await db.user.update({ where: { id: world.user.userId }, data: { timezone: 'Europe/Berlin' } });
    const { alertId, jpeg } = await alert({ hasPicture: true });
    await deliver();
    const [mail] = world.smtp.mails;
    expect(mail!.headers.get('subject')).toBe('Critical: Long queue');
    const { text, html } = mail!;
    expect(text.replaceAll('\r\n', '\n')).toContain(`Critical: Long queue

Shop – Till: wait of 90 % in the last 15 minutes 3 min 20 s, limit 2 min
Since: Sat 30 Jan, 09:15 CET

Open: ${PUBLIC_URL}/#/feed/${alertId}
`);
    expect(html).toContain(`<a href="${PUBLIC_URL}/#/feed/${alertId}">Open</a>`);
    expect(html).toContain('src="cid:picture"');
    const picture = mail!.parts.find(({ type }) => type === 'image/jpeg')!;
    expect(picture.content).toEqual(jpeg);
    expect(picture.headers.get('content-id')).toBe('<picture>');
    expect(await records('kind=alert_triggered')).toMatchObject([
      {
        ...{
          status: 'success',
          severity: 'critical',
          alertEventId: alertId,
          eventCount: 1,
          responseCode: 250,
        },
        ...{ address: 'anna@example.com', isFinalAttempt: true, attemptedAt: clock.time.toISOString() },
      },
    ]);
  });

  test('is told to a browser: encrypted for it, signed by us, with a signed picture', async () => {
    const { id, browser } = await pushChannel();
    await subscribe(id);
    const { alertId } = await alert({ hasPicture: true });
    await deliver();
    const [arrived] = world.push.arrived;
    expect(arrived!.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      urgency: 'high',
      ttl: '86400',
    });
    const { publicKey } = (await world.user.get('/notifications/push-key')).body.data;
    expect(readVapid(arrived!, publicKey)).toMatchObject({
      ...{ aud: new URL(world.push.url).origin, sub: PUBLIC_URL },
    });
    const content = decryptPush(arrived!.body, browser);
    const [record] = await records();
    expect(content).toEqual({
      title: 'Critical: Long queue',
      body: expect.stringMatching(
        /^Shop – Till: wait of 90 % in the last 15 minutes 3 min 20 s, limit 2 min\n/,
      ),
      url: `${PUBLIC_URL}/#/feed/${alertId}`,
      tag: record!.messageId,
      severity: 'critical',
      image: expect.stringContaining(`${PUBLIC_URL}/api/v1/images/`),
    });
    const { pathname, search } = new URL(content.image as string);
    const image = await world.api.nobody.get(`${pathname.replace('/api/v1', '')}${search}`);
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect(record).toMatchObject({ status: 'success', responseCode: 201 });
  });

  test('is told in German, without a picture where there is none', async () => {
    await world.api.context.db.user.update({ where: { id: world.user.userId }, data: { locale: 'de' } });
    await subscribe(await mailChannel());
    await alert();
    await deliver();
    const { headers, text, parts } = world.smtp.mails[0]!;
    expect(headers.get('subject')).toBe('Kritisch: Long queue');
    expect(text).toContain(
      'Shop – Till: Wartezeit von 90 % in den letzten 15 Minuten 3 min 20 s, Grenze 2 min',
    );
    expect(text).toMatch(/Seit: .*UTC/);
    expect(parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html']);
  });

  test('with a hostile name adds no header, no tag and no link', async () => {
    const { id, browser } = await pushChannel();
    await subscribe(id);
    await subscribe(await mailChannel());
    const name = 'Q\r\nBcc: eve@example.com\r\n\r\n<img src=x onerror="alert(1)">&\u202egnol';
    await alert({ name });
    await deliver();
    const { headers, html, to } = world.smtp.mails[0]!;
    expect([headers.has('bcc'), to]).toEqual([false, ['anna@example.com']]);
    expect(headers.get('subject')).toBe(
      'Critical: Q Bcc: eve@example.com <img src=x onerror="alert(1)">& gnol',
    );
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp; gnol');
    expect(decryptPush(world.push.arrived[0]!.body, browser).title).toBe(
      'Critical: Q Bcc: eve@example.com <img src=x onerror="alert(1)">& gnol',
    );
  });

  test('that was erased before it was told is not told', async () => {
    await subscribe((await pushChannel()).id, { minDistanceSeconds: HOUR });
    const { db } = world.api.context;
    await alert();
    await deliver();
    await alert();
    await deliver();
    await db.event.deleteMany({ where: { userId: world.user.userId } });
    await deliverAfter(HOUR);
    expect(world.push.arrived).toHaveLength(1);
    expect((await records()).at(-1)).toMatchObject({
      ...{ status: 'failed', errorMessage: 'What it was about has been erased.', isFinalAttempt: true },
    });
  });
});

test('events of recordings, of other users and tests of a webhook are not told', async () => {
  const { db } = world.api.context;
  await subscribe((await pushChannel()).id, { kinds: ['device_offline', 'alert_triggered'] });
  const { deviceId } = await shopOf(world.user);
  await db.device.update({ where: { id: deviceId }, data: { kind: 'recording' } });
  await happen('device_offline', OFFLINE, { deviceId });
  await happen('device_offline', OFFLINE, { userId: (await world.api.user()).userId });
  await world.user.post('/users/me/webhook', { url: world.push.url });
  await world.user.post('/users/me/webhook/test', { type: 'alert_triggered' });
  await deliver();
  expect(await records()).toEqual([]);
});

test('what happens in quiet hours is one message at their end', async () => {
  const { id, browser } = await pushChannel();
  const { time } = clock;
  const hour = (plus: number) => `${String((time.getUTCHours() + plus) % 24).padStart(2, '0')}:00`;
  const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], start: hour(0), end: hour(2) }];
  await subscribe(id, { ...KINDS, quietHours: { timezone: 'UTC', windows } });
  for (const name of ['Camera 1', 'Camera 2', 'Camera 3']) {
    await happen('device_offline', { ...OFFLINE, deviceName: name });
    await deliverAfter(1);
  }
  expect(world.push.arrived).toEqual([]);
  const [waiting, ...others] = await records();
  expect([waiting, others]).toMatchObject([{ status: 'pending', eventCount: 3 }, []]);
  clock.time = new Date(waiting!.nextAttemptAt as string);
  await deliver();
  const content = decryptPush(world.push.arrived[0]!.body, browser);
  expect(content.title).toBe('Camera 3 is offline');
  expect(content.body).toMatch(/2 more since /);
});

test('an event is told once, however many processes tell and send, and when they are killed', async () => {
  await subscribe((await pushChannel()).id, { ...KINDS, minDistanceSeconds: 0 });
  for (let i = 0; i < 12; i++) await happen('device_offline', { ...OFFLINE, deviceName: `Camera ${i}` });
  const [one, two] = [world.notifier(), world.notifier()];
  // Both tell and claim at the same time; neither does what the other does.
  for (let i = 0; i < 4; i++) {
    await Promise.all([one.turn(), two.turn()]);
    await Promise.all([one.settled(), two.settled()]);
  }
  await deliver();
  expect(world.push.arrived).toHaveLength(12);
  expect(await records('status=success&limit=100')).toHaveLength(12);
});

test('an attempt of a process that died is made again with the same Message-ID', async () => {
  await subscribe(await mailChannel(), KINDS);
  await happen('device_offline', OFFLINE);
  world.smtp.behaviour = { hangAt: 'data' };
  const before = world.smtp.attempts;
  const dead = world.notifier({ stopMs: 0 });
  await dead.turn();
  while (world.smtp.attempts === before) await new Promise((resolve) => setImmediate(resolve));
  world.smtp.behaviour = 'accept';
  // Another process takes it when the claim has ended: 60 s for the mail and 5 s for its record.
  await deliverAfter(64);
  expect(world.smtp.mails).toHaveLength(0);
  await deliverAfter(2);
  const [record, ...others] = await records('kind=device_offline');
  expect([record, others]).toMatchObject([{ status: 'success', attemptNumber: 1 }, []]);
  expect(world.smtp.mails.map(({ headers }) => headers.get('message-id'))).toEqual([
    `<${record!.messageId}@example.com>`,
  ]);
});

test('records are removed after 30 days unless they are pending', async () => {
  await subscribe((await pushChannel()).id, KINDS);
  await happen('device_offline', OFFLINE);
  await deliver();
  clock.forward(30 * 24 * HOUR + 60);
  await removeOldMessages(world.api.context);
  expect(await records()).toEqual([]);
});

test('attempts are counted by channel and result', async () => {
  const prometheus = new Prometheus('test');
  const by = world.notifier({
    onMade: (channel, status) => prometheus.countNotification(channel, status),
  });
  world.push.answer = answering(500);
  await subscribe(await mailChannel(), KINDS);
  await subscribe((await pushChannel()).id, KINDS);
  await happen('device_offline', OFFLINE);
  await deliver(by);
  const metrics = await prometheus.registry.metrics();
  expect(metrics).toContain('notification_attempts_total{channel="email",status="success",program="test"} 1');
  expect(metrics).toContain('notification_attempts_total{channel="push",status="failed",program="test"} 1');
});
