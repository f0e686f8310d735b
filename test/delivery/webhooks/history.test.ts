import { describe, expect, test } from '@jest/globals';
import { edgesOf } from '../../../src/delivery/webhooks/history/read-stats.ts';
import { codeOf } from '../../support/api.ts';
import { answering } from '../../support/servers/receiver.ts';
import { TIME_ZONES } from '../../support/thorough.ts';
import { BASE, deliveryWorld } from './delivery-world.ts';

const world = deliveryWorld();
const { clock, deliver, tell } = world;
const LONG_AGO = '2026-01-01T00:00:00.000Z';

const recover = (body: object = { since: LONG_AGO }) => world.user.post(`${BASE}/recover`, body);
const counted = async (body?: object) => {
  const { scheduledCount, remainingCount } = (await recover(body)).body.data;
  return [scheduledCount, remainingCount];
};
const arrivedIds = () => world.receiver.arrived.map(({ body }) => JSON.parse(body.toString()).id);
/** Events whose delivery has failed finally. */
async function fail(many: number): Promise<(string | null)[]> {
  await world.user.patch(BASE, { maxRetries: 0 });
  world.receiver.answer = answering(500);
  const ids: (string | null)[] = [];
  for (let at = 0; at < many; at++) ids.push(await tell());
  await deliver();
  world.receiver.answer = answering(204);
  world.receiver.arrived.length = 0;
  return ids;
}

describe('POST /users/me/webhook/recover', () => {
  test('delivers what failed finally once more, however often it is called', async () => {
    const ids = await fail(3);
    expect(await counted()).toEqual([3, 0]);
    expect(await counted()).toEqual([0, 0]);
    clock.forward(1);
    await deliver();
    expect([...arrivedIds()].sort()).toEqual([...ids].sort());
    expect(await counted()).toEqual([0, 0]);
  });

  test('what fails again can be recovered again, as a new series of attempts', async () => {
    await fail(1);
    world.receiver.answer = answering(500);
    expect(await counted()).toEqual([1, 0]);
    clock.forward(1);
    await deliver();
    expect(await counted()).toEqual([1, 0]);
    const { data } = (await world.user.get(`${BASE}/deliveries`)).body;
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['pending', 'failed', 'failed']);
  });

  test('concurrent calls schedule each event once', async () => {
    await fail(2);
    const answers = await Promise.all([recover(), recover(), recover()]);
    const all = answers.reduce((sum, { body }) => sum + body.data.scheduledCount, 0);
    expect(all).toBe(2);
  });

  test('leaves out what waits for a retry, was accepted, lies out of range or is of another type', async () => {
    await tell();
    await deliver();
    world.receiver.answer = answering(500);
    await tell();
    await deliver();
    expect(await counted()).toEqual([0, 0]);
    await fail(1);
    expect(await counted({ since: '2999-01-01' })).toEqual([0, 0]);
    expect(await counted({ since: LONG_AGO, until: LONG_AGO })).toEqual([0, 0]);
    await world.user.patch(BASE, { subscribedTypes: ['alert_triggered'] });
    expect(await counted()).toEqual([0, 0]);
    await world.user.patch(BASE, { subscribedTypes: ['maintenance_scheduled'] });
    expect(await counted()).toEqual([1, 0]);
  });

  test('schedules at most 1,000 events and tells how many are left', async () => {
    const [eventId] = await fail(1);
    const { db } = api();
    const failed = await db.webhookDelivery.findFirstOrThrow({ where: { eventId: eventId! } });
    await db.$executeRaw`
      WITH made AS (
        INSERT INTO "Event" ("userId", type, body, "occurredAt", "dedupeKey")
        SELECT "userId", type, body, "occurredAt", id || ':' || n FROM "Event", generate_series(1, 1004) n
        WHERE id = ${eventId}::uuid RETURNING id, "userId")
      INSERT INTO "WebhookDelivery" ("userId", "webhookId", "webhookUrl", "eventId", "notificationType", status,
        "maxAttempts", "isFinalAttempt")
      SELECT "userId", ${failed.webhookId}::uuid, 'https://example.com', id, 'maintenance_scheduled', 'failed', 1, true
      FROM made`;
    expect(await counted()).toEqual([1_000, 5]);
    expect(await counted()).toEqual([5, 0]);
  });

  test.each([
    ['no beginning', {}, 'VALIDATION_ERROR'],
    ['no time', { since: 'yesterday' }, 'VALIDATION_ERROR'],
    ['an end before the beginning', { since: '2026-02-02', until: '2026-02-01' }, 'INVALID_DATE_RANGE'],
  ])('%s is refused', async (_name, body, code) => {
    expect(codeOf(await recover(body))).toEqual([400, code]);
  });

  test('needs a webhook that is enabled', async () => {
    await world.user.patch(BASE, { status: 'disabled' });
    expect(codeOf(await recover())).toEqual([409, 'WEBHOOK_DISABLED']);
    await world.user.delete(BASE);
    expect(codeOf(await recover())).toEqual([404, 'NOT_FOUND']);
  });

  test('leaves other users alone', async () => {
    await fail(1);
    const other = await api().user();
    await other.post(BASE, { url: world.receiver.url });
    expect((await other.post(`${BASE}/recover`, { since: LONG_AGO })).body.data.scheduledCount).toBe(0);
  });
});

