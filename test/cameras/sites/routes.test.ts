import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sceneIdsOfSite } from '../../../src/cameras/sites/site.store.ts';
import { type ApiUser, codeOf, SHOP, shopOf, type TestApi, testApi } from '../../support/api.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
beforeAll(async () => {
  api = await testApi();
  [owner, other] = [await api.user(), await api.user()];
});
afterAll(() => api.drop());

const newDevice = async (user = owner): Promise<string> => (await user.post('/devices', SHOP)).body.data.id;
const body = (change: object = {}) => ({ name: 'Shop', timezone: 'Europe/Berlin', ...change });
const created = async (change?: object, user = owner) => (await user.post('/sites', body(change))).body.data;

describe('POST /sites', () => {
  test('a new site is answered as a whole; a device that is named twice is in it once', async () => {
    const [one, two] = [await newDevice(), await newDevice()];
    const answer = await owner.post('/sites', body({ deviceIds: [two, one, two] }));
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.any(String),
      name: 'Shop',
      timezone: 'Europe/Berlin',
      deviceIds: [one, two],
      target: null,
      openingHours: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await owner.get(`/sites/${answer.body.data.id}`)).body.data).toEqual(answer.body.data);
  });

  test('a site may have no devices, and a device several sites', async () => {
    expect((await created()).deviceIds).toEqual([]);
    const deviceId = await newDevice();
    const sites = [await created({ deviceIds: [deviceId] }), await created({ deviceIds: [deviceId] })];
    const { data } = (await owner.get(`/sites?deviceId=${deviceId}`)).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(sites.map(({ id }) => id).reverse());
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a long name', { name: 'x'.repeat(101) }, 'name'],
    ['no time zone', { timezone: undefined }, 'timezone'],
    ['a time zone that does not exist', { timezone: 'Europe/Atlantis' }, 'timezone'],
    ['a time zone that is null', { timezone: null }, 'timezone'],
    ['a malformed device', { deviceIds: ['x'] }, 'deviceIds.0'],
    ['devices that are no list', { deviceIds: ABSENT }, 'deviceIds'],
    ['1,001 devices', { deviceIds: Array.from({ length: 1_001 }, () => ABSENT) }, 'deviceIds'],
  ])('%s is refused', async (_name, change, path) => {
    const answer = await owner.post('/sites', body(change));
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details[0].path).toBe(path);
  });

  test('a foreign, a deleted and an absent device get the same answer, and no site is created', async () => {
    const [own, gone] = [await newDevice(), await newDevice()];
    await owner.delete(`/devices/${gone}`);
    const before = (await owner.get('/sites')).body.meta.pagination.total;
    for (const deviceId of [await newDevice(other), gone, ABSENT]) {
      const answer = await owner.post('/sites', body({ deviceIds: [own, deviceId] }));
      expect([answer.status, answer.body.message]).toEqual([404, 'Device not found']);
      expect(answer.body.error.details).toMatchObject([{ path: 'deviceIds' }]);
    }
    expect((await owner.get('/sites')).body.meta.pagination.total).toBe(before);
  });
});

