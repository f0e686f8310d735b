import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Deliverer, type DelivererOptions } from '../../src/webhooks/deliverer.ts';
import { emit } from '../../src/webhooks/emit.ts';
import { removeOldDeliveries } from '../../src/webhooks/retention.job.ts';
import { faultInDelivery } from '../../src/webhooks/sign.ts';
import { type ApiUser, type TestApi, TestClock, testApi } from '../support/api.ts';
import { answering, type TestReceiver, testReceiver } from '../support/receiver.ts';

const BASE = '/users/me/webhook';
const SECRET = 'a secret of the receiver';
const MINUTE = 60;
const HOUR = 3600;

let receiver: TestReceiver;
let api: TestApi;
let user: ApiUser;
const clock = new TestClock();
const deliverers: Deliverer[] = [];

beforeAll(async () => {
  receiver = await testReceiver();
  api = await testApi({ WEBHOOK_ALLOW_HOSTS: 'localhost', WEBHOOK_CA_FILE: receiver.caFile }, clock);
});
afterAll(async () => {
  await receiver.stop();
  await api.drop();
});
beforeEach(async () => {
  // What the database dates by its own clock is due by this one, however slow the machine.
  clock.time = new Date(Date.now() + 60_000);
  receiver.arrived.length = 0;
  receiver.answer = answering(204);
  user = await api.user();
  await user.post(BASE, { url: receiver.url, secret: SECRET });
});
afterEach(async () => {
  await Promise.all(deliverers.splice(0).map((deliverer) => deliverer.stop()));
  await user.delete(BASE);
});

/** One that can be told when to look. No jitter. */
function deliverer(options: DelivererOptions = {}): Deliverer {
  const made = new Deliverer(api.context, { random: () => 0.5, ...options });
  deliverers.push(made);
  return made;
}

/** Makes all that is due at the clock's time. */
async function deliver(by = deliverer()): Promise<void> {
  while ((await by.turn()) > 0) await by.settled();
}

/** After so many seconds. */
async function deliverAfter(seconds: number): Promise<void> {
  clock.forward(seconds);
  await deliver();
}

let told = 0;
const tell = (userId = user.userId) =>
  api.context.db.$transaction((tx) =>
    emit(tx, {
      userId,
      type: 'maintenance_scheduled',
      data: { title: 'T', message: 'ü\u2028' },
      occurredAt: new Date('2026-01-31T08:00:00.000Z'),
      dedupeKey: `deliver ${++told}`,
    }),
  );

/** Newest first. */
const records = async (query = 'limit=100') => (await user.get(`${BASE}/deliveries?${query}`)).body.data;
const inOrder = async () => (await records()).reverse();
const webhook = async () => (await user.get(BASE)).body.data;

