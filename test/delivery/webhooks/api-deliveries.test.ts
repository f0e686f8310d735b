import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EVENT_TYPES, EVENTS, eventBody } from '../../../src/delivery/events/catalogue.ts';
import { emit } from '../../../src/delivery/events/emit.ts';
import { eventsAfter } from '../../../src/delivery/events/event.store.ts';
import { type ApiUser, codeOf, type TestApi, testApi } from '../../support/api.ts';

const BASE = '/users/me/webhook';
const ABSENT = '11111111-1111-1111-1111-111111111111';
const DEVICE = '22222222-2222-2222-2222-222222222222';
const SCENE = '33333333-3333-3333-3333-333333333333';
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
beforeAll(async () => {
  api = await testApi();
  [owner, other] = [await api.user(), await api.user()];
  for (const user of [owner, other])
    await user.post(BASE, { url: 'https://hooks.example.com/', maxRetries: 2 });
});
afterAll(() => api.drop());

let told = 0;
/** Something happens to the owner. */
const tell = (about: { deviceId?: string; sceneId?: string } = {}) =>
  api.context.db.$transaction((tx) =>
    emit(tx, {
      userId: owner.userId,
      type: 'maintenance_scheduled',
      data: { title: 'T', message: 'ü\u2028' },
      occurredAt: new Date('2026-01-31T08:00:00.000Z'),
      dedupeKey: `told ${++told}`,
      ...about,
    }),
  );

describe('deliveries', () => {
  test('the list of deliveries shows each body as it will be sent', async () => {
    const eventId = await tell({ deviceId: DEVICE });
    await tell({ sceneId: SCENE });
    const { status, body } = await owner.get(`${BASE}/deliveries?limit=1&page=2`);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          ...{ id: expect.any(String), webhookUrl: 'https://hooks.example.com/', notificationId: eventId },
          ...{ alertEventId: null, notificationType: 'maintenance_scheduled', severity: null },
          ...{
            deviceId: DEVICE,
            sceneId: null,
            status: 'pending',
            httpStatusCode: null,
            responseTimeMs: null,
          },
          payload: {
            ...{ id: eventId, type: 'maintenance_scheduled', timestamp: '2026-01-31T08:00:00.000Z' },
            data: { title: 'T', message: 'ü\u2028' },
          },
          ...{
            responseBody: null,
            errorMessage: null,
            attemptNumber: 1,
            maxAttempts: 3,
            isFinalAttempt: false,
          },
          createdAt: expect.any(String),
          attemptedAt: null,
          nextAttemptAt: expect.any(String),
        },
      ],
      pagination: {
        ...{ limit: 1, currentPage: 2, totalRecords: 2, totalPages: 2, nextPage: null, previousPage: 1 },
      },
    });
  });

  test.each([
    ['', 2],
    ['status=pending', 2],
    ['status=success', 0],
    [`deviceId=${DEVICE}`, 1],
    [`sceneId=${SCENE}`, 1],
    [`sceneId=${ABSENT}`, 0],
    ['startDate=2020-01-01', 2],
    ['endDate=2020-01-01', 0],
    ['page=7', 0],
  ])('filtered by "%s" are %i', async (query, count) => {
    expect((await owner.get(`${BASE}/deliveries?${query}`)).body.data).toHaveLength(count);
  });

  test('the list of deliveries shows only own deliveries', async () => {
    expect((await other.get(`${BASE}/deliveries?deviceId=${DEVICE}`)).body.data).toEqual([]);
  });

  test.each([
    ['status=sent', 'VALIDATION_ERROR'],
    ['limit=101', 'VALIDATION_ERROR'],
    ['limit=0', 'VALIDATION_ERROR'],
    ['deviceId=x', 'VALIDATION_ERROR'],
    ['startDate=x', 'VALIDATION_ERROR'],
    ['startDate=2026-01-02&endDate=2026-01-01', 'INVALID_DATE_RANGE'],
  ])('%s is refused', async (query, code) => {
    expect(codeOf(await owner.get(`${BASE}/deliveries?${query}`))).toEqual([400, code]);
  });
});

