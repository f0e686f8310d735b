import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { METRIC_CATALOGUE } from '../../src/metrics/catalogue.ts';
import { type ApiUser, codeOf, QUEUE_ZONE, shopOf, type TestApi, testApi } from '../support/api.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let shop: { deviceId: string; sceneId: string };

beforeAll(async () => {
  api = await testApi();
  [owner, other] = [await api.user(), await api.user()];
  shop = await shopOf(owner);
});
afterAll(() => api.drop());

const CONDITION = { metricPath: 'current.inQueue', operator: 'GT', threshold: 5 };
const body = (changes: object = {}) => ({
  name: 'Long queue',
  sceneId: shop.sceneId,
  severity: 'warning',
  conditions: [CONDITION],
  ...changes,
});
const created = async (changes: object = {}) =>
  (await owner.post('/alerts/rules', body(changes))).body.data as { id: string; [field: string]: unknown };

describe('the metrics', () => {
  test('the flat list of metrics has all of the catalogue', async () => {
    const { data } = (await owner.get('/alerts/metrics/queue_analysis')).body;
    expect(data).toEqual(METRIC_CATALOGUE);
  });

  test('the grouped list has the same metrics under three names', async () => {
    const { data } = (await owner.get('/alerts/metrics/queue_analysis/grouped')).body;
    expect(Object.keys(data)).toEqual(['current', 'rolling', 'total']);
    expect([...data.current, ...data.rolling, ...data.total]).toEqual(METRIC_CATALOGUE);
    expect(data.current[0].path).toBe('current.inQueue');
  });

  test('a rule can watch every metric of the list', async () => {
    for (const { path } of METRIC_CATALOGUE.filter((_, n) => n % 11 === 0)) {
      const rule = await owner.post(
        '/alerts/rules',
        body({ conditions: [{ ...CONDITION, metricPath: path }] }),
      );
      expect([path, rule.status]).toEqual([path, 201]);
    }
  });
});

