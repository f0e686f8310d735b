import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EVENT_TYPES, EVENTS, type EventType } from '../../../src/delivery/events/catalogue.ts';
import { emit } from '../../../src/delivery/events/emit.ts';
import { HEARD_TYPES, STORED, scopesOfType, topicOf } from '../../../src/delivery/live/schema.ts';
import type { Scope } from '../../../src/http/permission.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, testApi } from '../../support/api.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour, 0, 0, 7));
let api: TestApi;
let user: ApiUser;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.drop());
beforeEach(async () => {
  user = await api.user();
});

let told = 0;
function tell(type: EventType, columns: object = {}, who = user) {
  told += 1;
  const { example: data } = EVENTS[type];
  const event = { userId: who.userId, type, data, occurredAt: at(8), dedupeKey: `list:${told}`, ...columns };
  return api.context.db.$transaction((tx) => emit(tx, event as Parameters<typeof emit>[1]));
}
const typesOf = async (query = '', who = user) =>
  (await who.get(`/events${query}`)).body.data.map(({ type }: { type: string }) => type);

test('an event is listed with what its webhook says, but without signed addresses', async () => {
  const { deviceId, sceneId } = await shopOf(user);
  const id = await tell('alert_triggered', { deviceId, sceneId, severity: 'warning' });
  const { snapshotUrls, ...data } = EVENTS.alert_triggered.example;
  expect(snapshotUrls).not.toEqual([]);
  const { body, text } = await user.get('/events');
  expect(body.data).toEqual([
    {
      ...{ id, type: 'alert_triggered', topic: 'alerts', timestamp: '2026-11-01T08:00:00.007Z' },
      ...{ severity: 'warning', deviceId, sceneId, alertEventId: null, data },
    },
  ]);
  expect(text).not.toContain('signature');
});

test('newest first, in pages, for types, a device, a scene and a half-open range', async () => {
  const { deviceId, sceneId } = await shopOf(user);
  await tell('device_online', { occurredAt: at(10), deviceId });
  await tell('device_offline', { occurredAt: at(9), deviceId });
  await tell('analysis_started', { occurredAt: at(11), deviceId, sceneId });
  const [started, online, offline] = ['analysis_started', 'device_online', 'device_offline'];
  expect(await typesOf()).toEqual([started, online, offline]);
  expect(await typesOf('?limit=1&page=2')).toEqual([online]);
  expect(await typesOf('?types=device_offline,analysis_started')).toEqual([started, offline]);
  expect(await typesOf(`?sceneId=${sceneId}`)).toEqual([started]);
  expect(await typesOf(`?deviceId=${deviceId}&types=device_online`)).toEqual([online]);
  const range = `from=${at(9).toISOString()}&to=${at(10).toISOString()}`;
  expect(await typesOf(`?${range}`)).toEqual([offline]);
  expect((await user.get(`/events?${range}`)).body.meta.pagination.total).toBe(1);
});

test('test deliveries, events of others and of an absent device are not listed', async () => {
  const other = await api.user();
  await tell('device_online', {}, other);
  await tell('system_announcement', { dedupeKey: 'webhook_test:1' });
  expect(await typesOf()).toEqual([]);
  expect(await typesOf(`?deviceId=${ABSENT}`, other)).toEqual([]);
  expect(await typesOf('', other)).toEqual(['device_online']);
});

test.each([
  ['an unknown type', '?types=device_lost', 'VALIDATION_ERROR'],
  ['no type', '?types=', 'VALIDATION_ERROR'],
  ['a topic instead of a type', '?types=device', 'VALIDATION_ERROR'],
  ['a malformed device', '?deviceId=x', 'VALIDATION_ERROR'],
  ['a range that ends before it starts', '?from=2026-11-02&to=2026-11-01', 'INVALID_DATE_RANGE'],
])('%s is refused', async (_name, query, code) => {
  expect(codeOf(await user.get(`/events${query}`))).toEqual([400, code]);
});

describe('scopes', () => {
  test.each<[Scope, EventType[]]>([
    ['analytics:read', ['alert_triggered', 'staffing_advice', 'unusual_activity']],
    ['device:read', ['device_offline', 'device_online', 'device_analysis_error', 'device_warning']],
    [
      'TASK_READ',
      [
        ...(['analysis_started', 'analysis_stopped', 'analysis_error', 'analysis_waiting'] as const),
        ...(['node_offline', 'node_online', 'node_error', 'node_warning'] as const),
        ...(['maintenance_scheduled', 'system_announcement'] as const),
      ],
    ],
    [
      'billing:read',
      [
        ...(['quota_warning', 'quota_exceeded', 'billing_cycle_completed'] as const),
        ...(['maintenance_scheduled', 'system_announcement'] as const),
      ],
    ],
  ])('%s gives exactly these types', async (scope, types) => {
    const who = await api.user([scope]);
    for (const type of EVENT_TYPES) await tell(type, {}, who);
    expect((await typesOf('?limit=100', who)).sort()).toEqual([...types].sort());
    const closed = EVENT_TYPES.filter((type) => !types.includes(type));
    const refused = await who.get(`/events?types=${closed}`);
    expect(codeOf(refused)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(await typesOf(`?types=${EVENT_TYPES}&limit=100`, who)).toHaveLength(types.length);
  });

  test('every type of the catalogue belongs to one topic and needs a scope', () => {
    expect(HEARD_TYPES).toEqual(EVENT_TYPES);
    const stored = Object.values(STORED).flat();
    expect([...stored].sort()).toEqual([...EVENT_TYPES].sort());
    for (const type of EVENT_TYPES) {
      expect(STORED[topicOf(type)]).toContain(type);
      expect(scopesOfType(type).length).toBeGreaterThan(0);
    }
  });
});
