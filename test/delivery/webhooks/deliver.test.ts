import { describe, expect, test } from '@jest/globals';
import { Deliverer } from '../../../src/delivery/webhooks/deliverer.ts';
import { removeOldDeliveries } from '../../../src/delivery/webhooks/retention.job.ts';
import { faultInDelivery } from '../../../src/delivery/webhooks/sign.ts';
import { answering, type TestReceiver } from '../../support/servers/receiver.ts';
import { BASE, deliveryWorld, SECRET } from './delivery-world.ts';

const MINUTE = 60;
const HOUR = 3600;

const world = deliveryWorld();
const { clock, deliver, deliverAfter, deliverer, tell } = world;

/** Newest first. */
const records = async (query = 'limit=100') =>
  (await world.user.get(`${BASE}/deliveries?${query}`)).body.data;
const inOrder = async () => (await records()).reverse();
const webhook = async () => (await world.user.get(BASE)).body.data;

describe('a delivery', () => {
  test('a delivery arrives as it was stored, signed with both kinds of headers, and its result is stored', async () => {
    const eventId = await tell();
    await deliver();
    const [{ headers, body }] = world.receiver.arrived as [TestReceiver['arrived'][0]];
    const [record] = await records();
    expect(JSON.parse(body.toString())).toEqual(record.payload);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-saas-event': 'maintenance_scheduled',
      'x-saas-delivery-id': record.id,
      'x-saas-timestamp': String(Math.floor(clock.time.getTime() / 1000)),
      'webhook-id': eventId,
    });
    expect(faultInDelivery({ headers, body, secret: SECRET, now: clock.now() })).toBeNull();
    expect(record).toMatchObject({
      ...{ status: 'success', httpStatusCode: 204, responseBody: '', errorMessage: null, attemptNumber: 1 },
      ...{
        maxAttempts: 4,
        isFinalAttempt: true,
        responseTimeMs: expect.any(Number),
        webhookUrl: world.receiver.url,
      },
    });
  });

  test('a delivery to a receiver that is down for 30 minutes arrives at the fourth attempt', async () => {
    const eventId = await tell();
    world.receiver.answer = answering(503, {}, 'down');
    await deliver();
    for (const seconds of [5, 5 * MINUTE]) {
      await deliverAfter(seconds - 1);
      expect(world.receiver.arrived).toHaveLength(seconds === 5 ? 1 : 2);
      await deliverAfter(1);
    }
    world.receiver.answer = answering(200, {}, 'up');
    await deliverAfter(30 * MINUTE);
    await deliverAfter(24 * HOUR);
    expect(world.receiver.arrived.map(({ body }) => JSON.parse(body.toString()).id)).toEqual(
      Array(4).fill(eventId),
    );
    const rows = await inOrder();
    expect(rows.map(({ attemptNumber }: { attemptNumber: number }) => attemptNumber)).toEqual([1, 2, 3, 4]);
    expect(
      rows.map((row: { status: string; isFinalAttempt: boolean }) => [row.status, row.isFinalAttempt]),
    ).toEqual([
      ...[
        ['failed', false],
        ['failed', false],
        ['failed', false],
        ['success', true],
      ],
    ]);
    expect(rows[0]).toMatchObject({
      ...{ httpStatusCode: 503, responseBody: 'down', errorMessage: 'The receiver answered 503.' },
    });
    const ids = world.receiver.arrived.map(({ headers }) => headers['x-saas-delivery-id']);
    expect(ids).toEqual(rows.map(({ id }: { id: string }) => id));
    const times = world.receiver.arrived.map(({ headers }) => Number(headers['x-saas-timestamp']));
    expect(times.map((time) => time - times[0]!)).toEqual([0, 5, 305, 2105]);
  });

  test('a delivery is given up after the last attempt', async () => {
    await world.user.patch(BASE, { maxRetries: 5 });
    await tell();
    world.receiver.answer = answering(500);
    await deliver();
    for (const seconds of [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 48 * HOUR])
      await deliverAfter(seconds);
    expect(world.receiver.arrived).toHaveLength(6);
    expect((await inOrder()).map((row: { isFinalAttempt: boolean }) => row.isFinalAttempt)).toEqual([
      ...[false, false, false, false, false, true],
    ]);
  });

  test.each([301, 302, 307, 308])(
    'a delivery follows no redirect: status %i is a failure',
    async (status) => {
      await tell();
      world.receiver.answer = answering(status, { location: `${world.receiver.url}/elsewhere` });
      await deliver();
      expect(world.receiver.arrived).toHaveLength(1);
      const [, record] = await records();
      expect(record).toMatchObject({
        ...{ status: 'failed', httpStatusCode: status },
        errorMessage: `The receiver answered ${status}: redirects are not followed.`,
      });
    },
  );

  test.each([
    ['120', 120],
    ['7200', HOUR],
    ['1', 5],
    ['soon', 5],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 5],
  ])('that is told Retry-After %s comes again after %i seconds', async (retryAfter, seconds) => {
    await tell();
    world.receiver.answer = answering(429, { 'retry-after': retryAfter });
    await deliver();
    await deliverAfter(seconds - 1);
    expect(world.receiver.arrived).toHaveLength(1);
    await deliverAfter(1);
    expect(world.receiver.arrived).toHaveLength(2);
  });

  test('a delivery that cannot be made counts as an attempt', async () => {
    await tell();
    // As no call stores it: to fail in the middle of an attempt.
    await world.api.context.db.webhook.updateMany({ data: { url: 'nowhere' } });
    await deliver();
    expect(await inOrder()).toMatchObject([
      {
        ...{ status: 'failed', isFinalAttempt: false, attemptedAt: null },
        errorMessage: 'The message could not be made: please tell the operator.',
      },
      { status: 'pending', attemptNumber: 2 },
    ]);
  });

  test('no further delivery is made after an answer 410 disabled the webhook', async () => {
    await tell();
    world.receiver.answer = answering(410);
    await deliver();
    await tell();
    await deliverAfter(HOUR);
    expect(world.receiver.arrived).toHaveLength(1);
    expect(await webhook()).toMatchObject({
      ...{ status: 'disabled', disabledReason: 'The receiver answered 410 Gone.' },
      disabledAt: expect.any(String),
    });
    expect(await records()).toMatchObject([{ httpStatusCode: 410, isFinalAttempt: true }]);
  });

  test('120 hours of failures alone disable the webhook', async () => {
    world.receiver.answer = answering(500);
    await world.user.patch(BASE, { maxRetries: 0 });
    for (const hours of [0, 60, 59]) {
      await tell();
      await deliverAfter(hours * HOUR);
      expect((await webhook()).status).toBe('enabled');
    }
    await tell();
    await deliverAfter(HOUR);
    expect(await webhook()).toMatchObject({
      ...{ status: 'disabled', disabledReason: 'Every delivery failed for 120 hours.' },
    });
    await world.user.patch(BASE, { status: 'enabled' });
    await tell();
    await deliverAfter(1);
    expect((await webhook()).status).toBe('enabled');
  });

  test('a successful delivery ends the series of failures', async () => {
    await world.user.patch(BASE, { maxRetries: 0 });
    for (const status of [500, 200, 500]) {
      world.receiver.answer = answering(status);
      await tell();
      await deliverAfter(61 * HOUR);
    }
    expect((await webhook()).status).toBe('enabled');
  });

  test('a delivery goes to the present webhook, and waits while it is disabled', async () => {
    await tell();
    world.receiver.answer = answering(500);
    await deliver();
    await world.user.patch(BASE, { url: `${world.receiver.url}/new`, status: 'disabled' });
    await deliverAfter(5);
    expect(world.receiver.arrived).toHaveLength(1);
    expect(await inOrder()).toMatchObject([
      { webhookUrl: world.receiver.url, isFinalAttempt: false },
      {
        status: 'failed',
        isFinalAttempt: true,
        errorMessage: 'The webhook was disabled before this attempt.',
      },
    ]);
  });

  test('the result of a delivery is stored although the webhook was deleted meanwhile', async () => {
    await tell();
    const by = deliverer();
    const answer = await world.underWay(by);
    await world.user.delete(BASE);
    answer(200);
    await by.settled();
    expect(await records()).toMatchObject([{ status: 'success', httpStatusCode: 200 }]);
  });

  test('a test delivery is marked and not repeated', async () => {
    await world.user.patch(BASE, { subscribedTypes: ['alert_triggered'] });
    await world.user.post(`${BASE}/test`);
    world.receiver.answer = answering(500);
    await deliverAfter(1);
    await deliverAfter(24 * HOUR);
    expect(world.receiver.arrived).toHaveLength(1);
    expect(JSON.parse(world.receiver.arrived[0]!.body.toString())).toMatchObject({
      ...{ type: 'system_announcement', data: { test: true } },
    });
    expect(await records()).toMatchObject([{ status: 'failed', maxAttempts: 1, isFinalAttempt: true }]);
  });

  test('a delivery shows when it was sent and when the next attempt is due', async () => {
    await world.user.patch(BASE, { maxRetries: 1 });
    await tell();
    const times = async () =>
      (await inOrder()).map(({ attemptedAt, nextAttemptAt }: Record<string, string | null>) => [
        attemptedAt,
        nextAttemptAt,
      ]);
    const [[, dueAt]] = await times();
    expect(await times()).toEqual([[null, dueAt]]);
    expect(Date.parse(dueAt)).toBeLessThanOrEqual(clock.time.getTime());

    world.receiver.answer = answering(500);
    await deliver();
    const first = clock.time.toISOString();
    const second = new Date(clock.time.getTime() + 5_000).toISOString();
    expect(await times()).toEqual([
      [first, second],
      [null, second],
    ]);
    await deliverAfter(5);
    expect(await times()).toEqual([
      [first, null],
      [second, null],
    ]);
  });

  test('deliveries are signed with the old and the new secret for 24 hours', async () => {
    const { secret } = (await world.user.post(`${BASE}/secret/regenerate`)).body.data;
    await tell();
    await deliverAfter(24 * HOUR - 1);
    await tell();
    await deliverAfter(1);
    const signatures = world.receiver.arrived.map(({ headers }) =>
      String(headers['webhook-signature']).split(' '),
    );
    expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
    const [{ headers, body }] = world.receiver.arrived as [TestReceiver['arrived'][0]];
    const now = new Date(Number(headers['x-saas-timestamp']) * 1000);
    expect(faultInDelivery({ headers, body, secret, now })).toBeNull();
    expect(faultInDelivery({ headers, body, secret: SECRET, now })).not.toBeNull();
  });
});