describe('a delivery', () => {
  test('arrives as it was stored, signed with both kinds of headers, and is written down', async () => {
    const eventId = await tell();
    await deliver();
    const [{ headers, body }] = receiver.arrived as [TestReceiver['arrived'][0]];
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
        webhookUrl: receiver.url,
      },
    });
  });

  test('to a receiver that is down for 30 minutes arrives at the fourth try', async () => {
    const eventId = await tell();
    receiver.answer = answering(503, {}, 'down');
    await deliver();
    for (const seconds of [5, 5 * MINUTE]) {
      await deliverAfter(seconds - 1);
      expect(receiver.arrived).toHaveLength(seconds === 5 ? 1 : 2);
      await deliverAfter(1);
    }
    receiver.answer = answering(200, {}, 'up');
    await deliverAfter(30 * MINUTE);
    await deliverAfter(24 * HOUR);
    expect(receiver.arrived.map(({ body }) => JSON.parse(body.toString()).id)).toEqual(
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
    const ids = receiver.arrived.map(({ headers }) => headers['x-saas-delivery-id']);
    expect(ids).toEqual(rows.map(({ id }: { id: string }) => id));
    const times = receiver.arrived.map(({ headers }) => Number(headers['x-saas-timestamp']));
    expect(times.map((time) => time - times[0]!)).toEqual([0, 5, 305, 2105]);
  });

  test('is given up after the last try', async () => {
    await user.patch(BASE, { maxRetries: 5 });
    await tell();
    receiver.answer = answering(500);
    await deliver();
    for (const seconds of [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 48 * HOUR])
      await deliverAfter(seconds);
    expect(receiver.arrived).toHaveLength(6);
    expect((await inOrder()).map((row: { isFinalAttempt: boolean }) => row.isFinalAttempt)).toEqual([
      ...[false, false, false, false, false, true],
    ]);
  });

  test.each([301, 302, 307, 308])('is not redirected: %i is a failure', async (status) => {
    await tell();
    receiver.answer = answering(status, { location: `${receiver.url}/elsewhere` });
    await deliver();
    expect(receiver.arrived).toHaveLength(1);
    const [, record] = await records();
    expect(record).toMatchObject({
      ...{ status: 'failed', httpStatusCode: status },
      errorMessage: `The receiver answered ${status}: redirects are not followed.`,
    });
  });

  test.each([
    ['120', 120],
    ['7200', HOUR],
    ['1', 5],
    ['soon', 5],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 5],
  ])('that is told Retry-After %s comes again after %i seconds', async (retryAfter, seconds) => {
    await tell();
    receiver.answer = answering(429, { 'retry-after': retryAfter });
    await deliver();
    await deliverAfter(seconds - 1);
    expect(receiver.arrived).toHaveLength(1);
    await deliverAfter(1);
    expect(receiver.arrived).toHaveLength(2);
  });

  test('of an event that is told while another was answered 410 is not made: the webhook is off', async () => {
    await tell();
    receiver.answer = answering(410);
    await deliver();
    await tell();
    await deliverAfter(HOUR);
    expect(receiver.arrived).toHaveLength(1);
    expect(await webhook()).toMatchObject({
      ...{ status: 'disabled', disabledReason: 'The receiver answered 410 Gone.' },
      disabledAt: expect.any(String),
    });
    expect(await records()).toMatchObject([{ httpStatusCode: 410, isFinalAttempt: true }]);
  });

  test('in a series of nothing but failures for 120 hours is the last', async () => {
    receiver.answer = answering(500);
    await user.patch(BASE, { maxRetries: 0 });
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
    await user.patch(BASE, { status: 'enabled' });
    await tell();
    await deliverAfter(1);
    expect((await webhook()).status).toBe('enabled');
  });

  test('that succeeds ends the series of failures', async () => {
    await user.patch(BASE, { maxRetries: 0 });
    for (const status of [500, 200, 500]) {
      receiver.answer = answering(status);
      await tell();
      await deliverAfter(61 * HOUR);
    }
    expect((await webhook()).status).toBe('enabled');
  });

  test('goes to the webhook as it is at the time, and not while it is disabled', async () => {
    await tell();
    receiver.answer = answering(500);
    await deliver();
    await user.patch(BASE, { url: `${receiver.url}/new`, status: 'disabled' });
    await deliverAfter(5);
    expect(receiver.arrived).toHaveLength(1);
    expect(await inOrder()).toMatchObject([
      { webhookUrl: receiver.url, isFinalAttempt: false },
      {
        status: 'failed',
        isFinalAttempt: true,
        errorMessage: 'The webhook was disabled before this attempt.',
      },
    ]);
  });

  test('under way while the webhook is deleted is written down as it was', async () => {
    await tell();
    let answer = () => undefined as unknown;
    const came = new Promise<void>((resolve) => {
      receiver.answer = (_arrived, response) => {
        answer = () => response.writeHead(200).end();
        resolve();
      };
    });
    const by = deliverer();
    await by.turn();
    await came;
    await user.delete(BASE);
    answer();
    await by.settled();
    expect(await records()).toMatchObject([{ status: 'success', httpStatusCode: 200 }]);
  });

  test('for a test is marked, and not tried again', async () => {
    await user.patch(BASE, { subscribedTypes: ['alert_triggered'] });
    await user.post(`${BASE}/test`);
    receiver.answer = answering(500);
    await deliverAfter(1);
    await deliverAfter(24 * HOUR);
    expect(receiver.arrived).toHaveLength(1);
    expect(JSON.parse(receiver.arrived[0]!.body.toString())).toMatchObject({
      ...{ type: 'system_announcement', data: { test: true } },
    });
    expect(await records()).toMatchObject([{ status: 'failed', maxAttempts: 1, isFinalAttempt: true }]);
  });

  test('by hand carries the same body under a new delivery id', async () => {
    await tell();
    await deliver();
    const [record] = await records();
    await user.post(`${BASE}/deliveries/${record.id}/redeliver`);
    await deliverAfter(1);
    const [first, second] = receiver.arrived as [TestReceiver['arrived'][0], TestReceiver['arrived'][0]];
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-saas-delivery-id']).not.toBe(first.headers['x-saas-delivery-id']);
  });

  test('tells when it was sent and when the next attempt is due, until none is to come', async () => {
    await user.patch(BASE, { maxRetries: 1 });
    await tell();
    const times = async () =>
      (await inOrder()).map(({ attemptedAt, nextAttemptAt }: Record<string, string | null>) => [
        attemptedAt,
        nextAttemptAt,
      ]);
    const [[, dueAt]] = await times();
    expect(await times()).toEqual([[null, dueAt]]);
    expect(Date.parse(dueAt)).toBeLessThanOrEqual(clock.time.getTime());

    receiver.answer = answering(500);
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

  test('by hand gives up the retries that were still to come: the event is sent once more, not twice', async () => {
    await tell();
    receiver.answer = answering(500);
    await deliver();
    const [retry, failed] = await records();
    expect([retry.status, failed.status]).toEqual(['pending', 'failed']);
    receiver.answer = answering(204);
    const { data: again } = (await user.post(`${BASE}/deliveries/${failed.id}/redeliver`)).body;
    await deliverAfter(6);
    await deliverAfter(24 * HOUR);
    expect(receiver.arrived.map(({ headers }) => headers['x-saas-delivery-id'])).toEqual([
      failed.id,
      again.id,
    ]);
    expect(await inOrder()).toMatchObject([
      { id: failed.id, status: 'failed', nextAttemptAt: null },
      {
        ...{ id: retry.id, status: 'failed', isFinalAttempt: true, attemptedAt: null, nextAttemptAt: null },
        errorMessage: 'Not made: the event was delivered again by hand.',
      },
      { id: again.id, status: 'success', nextAttemptAt: null },
    ]);
  });

  test('by hand while an attempt at the event is under way is that attempt', async () => {
    await tell();
    const [record] = await records();
    let answer = () => undefined as unknown;
    const came = new Promise<void>((resolve) => {
      receiver.answer = (_arrived, response) => {
        answer = () => response.writeHead(200).end();
        resolve();
      };
    });
    const by = deliverer();
    await by.turn();
    await came;
    const { status, body } = await user.post(`${BASE}/deliveries/${record.id}/redeliver`);
    expect([status, body.data.id, body.data.status]).toEqual([202, record.id, 'pending']);
    answer();
    await by.settled();
    await deliverAfter(24 * HOUR);
    expect(receiver.arrived).toHaveLength(1);
    expect(await records()).toMatchObject([{ id: record.id, status: 'success' }]);
  });

  test('by hand after the deliverer of an attempt died is made at once, and the dead attempt is not made again', async () => {
    await user.patch(BASE, { timeoutMs: 1000 });
    await tell();
    receiver.answer = () => undefined;
    const dead = deliverer();
    await dead.turn();
    clock.forward(7);
    const [record] = await records();
    receiver.answer = answering(204);
    const { data: again } = (await user.post(`${BASE}/deliveries/${record.id}/redeliver`)).body;
    expect(again.id).not.toBe(record.id);
    await deliverAfter(1);
    // What the first has to say now comes too late: it schedules no retry.
    await dead.settled();
    await deliverAfter(24 * HOUR);
    expect(await inOrder()).toMatchObject([
      { id: record.id, status: 'failed', isFinalAttempt: true },
      { id: again.id, status: 'success' },
    ]);
  });

  test('by hand at the very time of its retry is sent once, whichever comes first', async () => {
    const rounds = 20;
    await user.patch(BASE, { maxRetries: 1, timeoutMs: 30_000 });
    receiver.answer = answering(500);
    for (let round = 0; round < rounds; round++) await tell();
    await deliver();
    const failed = (await records('status=failed&limit=100')) as { id: string }[];
    expect(failed).toHaveLength(rounds);
    clock.forward(6);
    receiver.arrived.length = 0;
    // None is over before all were asked for: one that is over may be sent again.
    const held: (() => void)[] = [];
    receiver.answer = (_arrived, response) => void held.push(() => response.writeHead(204).end());
    const [one, other] = [deliverer(), deliverer()];
    const turns = async (by: Deliverer) => {
      for (let turn = 0; turn < 10; turn++) await by.turn();
    };
    await Promise.all([
      turns(one),
      ...failed.map(({ id }) => user.post(`${BASE}/deliveries/${id}/redeliver`)),
      turns(other),
    ]);
    receiver.answer = answering(204);
    for (const release of held) release();
    clock.forward(60);
    await Promise.all([one, other].map(deliver));
    await deliver();
    const sent = receiver.arrived.map(({ body }) => JSON.parse(body.toString()).id as string);
    expect([sent.length, new Set(sent).size]).toEqual([rounds, rounds]);
    expect(await records('status=pending')).toEqual([]);
  });

  test('after a new secret is signed with both for 24 hours', async () => {
    const { secret } = (await user.post(`${BASE}/secret/regenerate`)).body.data;
    await tell();
    await deliverAfter(24 * HOUR - 1);
    await tell();
    await deliverAfter(1);
    const signatures = receiver.arrived.map(({ headers }) => String(headers['webhook-signature']).split(' '));
    expect(signatures.map(({ length }) => length)).toEqual([2, 1]);
    const [{ headers, body }] = receiver.arrived as [TestReceiver['arrived'][0]];
    const now = new Date(Number(headers['x-saas-timestamp']) * 1000);
    expect(faultInDelivery({ headers, body, secret, now })).toBeNull();
    expect(faultInDelivery({ headers, body, secret: SECRET, now })).not.toBeNull();
  });
});