const api = () => ({ db: world.api.context.db, user: () => world.api.user() });

describe('GET /users/me/webhook/stats', () => {
  const statsOf = async (query: string) => (await world.user.get(`${BASE}/stats?${query}`)).body.data;

  test('counts attempts per bucket and together, with the times of the answers', async () => {
    await fail(1);
    const { db } = api();
    const [row] = await db.webhookDelivery.findMany({ where: { userId: world.user.userId } });
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 31, hour, 30));
    const { id: _first, ...columns } = row!;
    await db.webhookDelivery.deleteMany({ where: { userId: world.user.userId } });
    const attempt = (
      hour: number,
      status: 'success' | 'failed' | 'pending',
      responseTimeMs: number | null,
    ) => ({
      ...{
        ...columns,
        status,
        responseTimeMs,
        createdAt: at(hour),
        series: hour * 10 + (responseTimeMs ?? 0),
      },
      attemptedAt: status === 'pending' ? null : at(hour),
    });
    await db.webhookDelivery.createMany({
      data: [
        ...[
          attempt(8, 'success', 1),
          attempt(8, 'success', 3),
          attempt(8, 'failed', 5),
          attempt(8, 'pending', null),
        ],
        ...[attempt(10, 'failed', null), attempt(11, 'success', 9)],
      ],
    });
    const data = await statsOf('bucket=hour&from=2026-01-31T08:15:00Z&to=2026-01-31T11:00:00Z');
    expect(data).toMatchObject({
      from: '2026-01-31T08:00:00.000Z',
      to: '2026-01-31T11:00:00.000Z',
      timezone: 'UTC',
    });
    const nothing = { attempts: 0, success: 0, failed: 0, p50ResponseMs: null, p95ResponseMs: null };
    expect(data.buckets).toEqual([
      {
        start: '2026-01-31T08:00:00.000Z',
        attempts: 3,
        success: 2,
        failed: 1,
        p50ResponseMs: 3,
        p95ResponseMs: 4.8,
      },
      { start: '2026-01-31T09:00:00.000Z', ...nothing },
      { start: '2026-01-31T10:00:00.000Z', ...nothing, attempts: 1, failed: 1 },
    ]);
    expect(data.total).toEqual({ attempts: 4, success: 2, failed: 2, p50ResponseMs: 3, p95ResponseMs: 4.8 });
    const [day] = (await statsOf('timezone=Asia/Tokyo&from=2026-01-31&to=2026-02-01')).buckets;
    expect(day).toMatchObject({ start: '2026-01-30T15:00:00.000Z', attempts: 5 });
  });

  test('covers the last seven days by default, with nothing where nothing was sent', async () => {
    const { buckets, total } = await statsOf('');
    expect([7, 8]).toContain(buckets.length);
    expect(total.attempts).toBe(0);
  });

  test.each([
    ['from=2026-01-02&to=2026-01-01', 'INVALID_DATE_RANGE'],
    ['from=2026-01-01&to=2026-02-15', 'INVALID_DATE_RANGE'],
    ['from=0001-01-01&bucket=hour', 'INVALID_DATE_RANGE'],
    ['bucket=minute', 'VALIDATION_ERROR'],
    ['timezone=Mars/X', 'VALIDATION_ERROR'],
  ])('%s is refused', async (query, code) => {
    expect(codeOf(await world.user.get(`${BASE}/stats?${query}`))).toEqual([400, code]);
  });
});

test('buckets cover a range without gaps in every zone, also when clocks change', () => {
  for (const [from, to] of [
    [new Date('2026-03-07T11:10:00Z'), new Date('2026-04-06T03:00:00Z')],
    [new Date('2026-10-24T11:10:00Z'), new Date('2026-11-02T03:00:00Z')],
  ] as const) {
    for (const timezone of TIME_ZONES)
      for (const bucket of ['hour', 'day'] as const) {
        const edges = edgesOf(from, to, { bucket, timezone }).map((edge) => edge.getTime());
        expect(edges.every((edge, at) => at === 0 || edge > edges[at - 1]!)).toBe(true);
        expect(edges[0]).toBeLessThanOrEqual(from.getTime());
        expect(edges.at(-1)).toBeGreaterThanOrEqual(to.getTime());
        expect(edges.length).toBeLessThan(bucket === 'hour' ? 800 : 35);
      }
  }
});