describe('many deliverers', () => {
  test('a deliverer with patience leaves new attempts to others and makes those that others left', async () => {
    await tell();
    const [{ nextAttemptAt }] = await records();
    clock.time = new Date(Date.parse(nextAttemptAt) + 999);
    const by = deliverer();
    expect(await by.turn(1_000)).toBe(0);
    clock.forward(0.001);
    expect(await by.turn(1_000)).toBe(1);
    await by.settled();
    expect(world.receiver.arrived).toHaveLength(1);
  });

  test('several deliverers make each attempt once', async () => {
    for (let i = 0; i < 30; i++) await tell();
    const three = [deliverer(), deliverer(), deliverer()];
    for (let i = 0; i < 5; i++) await Promise.all(three.map(deliver));
    expect(world.receiver.arrived).toHaveLength(30);
    const { data, pagination } = (await world.user.get(`${BASE}/deliveries?status=success&limit=100`)).body;
    expect([data.length, pagination.totalRecords]).toEqual([30, 30]);
  });

  test('another deliverer repeats the attempt of a killed one under the same id', async () => {
    await world.user.patch(BASE, { timeoutMs: 30_000 });
    await tell();
    const dead = deliverer();
    const answerDead = await world.underWay(dead);
    world.receiver.answer = answering(200);
    await deliver();
    expect(world.receiver.arrived).toHaveLength(1);
    await deliverAfter(36);
    expect(world.receiver.arrived).toHaveLength(2);
    const ids = world.receiver.arrived.map(({ headers }) => headers['x-saas-delivery-id']);
    expect(new Set(ids).size).toBe(1);
    // The result of the first comes too late.
    answerDead(500);
    await dead.settled();
    expect(await records()).toMatchObject([{ status: 'success', attemptNumber: 1 }]);
  });

  test('a deliverer that stops releases its unfinished attempts', async () => {
    await tell();
    const ended = new Deliverer(world.api.context, { stopMs: 100 });
    const came = new Promise<void>((resolve) => {
      world.receiver.answer = () => resolve();
    });
    await world.user.patch(BASE, { timeoutMs: 30_000 });
    await ended.turn();
    await came;
    await ended.stop();
    world.receiver.answer = answering(200);
    await deliver();
    expect(await records()).toMatchObject([{ status: 'success', attemptNumber: 1 }]);
  });
});

test('attempts are removed after 30 days unless they are pending', async () => {
  await tell();
  await deliver();
  await tell();
  const { db, clock: now } = world.api.context;
  await removeOldDeliveries({ db, clock: now });
  expect(await records()).toHaveLength(2);
  clock.forward(30 * 24 * HOUR + 60);
  await removeOldDeliveries({ db, clock: now });
  expect(await records()).toMatchObject([{ status: 'pending' }]);
});