describe('many deliverers', () => {
  test('make each attempt once between them', async () => {
    for (let i = 0; i < 30; i++) await tell();
    const three = [deliverer(), deliverer(), deliverer()];
    for (let i = 0; i < 5; i++) await Promise.all(three.map(deliver));
    expect(receiver.arrived).toHaveLength(30);
    const { data, pagination } = (await user.get(`${BASE}/deliveries?status=success&limit=100`)).body;
    expect([data.length, pagination.totalRecords]).toEqual([30, 30]);
  });

  test('one that dies leaves its attempt to another, under the same id', async () => {
    await user.patch(BASE, { timeoutMs: 1000 });
    await tell();
    const dead = deliverer();
    receiver.answer = () => undefined;
    await dead.turn();
    await new Promise<void>((resolve) => {
      receiver.answer = () => resolve();
      if (receiver.arrived.length > 0) resolve();
    });
    receiver.answer = answering(200);
    await deliver();
    expect(receiver.arrived).toHaveLength(1);
    await deliverAfter(7);
    expect(receiver.arrived).toHaveLength(2);
    const ids = receiver.arrived.map(({ headers }) => headers['x-saas-delivery-id']);
    expect(new Set(ids).size).toBe(1);
    // What the first has to say now comes too late.
    await dead.settled();
    expect(await records()).toMatchObject([{ status: 'success', attemptNumber: 1 }]);
  });

  test('one that is ended gives back what it has not finished', async () => {
    await tell();
    const ended = new Deliverer(api.context, { stopMs: 100 });
    const came = new Promise<void>((resolve) => {
      receiver.answer = () => resolve();
    });
    await user.patch(BASE, { timeoutMs: 30_000 });
    await ended.turn();
    await came;
    await ended.stop();
    receiver.answer = answering(200);
    await deliver();
    expect(await records()).toMatchObject([{ status: 'success', attemptNumber: 1 }]);
  });
});

test('records are kept for 30 days; what is still to be made stays', async () => {
  await tell();
  await deliver();
  await tell();
  const { db, clock: now } = api.context;
  await removeOldDeliveries({ db, clock: now });
  expect(await records()).toHaveLength(2);
  clock.forward(30 * 24 * HOUR + 60);
  await removeOldDeliveries({ db, clock: now });
  expect(await records()).toMatchObject([{ status: 'pending' }]);
});