describe('POST /alerts/rules', () => {
  test('a new rule gets every default', async () => {
    const { status, body: answer } = await owner.post('/alerts/rules', body());
    expect(status).toBe(201);
    expect(answer.data).toEqual({
      id: expect.any(String),
      userId: owner.userId,
      deviceId: shop.deviceId,
      sceneId: shop.sceneId,
      siteId: null,
      site: null,
      scene: { id: shop.sceneId, name: 'Till' },
      device: { id: shop.deviceId, name: 'Shop' },
      name: 'Long queue',
      description: null,
      severity: 'warning',
      conditions: [CONDITION],
      logicOperator: 'OR',
      cooldownMinutes: 5,
      durationSeconds: 0,
      schedule: null,
      status: 'enabled',
      isFiring: false,
      lastTriggeredAt: null,
      triggerCount: 0,
      unmeasuredPaths: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('a rule on metrics that the zones cannot measure is accepted and names them', async () => {
    const paths = ['current.inQueue', 'current.inService', 'rolling5Min.abandonmentRate'];
    const conditions = paths.map((metricPath) => ({ ...CONDITION, metricPath }));
    const { id, unmeasuredPaths } = await created({ conditions });
    // The scene has a queue zone and no checkout zone.
    expect(unmeasuredPaths).toEqual(['current.inService', 'rolling5Min.abandonmentRate']);
    const sceneId = (await shopOf(owner)).sceneId;
    const zones = { checkoutZone: QUEUE_ZONE };
    expect((await owner.patch(`/scenes/${sceneId}`, { config: { zones } })).status).toBe(200);
    const { data } = (await owner.patch(`/alerts/rules/${id}`, { sceneId })).body;
    expect(data.unmeasuredPaths).toEqual(['current.inQueue', 'rolling5Min.abandonmentRate']);
  });

  test('a new rule keeps what is sent', async () => {
    const sent = {
      description: 'Somebody should open a till',
      severity: 'critical',
      conditions: ['GT', 'GTE', 'LT', 'LTE', 'EQ', 'NEQ'].map((operator) => ({ ...CONDITION, operator })),
      logicOperator: 'AND',
      cooldownMinutes: 1440,
      durationSeconds: 3600,
      schedule: { timezone: 'Europe/Berlin', windows: [{ days: [1, 7], start: '22:00', end: '06:00' }] },
    };
    expect(await created(sent)).toMatchObject(sent);
  });

  test.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a long description', { description: 'x'.repeat(501) }],
    ['no scene', { sceneId: undefined }],
    ['a malformed scene', { sceneId: '1' }],
    ['no severity', { severity: undefined }],
    ['another severity', { severity: 'info' }],
    ['no conditions', { conditions: [] }],
    ['eleven conditions', { conditions: Array.from({ length: 11 }, () => CONDITION) }],
    ['a condition without threshold', { conditions: [{ ...CONDITION, threshold: undefined }] }],
    ['a threshold in words', { conditions: [{ ...CONDITION, threshold: '5' }] }],
    ['another operator', { conditions: [{ ...CONDITION, operator: '>' }] }],
    ['a field too many in a condition', { conditions: [{ ...CONDITION, unit: 's' }] }],
    ['another logic', { logicOperator: 'XOR' }],
    ['cooldown 0', { cooldownMinutes: 0 }],
    ['cooldown 1441', { cooldownMinutes: 1441 }],
    ['half a minute', { cooldownMinutes: 0.5 }],
    ['a negative duration', { durationSeconds: -1 }],
    ['a duration of more than an hour', { durationSeconds: 3601 }],
    [
      'an unknown zone',
      { schedule: { timezone: 'X', windows: [{ days: [1], start: '01:00', end: '02:00' }] } },
    ],
    ['a status', { status: 'disabled' }],
    ['a device', { deviceId: ABSENT }],
  ])('a new rule with %s is refused', async (_, changes) => {
    expect(codeOf(await owner.post('/alerts/rules', body(changes)))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test.each(['current', 'current.nothing', 'rolling10Min.arrivals', 'total.avgInQueue', '__proto__'])(
    'a rule on the unknown metric %s is refused',
    async (metricPath) => {
      const answer = await owner.post(
        '/alerts/rules',
        body({ conditions: [CONDITION, { ...CONDITION, metricPath }] }),
      );
      expect(codeOf(answer)).toEqual([400, 'INVALID_METRIC_PATH']);
      expect(answer.body.error.details[0].path).toBe('conditions.1.metricPath');
    },
  );

  test('a rule for another user’s scene is 404', async () => {
    expect(codeOf(await other.post('/alerts/rules', body()))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.post('/alerts/rules', body({ sceneId: ABSENT })))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('PATCH /alerts/rules/{id}', () => {
  const SCHEDULE = { timezone: 'UTC', windows: [{ days: [1], start: '09:00', end: '10:00' }] };
  const firingRule = async () => {
    const rule = await created({ schedule: SCHEDULE });
    const firing = { isFiring: true, holdingSince: new Date(), lastTriggeredAt: new Date(), triggerCount: 3 };
    await api.context.db.alertRule.update({ where: { id: rule.id }, data: firing });
    return rule.id;
  };
  const revisionOf = async (id: string) =>
    (await api.context.db.alertRule.findUniqueOrThrow({ where: { id } })).revision;

  test.each<[string, object, boolean, boolean]>([
    ['another name', { name: 'New' }, true, false],
    ['a description', { description: 'New' }, true, false],
    ['another severity', { severity: 'critical' }, true, true],
    ['another cooldown', { cooldownMinutes: 9 }, true, true],
    ['another duration', { durationSeconds: 9 }, true, true],
    ['no schedule', { schedule: null }, true, true],
    ['other conditions', { conditions: [{ ...CONDITION, threshold: 6 }] }, false, true],
    ['the same conditions', { conditions: [CONDITION] }, true, false],
    ['another logic', { logicOperator: 'AND' }, false, true],
    ['the same logic', { logicOperator: 'OR' }, true, false],
    ['disabling it', { status: 'disabled' }, false, true],
    ['nothing', {}, true, false],
  ])('%s', async (_, change, staysFiring, isEvaluatedAnew) => {
    const id = await firingRule();
    const { status, body: answer } = await owner.patch(`/alerts/rules/${id}`, change);
    expect(status).toBe(200);
    expect(answer.data).toMatchObject({ ...change, isFiring: staysFiring, triggerCount: 3 });
    expect(answer.data.lastTriggeredAt).not.toBeNull();
    expect(await revisionOf(id)).toBe(isEvaluatedAnew ? 2 : 1);
  });

  test('a changed scene ends the firing and changes the device', async () => {
    const id = await firingRule();
    const second = await shopOf(owner);
    const { data } = (await owner.patch(`/alerts/rules/${id}`, { sceneId: second.sceneId })).body;
    expect(data).toMatchObject({ ...second, isFiring: false });
    const { sceneId } = await shopOf(other);
    for (const foreign of [sceneId, ABSENT])
      expect(codeOf(await owner.patch(`/alerts/rules/${id}`, { sceneId: foreign }))).toEqual([
        404,
        'NOT_FOUND',
      ]);
  });

  test.each([
    [{ name: '' }, 'VALIDATION_ERROR'],
    [{ conditions: [] }, 'VALIDATION_ERROR'],
    [{ status: 'gone' }, 'VALIDATION_ERROR'],
    [{ isFiring: true }, 'VALIDATION_ERROR'],
    [{ conditions: [{ ...CONDITION, metricPath: 'x' }] }, 'INVALID_METRIC_PATH'],
  ])('the change %j is refused', async (change, code) => {
    const { id } = await created();
    expect(codeOf(await owner.patch(`/alerts/rules/${id}`, change))).toEqual([400, code]);
  });
});

describe('GET /alerts/rules', () => {
  test('rules are listed newest first in pages of shape A, with filters', async () => {
    const user = await api.user();
    const [one, two] = [await shopOf(user), await shopOf(user)];
    const add = (name: string, changes: object) => user.post('/alerts/rules', body({ name, ...changes }));
    await add('Queue', { sceneId: one.sceneId, description: 'Open another TILL' });
    await add('Wait', { sceneId: one.sceneId, severity: 'critical' });
    const third = (await add('Service', { sceneId: two.sceneId })).body.data;
    await user.patch(`/alerts/rules/${third.id}`, { status: 'disabled' });
    const { data, meta } = (await user.get('/alerts/rules?limit=2')).body;
    expect(data.map((rule: { name: string }) => rule.name)).toEqual(['Service', 'Wait']);
    expect(meta.pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 });
    const namesOf = async (query: string) =>
      (await user.get(`/alerts/rules?${query}`)).body.data.map((rule: { name: string }) => rule.name);
    expect(await namesOf('page=2&limit=2')).toEqual(['Queue']);
    expect(await namesOf('page=9')).toEqual([]);
    expect(await namesOf(`sceneId=${one.sceneId}`)).toEqual(['Wait', 'Queue']);
    expect(await namesOf(`deviceId=${two.deviceId}`)).toEqual(['Service']);
    expect(await namesOf('severity=critical')).toEqual(['Wait']);
    expect(await namesOf('status=disabled')).toEqual(['Service']);
    expect(await namesOf('q=till')).toEqual(['Queue']);
    expect(await namesOf(`sceneId=${shop.sceneId}`)).toEqual([]);
    for (const bad of ['severity=x', 'status=x', 'limit=101', 'page=0', 'sceneId=1'])
      expect(codeOf(await user.get(`/alerts/rules?${bad}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a rule of a site', () => {
  const siteOf = async (user: ApiUser, ...deviceIds: string[]) =>
    (await user.post('/sites', { name: 'Market Street', timezone: 'UTC', deviceIds })).body.data.id as string;
  const ofSite = (siteId: string) => body({ sceneId: undefined, siteId });

  test('says which site, goes over to a scene and back, and goes with its site', async () => {
    const siteId = await siteOf(owner, shop.deviceId);
    const rule = (await owner.post('/alerts/rules', ofSite(siteId))).body.data;
    const there = { siteId, site: { id: siteId, name: 'Market Street' } };
    const noScene = { sceneId: null, deviceId: null, scene: null, device: null };
    expect(rule).toMatchObject({ ...there, ...noScene, isFiring: false, unmeasuredPaths: [] });
    const listed = (await owner.get(`/alerts/rules?siteId=${siteId}`)).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([rule.id]);
    const change = async (changes: object) =>
      (await owner.patch(`/alerts/rules/${rule.id}`, changes)).body.data;
    expect(await change({ sceneId: shop.sceneId })).toMatchObject({ ...shop, siteId: null, site: null });
    expect(await change({ siteId })).toMatchObject({ ...there, ...noScene });
    expect((await owner.delete(`/sites/${siteId}`)).status).toBe(204);
    expect((await owner.get(`/alerts/rules/${rule.id}`)).status).toBe(404);
  });

  test('is refused beside a scene, without either, and for the site of another user', async () => {
    const siteId = await siteOf(owner);
    const both = { siteId, sceneId: shop.sceneId };
    const { id } = await created();
    expect(codeOf(await owner.post('/alerts/rules', body(both)))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await owner.patch(`/alerts/rules/${id}`, both))).toEqual([400, 'VALIDATION_ERROR']);
    for (const foreign of [await siteOf(other), ABSENT]) {
      expect(codeOf(await owner.post('/alerts/rules', ofSite(foreign)))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await owner.patch(`/alerts/rules/${id}`, { siteId: foreign }))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    }
  });
});

test('a deleted rule is gone, its events stay', async () => {
  const { id } = await created();
  const answer = await owner.delete(`/alerts/rules/${id}`);
  expect([answer.status, answer.text]).toEqual([204, '']);
  for (const verb of ['get', 'delete'] as const)
    expect(codeOf(await owner[verb](`/alerts/rules/${id}`))).toEqual([404, 'NOT_FOUND']);
  expect(codeOf(await owner.patch(`/alerts/rules/${id}`, {}))).toEqual([404, 'NOT_FOUND']);
});

describe('access', () => {
  test.each([
    ['get', undefined],
    ['patch', { name: 'x' }],
    ['delete', undefined],
  ] as const)('%s answers 404 for a foreign or absent rule, 400 for a malformed id', async (verb, change) => {
    const { id } = await created();
    expect(codeOf(await other[verb](`/alerts/rules/${id}`, change))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner[verb](`/alerts/rules/${ABSENT}`, change))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner[verb]('/alerts/rules/1', change))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await api.nobody[verb](`/alerts/rules/${id}`, change))).toEqual([401, 'UNAUTHORIZED']);
  });

  test('rules require the scopes to read and to write', async () => {
    const { id } = await created();
    const [reader, stranger] = [await api.user(['alert:read']), await api.user(['alert:write'])];
    for (const answer of [
      await reader.post('/alerts/rules', body()),
      await reader.post('/alerts/rules/preview', {}),
      await reader.patch(`/alerts/rules/${id}`, {}),
      await reader.delete(`/alerts/rules/${id}`),
      await stranger.get('/alerts/rules'),
      await stranger.get(`/alerts/rules/${id}`),
      await stranger.get('/alerts/metrics/queue_analysis'),
      await stranger.get('/alerts/metrics/queue_analysis/grouped'),
    ]) {
      expect(codeOf(answer)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });
});