describe('a test delivery', () => {
  test('a test delivery is scheduled once, without retries, also for types without a subscription', async () => {
    const user = await api.user();
    await user.post(BASE, { url: 'https://hooks.example.com/', maxRetries: 5 });
    for (const subscribedTypes of [['alert_triggered'], ['system_announcement']]) {
      await user.patch(BASE, { subscribedTypes });
      const { status, body } = await user.post(`${BASE}/test`);
      expect(status).toBe(202);
      expect(body.data).toMatchObject({
        ...{
          status: 'pending',
          maxAttempts: 1,
          isFinalAttempt: true,
          notificationType: 'system_announcement',
        },
        payload: { id: body.data.notificationId, data: { test: true } },
      });
    }
    expect((await user.get(`${BASE}/deliveries`)).body.pagination.totalRecords).toBe(2);
  });

  test.each(EVENT_TYPES)('a test delivery of %s has data of this type, marked as a test', async (type) => {
    const user = await api.user();
    await user.post(BASE, { url: 'https://hooks.example.com/' });
    const { status, body } = await user.post(`${BASE}/test`, { type });
    expect([status, body.data.notificationType]).toEqual([202, type]);
    expect(eventBody(type).parse(body.data.payload).data).toEqual({ ...EVENTS[type].example, test: true });
    expect((await user.get(`${BASE}/deliveries`)).body.pagination.totalRecords).toBe(1);
  });

  test.each([{ type: 'alert' }, { type: null }, { type: 7 }, { kind: 'alert_triggered' }])(
    'of %j is refused',
    async (body) => {
      const user = await api.user();
      await user.post(BASE, { url: 'https://hooks.example.com/' });
      expect(codeOf(await user.post(`${BASE}/test`, body))).toEqual([400, 'VALIDATION_ERROR']);
      expect((await user.get(`${BASE}/deliveries`)).body.data).toEqual([]);
    },
  );

  test('a test delivery is not on the event stream', async () => {
    const user = await api.user();
    await user.post(BASE, { url: 'https://hooks.example.com/' });
    await user.post(`${BASE}/test`, { type: 'alert_triggered' });
    const { userId } = user;
    const wanted = { userId, types: ['alert_triggered' as const], after: 0n };
    expect(await eventsAfter(api.context.db, wanted, 10)).toEqual([]);
    expect(await api.context.db.event.count({ where: { userId } })).toBe(1);
  });

  test('a test delivery is refused while the webhook is disabled', async () => {
    const user = await api.user();
    await user.post(BASE, { url: 'https://hooks.example.com/' });
    await user.patch(BASE, { status: 'disabled' });
    expect(codeOf(await user.post(`${BASE}/test`))).toEqual([409, 'WEBHOOK_DISABLED']);
  });
});

describe('delivering again', () => {
  const again = (id: string, user = owner) => user.post(`${BASE}/deliveries/${id}/redeliver`);

  test('a redelivery sends the same event to the present webhook, also when called twice at the same time', async () => {
    const eventId = await tell();
    const [first] = (await owner.get(`${BASE}/deliveries?limit=1`)).body.data;
    await api.context.db.webhookDelivery.update({ where: { id: first.id }, data: { status: 'failed' } });
    await owner.patch(BASE, { url: 'https://new.example.com/', maxRetries: 0 });
    const answers = await Promise.all([again(first.id), again(first.id)]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const { data } = answers[0]!.body;
    expect(data).toMatchObject({
      ...{ notificationId: eventId, payload: first.payload, webhookUrl: 'https://new.example.com/' },
      ...{ status: 'pending', attemptNumber: 1, maxAttempts: 1 },
    });
    expect(data.id).not.toBe(first.id);
    const rows = await api.context.db.webhookDelivery.findMany({ where: { eventId: eventId! } });
    expect(rows.map(({ series }) => series).sort()).toEqual([1, 2, 3]);
    expect(rows.filter(({ status }) => status === 'pending').map(({ series }) => series)).toEqual([3]);
  });

  test('a redelivery answers 404 for an absent or foreign delivery, 400 for a malformed id, 409 for a disabled webhook, 404 without a webhook', async () => {
    const [mine] = (await owner.get(`${BASE}/deliveries?limit=1`)).body.data;
    expect(codeOf(await again(ABSENT))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await again(mine.id, other))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await again('x'))).toEqual([400, 'VALIDATION_ERROR']);
    await owner.patch(BASE, { status: 'disabled' });
    expect(codeOf(await again(mine.id))).toEqual([409, 'WEBHOOK_DISABLED']);
    await owner.delete(BASE);
    expect(codeOf(await again(mine.id))).toEqual([404, 'NOT_FOUND']);
  });
});