describe('GET /sites', () => {
  test('sites are listed newest first, in pages, by a part of the name', async () => {
    const user = await api.user();
    for (const name of ['Floor 1', 'Floor 2', 'Tills 100%']) await created({ name }, user);
    const namesOf = async (query: string) =>
      (await user.get(`/sites${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await namesOf('')).toEqual(['Tills 100%', 'Floor 2', 'Floor 1']);
    expect(await namesOf('?q=fLOOR&limit=1&page=2')).toEqual(['Floor 1']);
    expect(await namesOf('?q=%25')).toEqual(['Tills 100%']);
    expect(await namesOf(`?deviceId=${ABSENT}`)).toEqual([]);
  });
});

describe('opening hours', () => {
  const WEEK = { windows: [{ days: [1, 2, 3, 4, 5], start: '09:00', end: '20:00' }] };
  const hours = async (change: object) =>
    owner.post('/sites', body({ openingHours: { ...WEEK, ...change } }));

  test('are kept as a whole, replaced, and forgotten; what is not sent is null or none', async () => {
    const exceptions = [
      { date: '2026-12-25', name: 'Christmas', windows: [] },
      { date: '2026-12-31', name: null, windows: [{ start: '09:00', end: '14:15' }] },
    ];
    const sent = [
      { date: '2026-12-25', name: 'Christmas' },
      { ...exceptions[1], name: undefined },
    ];
    const { data } = (await hours({ exceptions: sent })).body;
    expect(data.openingHours).toEqual({ ...WEEK, exceptions });
    const path = `/sites/${data.id}`;
    expect((await owner.patch(path, { name: 'Floor' })).body.data.openingHours).toEqual(data.openingHours);
    const night = { windows: [{ days: [5], start: '18:00', end: '02:00' }] };
    expect((await owner.patch(path, { openingHours: night })).body.data.openingHours).toEqual({
      ...night,
      exceptions: [],
    });
    expect((await owner.patch(path, { openingHours: null })).body.data.openingHours).toBeNull();
  });

  const window = (change: object) => ({ windows: [{ ...WEEK.windows[0], ...change }] });
  const day = (change: object) => ({ exceptions: [{ date: '2026-12-25', ...change }] });
  test.each([
    ['no window', { windows: [] }, 'windows'],
    ['a window without days', window({ days: [] }), 'windows.0.days'],
    ['an eighth day', window({ days: [8] }), 'windows.0.days.0'],
    ['minutes within a quarter', window({ start: '09:10' }), 'windows.0.start'],
    ['24 o’clock', window({ end: '24:00' }), 'windows.0.end'],
    ['51 windows', { windows: Array.from({ length: 51 }, () => WEEK.windows[0]) }, 'windows'],
    ['a date that is none', day({ date: '2026-02-30' }), 'exceptions.0.date'],
    ['a date twice', { exceptions: [{ date: '2026-12-25' }, { date: '2026-12-25' }] }, 'exceptions.1.date'],
    ['an empty name', day({ name: '' }), 'exceptions.0.name'],
    ['a name on two lines', day({ name: 'a\nb' }), 'exceptions.0.name'],
    ['a window that does not end', day({ windows: [{ start: '09:00' }] }), 'exceptions.0.windows.0.end'],
  ])('%s is refused', async (_name, change, path) => {
    const answer = await hours(change);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details[0].path).toBe(`openingHours.${path}`);
  });

  test('numbers over time know them, of the site and of its scenes; a young site has no proposal', async () => {
    const { deviceId, sceneId } = await shopOf(owner);
    const { data } = (await owner.post('/sites', body({ deviceIds: [deviceId], openingHours: WEEK }))).body;
    // A Friday and a Saturday in Berlin.
    const query = 'series?from=2026-01-08T23:00:00Z&to=2026-01-10T23:00:00Z&bucket=1d&timezone=Europe/Berlin';
    for (const path of [`sites/${data.id}`, `scenes/${sceneId}`]) {
      const series = (await owner.get(`/analytics/${path}/${query}`)).body.data;
      expect(series.openPercent).toEqual([45.8, 0]);
    }
    const proposed = await owner.get(`/analytics/sites/${data.id}/opening-hours-proposal`);
    expect(proposed.body.data).toEqual({ openingHours: null, reason: 'tooFewDays', days: 0 });
  });
});

describe('PATCH /sites/{id}', () => {
  test('only the sent fields change; deviceIds replaces the devices', async () => {
    const [one, two, three] = [await newDevice(), await newDevice(), await newDevice()];
    const site = await created({ deviceIds: [one, two] });
    const renamed = (await owner.patch(`/sites/${site.id}`, { name: 'Floor' })).body.data;
    expect(renamed).toEqual({ ...site, name: 'Floor', updatedAt: expect.any(String) });
    for (const _twice of [1, 2]) {
      const { data } = (await owner.patch(`/sites/${site.id}`, { deviceIds: [two, three] })).body;
      expect(data.deviceIds).toEqual([two, three]);
    }
    expect((await owner.patch(`/sites/${site.id}`, { deviceIds: [] })).body.data.deviceIds).toEqual([]);
  });

  test('a foreign device changes nothing, not even the name', async () => {
    const deviceId = await newDevice();
    const site = await created({ deviceIds: [deviceId] });
    const change = { name: 'Lost', deviceIds: [await newDevice(other)] };
    expect(codeOf(await owner.patch(`/sites/${site.id}`, change))).toEqual([404, 'NOT_FOUND']);
    expect((await owner.get(`/sites/${site.id}`)).body.data).toEqual(site);
  });

  test('concurrent changes of the devices leave one of the lists', async () => {
    const ids = [await newDevice(), await newDevice(), await newDevice()];
    const site = await created();
    const lists = [ids.slice(0, 2), ids.slice(1), ids, []];
    const answers = await Promise.all(
      [...lists, ...lists].map((deviceIds) => owner.patch(`/sites/${site.id}`, { deviceIds })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(lists).toContainEqual((await owner.get(`/sites/${site.id}`)).body.data.deviceIds);
  });
});

test('a site of another user does not exist', async () => {
  const site = await created();
  for (const answer of [
    await other.get(`/sites/${site.id}`),
    await other.patch(`/sites/${site.id}`, { name: 'Mine' }),
    await other.delete(`/sites/${site.id}`),
  ])
    expect([answer.status, answer.body.message]).toEqual([404, 'Site not found']);
  expect((await other.get('/sites')).body.data).toEqual([]);
});

test('a deleted site is gone, its devices stay', async () => {
  const deviceId = await newDevice();
  const { id } = await created({ deviceIds: [deviceId] });
  expect((await owner.delete(`/sites/${id}`)).status).toBe(204);
  expect((await owner.delete(`/sites/${id}`)).status).toBe(404);
  expect((await owner.get(`/devices/${deviceId}`)).status).toBe(200);
});

test('a deleted device leaves its sites', async () => {
  const [stays, goes] = [await newDevice(), await newDevice()];
  const site = await created({ deviceIds: [stays, goes] });
  await owner.delete(`/devices/${goes}`);
  expect((await owner.get(`/sites/${site.id}`)).body.data.deviceIds).toEqual([stays]);
  expect(await api.context.db.siteDevice.count({ where: { deviceId: goes } })).toBe(0);
});

describe('sceneIdsOfSite', () => {
  test('the scenes of its devices that are not deleted', async () => {
    const [one, two] = [await shopOf(owner), await shopOf(owner)];
    const gone = await owner.post('/scenes', {
      deviceId: one.deviceId,
      name: 'Gone',
      analysisType: 'queue_analysis',
    });
    await owner.delete(`/scenes/${gone.body.data.id}`);
    const site = await created({ deviceIds: [one.deviceId, two.deviceId, await newDevice()] });
    const ids = () => sceneIdsOfSite(api.context.db, owner.userId, site.id);
    expect(await ids()).toEqual([one.sceneId, two.sceneId]);
    await owner.delete(`/devices/${one.deviceId}`);
    expect(await ids()).toEqual([two.sceneId]);
  });

  test('empty without scenes; null for a site that does not exist or belongs to another user', async () => {
    const { id } = await created();
    const { db } = api.context;
    expect(await sceneIdsOfSite(db, owner.userId, id)).toEqual([]);
    expect(await sceneIdsOfSite(db, other.userId, id)).toBeNull();
    expect(await sceneIdsOfSite(db, owner.userId, ABSENT)).toBeNull();
  });
});
