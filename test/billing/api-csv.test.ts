import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { charge } from '../../src/billing/charge.ts';
import { readCsv } from '../http/answer/read-csv.ts';
import { type ApiUser, SHOP, type TestApi, testApi } from '../support/api.ts';
import { publishedDocument } from '../support/checked-app.ts';

const EVENTS = 2300;
let api: TestApi;
let owner: ApiUser;
let deviceId: string;

beforeAll(async () => {
  api = await testApi();
  const { db } = api.context;
  owner = await api.user();
  deviceId = (await owner.post('/devices', { ...SHOP, name: '=HYPERLINK("x")' })).body.data.id;
  const about = { userId: owner.userId, deviceId, feature: 'analysis', quantity: 60 } as const;
  await db.$transaction((tx) =>
    charge(tx, { ...about, sourceId: 'first', occurredAt: new Date('2025-11-02T00:00:00Z') }),
  );
  // Several reports at the same time, with more rows than one batch.
  await db.$executeRaw`
    INSERT INTO "UsageEvent" ("userId", "deviceId", feature, quantity, "sourceId", period, "occurredAt")
    SELECT ${owner.userId}::uuid, ${deviceId}::uuid, 'alert', 1, 'alert ' || i, '2025-11',
           '2025-11-03T00:00:00Z'::timestamptz + (i / 7) * interval '1 s'
    FROM generate_series(1, ${EVENTS}) i`;
});
afterAll(() => api?.drop());

const csvOf = async (path: string, user = owner) => {
  const { text, status } = await user.get(path).set('Accept', 'text/csv');
  expect([path, status]).toEqual([path, 200]);
  return readCsv(text).map((row) => row.join());
};

test('the CSV of usage has every event once, newest first, as the pages have them', async () => {
  const [heading, ...lines] = await csvOf('/billing/usage?limit=5&page=3');
  expect(heading).toBe('id,deviceId,sceneId,featureType,quantity,unit,sourceId,occurredAt,createdAt');
  expect([lines.length, new Set(lines).size]).toEqual([EVENTS + 1, EVENTS + 1]);
  const pages = await Promise.all(
    [1, 11, 23].map((page) => owner.get(`/billing/usage?limit=100&page=${page}`)),
  );
  const shown = pages.map(({ body }) =>
    body.data.map((row: Record<string, unknown>) => Object.values(row).join()),
  );
  expect([lines.slice(0, 100), lines.slice(1000, 1100), lines.slice(2200, 2300)]).toEqual(shown);
  expect(await csvOf('/billing/usage?featureType=analysis&billingPeriod=2025-11')).toHaveLength(2);
});

test('the CSV of devices and of transactions is complete; a device’s name cannot become a formula', async () => {
  expect(await csvOf('/billing/summary/by-device?billingPeriod=2025-11')).toEqual([
    'deviceId,deviceName,analysisSeconds,alertCount,attributeCount,vlmTokens,percentage,deviceType',
    `${deviceId},'=HYPERLINK("x"),60,0,0,0,100,camera`,
  ]);
  const { body } = await owner.get('/billing/transactions');
  const rows = body.data.map((row: Record<string, unknown>) => Object.values(row).join());
  expect((await csvOf('/billing/transactions')).slice(1)).toEqual(rows);
});

test('the CSV has nothing of other users; a malformed request is refused in JSON', async () => {
  const stranger = await api.user();
  expect(await csvOf('/billing/usage', stranger)).toHaveLength(1);
  const refused = await owner.get('/billing/usage?billingPeriod=2025-13').set('Accept', 'text/csv');
  expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_BILLING_PERIOD']);
});

test('the OpenAPI document describes both formats', () => {
  const { paths } = publishedDocument() as {
    paths: Record<string, { get?: { responses: Record<string, { content?: object }> } }>;
  };
  // The labels of a check are a file for a command, which reads nothing else.
  const FILES = ['/checks/{id}/labels'];
  const both = Object.keys(paths).filter(
    (path) => !FILES.includes(path) && 'text/csv' in (paths[path]?.get?.responses['200']?.content ?? {}),
  );
  expect(both).toEqual(
    expect.arrayContaining(['/billing/summary/by-device', '/billing/transactions', '/billing/usage']),
  );
  for (const path of both)
    expect(paths[path]?.get?.responses['200']?.content).toHaveProperty('application/json');
});
