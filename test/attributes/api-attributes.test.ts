import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../../src/vision/attributes/keys.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, testApi } from '../support/api.ts';
import { addAlert, addRule } from '../support/rows/alert-rows.ts';
import { addAttributeHour, addAttributeRecord, countsOf } from '../support/rows/attribute-rows.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
const START = Date.UTC(2026, 0, 5, 10);
const at = (seconds: number) => new Date(START + seconds * 1000);
let api: TestApi;
let owner: ApiUser;
/** Has only a LEVEL_01 device. */
let basic: ApiUser;
/** Has a LEVEL_02 device without records. */
let other: ApiUser;
type Shop = { userId: string; deviceId: string; sceneId: string };
let shop: Shop;
let second: Shop;
/** The owner’s LEVEL_01 device, which was LEVEL_02 before. */
let downgraded: Shop;
let insightId: string;
let recordId: string;

async function shopWithPlan(user: ApiUser, plan: 'LEVEL_01' | 'LEVEL_02'): Promise<Shop> {
  const place = await shopOf(user);
  await user.patch(`/devices/${place.deviceId}`, { plan });
  return { userId: user.userId, ...place };
}

beforeAll(async () => {
  api = await testApi();
  const { db } = api.context;
  [owner, basic, other] = [await api.user(), await api.user(), await api.user()];
  shop = await shopWithPlan(owner, 'LEVEL_02');
  second = await shopWithPlan(owner, 'LEVEL_02');
  downgraded = await shopWithPlan(owner, 'LEVEL_01');
  await shopWithPlan(basic, 'LEVEL_01');
  await shopWithPlan(other, 'LEVEL_02');
  const rule = await addRule(db, shop);
  const { insight } = await addAlert(db, rule, { event: { triggeredAt: at(0) } });
  insightId = insight.id;
  for (const seconds of [-31, -30, -10, 30, 31]) {
    await addAttributeRecord(db, shop, {
      capturedAt: at(seconds),
      counts: { female: 1, male: 2, upperRed: 3 },
      known: { female: 3, male: 3, upperRed: 3, hat: 1 },
      coveredKeys: ['upperRed', 'hat', 'male', 'female'],
    });
  }
  recordId = (await addAttributeRecord(db, shop, { capturedAt: at(0), counts: { female: 1 }, insightId })).id;
  await addAttributeRecord(db, second, { capturedAt: at(5) });
  await addAttributeRecord(db, downgraded, { capturedAt: at(5) });
  const hours: [Shop, number, number][] = [
    [shop, 0, 3],
    [shop, 1, 5],
    [second, 1, 7],
    [shop, 26, 11],
    [downgraded, 1, 100],
  ];
  for (const [place, hour, persons] of hours) {
    const sums = {
      totalRecords: 2 * persons,
      totalPersons: persons,
      female: 1,
      male: persons - 1,
      age18To60: persons,
    };
    await addAttributeHour(db, place, at(hour * 3600), sums);
  }
});
afterAll(() => api.drop());

describe('GET /analysis/attributes', () => {
  const list = async (query = '', user = owner) => (await user.get(`/analysis/attributes?${query}`)).body;

  test('records are listed newest first in pages of shape A, only of LEVEL_02 devices', async () => {
    const { data, meta } = await list('limit=3');
    expect(meta.pagination).toEqual({ page: 1, limit: 3, total: 7, totalPages: 3 });
    expect(data.map(({ capturedAt }: { capturedAt: string }) => capturedAt)).toEqual(
      [31, 30, 5].map((seconds) => at(seconds).toISOString()),
    );
    expect(data[0]).toEqual({
      id: expect.any(String),
      deviceId: shop.deviceId,
      sceneId: shop.sceneId,
      capturedAt: at(31).toISOString(),
      totalPersons: 3,
      attributes: countsOf({ female: 1, male: 2, upperRed: 3 }),
      known: countsOf({ female: 3, male: 3, upperRed: 3, hat: 1 }),
      coveredKeys: ['female', 'male', 'hat', 'upperRed'],
    });
    expect(Object.keys(data[0].attributes)).toHaveLength(27);
  });

  test('records can be filtered', async () => {
    const totalOf = async (query: string, user = owner) => (await list(query, user)).meta.pagination.total;
    expect(await totalOf(`deviceId=${shop.deviceId}`)).toBe(6);
    expect(await totalOf(`sceneId=${second.sceneId}`)).toBe(1);
    expect(await totalOf(`deviceId=${shop.deviceId}&sceneId=${second.sceneId}`)).toBe(0);
    expect(await totalOf(`startDate=${at(0).toISOString()}&endDate=${at(30).toISOString()}`)).toBe(2);
    expect(await totalOf(`deviceId=${ABSENT}`)).toBe(0);
    expect(await totalOf(`sceneId=${ABSENT}&deviceId=${shop.deviceId}`)).toBe(0);
    expect(await totalOf(`deviceId=${shop.deviceId}`, other)).toBe(0);
    expect(await totalOf(`sceneId=${shop.sceneId}`, basic)).toBe(0);
    expect(await totalOf('', other)).toBe(0);
  });
});

describe('GET /analysis/attributes/{id}', () => {
  test('a record has its persons', async () => {
    const { data } = (await owner.get(`/analysis/attributes/${recordId}`)).body;
    expect(data).toEqual({
      id: recordId,
      userId: owner.userId,
      deviceId: shop.deviceId,
      sceneId: shop.sceneId,
      computeNodeId: null,
      insightId,
      capturedAt: at(0).toISOString(),
      totalPersons: 1,
      attributes: countsOf({ female: 1 }),
      known: countsOf({ female: 1 }),
      coveredKeys: [],
      persons: [
        {
          trackId: 1,
          box: { left: 0.1, top: 0.2, right: 0.3, bottom: 0.9 },
          confidence: 0.9,
          attributes: ['female'],
          known: ['female'],
        },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('each person has the keys that could be told', async () => {
    const [{ id }] = (await owner.get(`/analysis/attributes?deviceId=${shop.deviceId}`)).body.data;
    const { data } = (await owner.get(`/analysis/attributes/${id}`)).body;
    expect(data.persons.map(({ known }: { known: string[] }) => known)).toEqual([
      ['female'],
      ['male'],
      ['male'],
    ]);
  });

  test('a foreign or absent record is 404, a malformed id 400', async () => {
    expect(codeOf(await other.get(`/analysis/attributes/${recordId}`))).toEqual([404, 'NOT_FOUND']);
    // An absent record is 404 whatever the plan.
    expect(codeOf(await basic.get(`/analysis/attributes/${recordId}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.get(`/analysis/attributes/${ABSENT}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.get('/analysis/attributes/1'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /analysis/insights/{id}/attributes', () => {
  test('an insight lists the records of its scene within 30 s before and after, oldest first', async () => {
    const { data } = (await owner.get(`/analysis/insights/${insightId}/attributes`)).body;
    expect(data.map(({ capturedAt }: { capturedAt: string }) => capturedAt)).toEqual(
      [-30, -10, 0, 30].map((seconds) => at(seconds).toISOString()),
    );
    const fields = ['id', 'capturedAt', 'totalPersons', 'attributes', 'known', 'coveredKeys'];
    expect(Object.keys(data[0])).toEqual(fields);
  });

  test('an insight lists at most fifty records', async () => {
    const place = await shopWithPlan(owner, 'LEVEL_02');
    const { insight } = await addAlert(api.context.db, await addRule(api.context.db, place), {
      event: { triggeredAt: at(0) },
    });
    for (let n = 0; n < 52; n += 1)
      await addAttributeRecord(api.context.db, place, { capturedAt: at(n / 4) });
    const { data } = (await owner.get(`/analysis/insights/${insight.id}/attributes`)).body;
    expect(data).toHaveLength(50);
    await api.context.db.attributeRecord.deleteMany({ where: { sceneId: place.sceneId } });
  });

  test('a foreign or absent insight is 404, a malformed id 400', async () => {
    const of = (id: string) => `/analysis/insights/${id}/attributes`;
    expect(codeOf(await basic.get(of(insightId)))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.get(of(ABSENT)))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.get(of('1')))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /analysis/insights/attributes/stats', () => {
  const path = '/analysis/insights/attributes/stats';
  const range = (from: number, to: number) =>
    `startDate=${at(from).toISOString()}&endDate=${at(to).toISOString()}`;
  const stats = async (query: string, user = owner) => (await user.get(`${path}?${query}`)).body.data;

  test('statistics by hour include empty hours', async () => {
    const data = await stats(range(0, 3 * 3600));
    expect(data).toMatchObject({
      totalRecords: 30,
      totalPersons: 15,
      genderDistribution: { female: 3, male: 12 },
      ageDistribution: { ageLess18: 0, age18To60: 15, ageOver60: 0 },
    });
    const known = { female: 0, male: 0 };
    expect(data.timeline).toEqual([
      { timestamp: at(0).toISOString(), personCount: 3, attributes: { female: 1, male: 2 }, known },
      { timestamp: at(3600).toISOString(), personCount: 12, attributes: { female: 2, male: 10 }, known },
      {
        timestamp: at(7200).toISOString(),
        personCount: 0,
        attributes: { female: 0, male: 0 },
        known,
      },
    ]);
    expect(data.known).toEqual({ ...known, ageLess18: 0, age18To60: 0, ageOver60: 0 });
    expect(data.coveredKeys).toEqual([]);
  });

  test('statistics say what was switched off: null where it was never on, else numbers of the rest', async () => {
    // Beside the rows of the other tests.
    const DAYS_LATER = 20 * 86_400;
    const place = await shopWithPlan(owner, 'LEVEL_02');
    const known = { knownFemale: 2, knownMale: 2, knownAgeLess18: 2, knownAge18To60: 2, knownAgeOver60: 2 };
    const sums = { totalRecords: 2, totalPersons: 2, female: 1, male: 1, age18To60: 2, ...known };
    const { db } = api.context;
    const all: AttributeKey[] = ['female', 'male', 'ageLess18', 'age18To60', 'ageOver60'];
    const off = { ...sums, female: 0, male: 0, knownFemale: 0, knownMale: 0, switchedOff: ['gender'] };
    await addAttributeHour(db, place, at(DAYS_LATER), { ...off, coveredKeys: all.slice(2) });
    // Switched off within the hour.
    await addAttributeHour(db, place, at(DAYS_LATER + 3600), {
      ...sums,
      switchedOff: ['gender'],
      coveredKeys: all,
    });
    const never = await stats(`${range(DAYS_LATER, DAYS_LATER + 3600)}&sceneId=${place.sceneId}`);
    expect(never).toMatchObject({
      totalPersons: 2,
      switchedOff: ['gender'],
      genderDistribution: { female: null, male: null },
      ageDistribution: { ageLess18: 0, age18To60: 2, ageOver60: 0 },
      known: { female: null, male: null, age18To60: 2 },
      timeline: [
        { personCount: 2, attributes: { female: null, male: null }, known: { female: null, male: null } },
      ],
    });
    const partly = await stats(`${range(DAYS_LATER, DAYS_LATER + 3 * 3600)}&sceneId=${place.sceneId}`);
    expect(partly).toMatchObject({
      switchedOff: ['gender'],
      genderDistribution: { female: 1, male: 1 },
      known: { female: 2, male: 2 },
    });
    expect(partly.timeline.map((each: { attributes: object }) => each.attributes)).toEqual([
      { female: null, male: null },
      { female: 1, male: 1 },
      { female: 0, male: 0 },
    ]);
    expect((await stats(`${range(0, 3600)}&sceneId=${shop.sceneId}`)).switchedOff).toEqual([]);
  });

  test('statistics tell for how many people each key was known', async () => {
    const place = await shopWithPlan(owner, 'LEVEL_02');
    const { db } = api.context;
    const known = { knownFemale: 4, knownMale: 4, knownAgeLess18: 1, knownAge18To60: 2, knownAgeOver60: 3 };
    const sums = { totalRecords: 1, totalPersons: 5, male: 1 };
    await addAttributeHour(db, place, at(0), { ...sums, ...known, coveredKeys: ['male', 'female'] });
    await addAttributeHour(db, place, at(3600), { ...sums, ...known, coveredKeys: ['ageOver60', 'male'] });
    const of = (from: number, to: number) => stats(`${range(from, to)}&sceneId=${place.sceneId}`);
    const recent = await of(0, 7200);
    expect(recent.known).toEqual({ female: 8, male: 8, ageLess18: 2, age18To60: 4, ageOver60: 6 });
    expect(recent.coveredKeys).toEqual(['female', 'male', 'ageOver60']);
    expect(recent.timeline.map(({ known: of }: { known: object }) => of)).toEqual([
      { female: 4, male: 4 },
      { female: 4, male: 4 },
    ]);
    const days = await stats(`${range(0, 7200)}&sceneId=${place.sceneId}&groupBy=day`);
    expect(days.timeline[0]).toMatchObject({ personCount: 10, known: { female: 8, male: 8 } });
    await db.attributeHour.deleteMany({ where: { sceneId: place.sceneId } });
  });

  test('a range that starts within an hour counts that hour', async () => {
    const data = await stats(range(1800, 3601));
    expect([data.totalPersons, data.timeline.length]).toEqual([15, 2]);
    expect((await stats(range(1800, 3600))).totalPersons).toBe(3);
    expect((await stats(range(0, 0))).timeline).toEqual([]);
  });

  test('statistics by UTC day', async () => {
    const { timeline } = await stats(`${range(0, 3 * 86_400)}&groupBy=day`);
    expect(
      timeline.map(({ timestamp, personCount }: { timestamp: string; personCount: number }) => [
        timestamp,
        personCount,
      ]),
    ).toEqual([
      ['2026-01-05T00:00:00.000Z', 15],
      ['2026-01-06T00:00:00.000Z', 11],
      ['2026-01-07T00:00:00.000Z', 0],
      ['2026-01-08T00:00:00.000Z', 0],
    ]);
  });

  test('statistics of a device and of a scene', async () => {
    expect((await stats(`${range(0, 7200)}&deviceId=${second.deviceId}`)).totalPersons).toBe(7);
    expect((await stats(`${range(0, 7200)}&sceneId=${shop.sceneId}`)).totalPersons).toBe(8);
    expect((await stats(`${range(0, 7200)}&sceneId=${shop.sceneId}`, other)).totalPersons).toBe(0);
  });

  test.each<[string, [number, string | undefined]]>([
    [range(0, 31 * 86_400), [200, undefined]],
    [range(0, 31 * 86_400 + 1), [400, 'INVALID_DATE_RANGE']],
    [`${range(0, 400 * 86_400)}&groupBy=day`, [200, undefined]],
    [`${range(0, 400 * 86_400 + 1)}&groupBy=day`, [400, 'INVALID_DATE_RANGE']],
    [range(1, 0), [400, 'INVALID_DATE_RANGE']],
    [`startDate=${at(0).toISOString()}`, [400, 'VALIDATION_ERROR']],
    ['', [400, 'VALIDATION_ERROR']],
    [`${range(0, 1)}&groupBy=week`, [400, 'VALIDATION_ERROR']],
    [`${range(0, 1)}&sceneId=1`, [400, 'VALIDATION_ERROR']],
  ])('the statistics query %s is refused', async (query, expected) => {
    expect(codeOf(await owner.get(`${path}?${query}`))).toEqual(expected);
  });
});

describe('the plan', () => {
  const RANGE = 'startDate=2026-01-01&endDate=2026-01-02';
  const LISTS = ['/analysis/attributes?', `/analysis/insights/attributes/stats?${RANGE}&`];

  test.each(LISTS)('%s: LEVEL_01 is 403, a foreign device or scene gives an empty list', async (path) => {
    const forbidden = [403, 'FORBIDDEN'];
    expect(codeOf(await basic.get(path))).toEqual(forbidden);
    expect(codeOf(await owner.get(`${path}deviceId=${downgraded.deviceId}`))).toEqual(forbidden);
    expect(codeOf(await owner.get(`${path}sceneId=${downgraded.sceneId}`))).toEqual(forbidden);
    expect((await basic.get(`${path}deviceId=${shop.deviceId}`)).status).toBe(200);
    expect((await basic.get(`${path}deviceId=${ABSENT}`)).status).toBe(200);
  });

  test('records and insights require the plan of their device', async () => {
    const { db } = api.context;
    const record = await addAttributeRecord(db, downgraded, { capturedAt: at(99) });
    const { insight } = await addAlert(db, await addRule(db, downgraded));
    expect(codeOf(await owner.get(`/analysis/attributes/${record.id}`))).toEqual([403, 'FORBIDDEN']);
    expect(codeOf(await owner.get(`/analysis/insights/${insight.id}/attributes`))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });
});

test.each([
  '/analysis/attributes',
  `/analysis/attributes/${ABSENT}`,
  `/analysis/insights/${ABSENT}/attributes`,
  '/analysis/insights/attributes/stats?startDate=2026-01-01&endDate=2026-01-02',
])('%s requires a key with the scope', async (path) => {
  const stranger = await api.user(['scene:read']);
  expect(codeOf(await api.nobody.get(path))).toEqual([401, 'UNAUTHORIZED']);
  expect(codeOf(await stranger.get(path))).toEqual([403, 'INSUFFICIENT_SCOPE']);
});

test('there are 27 keys', () => {
  expect(new Set(ALL_ATTRIBUTE_KEYS).size).toBe(27);
});
