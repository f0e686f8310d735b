import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUser, codeOf, QUEUE_ZONE, SHOP, shopOf, type TestApi, testApi } from '../../support/api.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
let deviceId: string;
beforeAll(async () => {
  api = await testApi();
  [owner, other] = [await api.user(), await api.user()];
  deviceId = (await owner.post('/devices', SHOP)).body.data.id;
});
afterAll(() => api.drop());

const DEFAULTS = {
  confidenceThreshold: 0.6,
  class: 'person',
  entryThresholdSeconds: 3,
  exitThresholdSeconds: 1,
  trackingMaxAgeSeconds: 5,
};
const body = (change: object = {}) => ({ deviceId, name: 'Till', analysisType: 'queue_analysis', ...change });
const created = async (change?: object) => (await owner.post('/scenes', body(change))).body.data;
const zone = (...points: number[][]) => ({ queueZone: { type: 'polygon', points } });

describe('POST /scenes', () => {
  test('a new scene is answered as a whole, with all parameters', async () => {
    const config = { zones: { queueZone: QUEUE_ZONE }, parameters: { entryThresholdSeconds: 1.5 } };
    const answer = await owner.post('/scenes', body({ description: 'd', config }));
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.any(String),
      ...body(),
      description: 'd',
      status: 'active',
      analysisStatus: 'idle',
      analysisStartedAt: null,
      processingComputeNodeId: null,
      recordingId: null,
      config: { zones: config.zones, parameters: { ...DEFAULTS, entryThresholdSeconds: 1.5 } },
      target: null,
      effectiveTarget: null,
      latestMetrics: null,
      metricsUpdatedAt: null,
      warnings: [],
      userId: owner.userId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('a queue zone around the checkout zone is accepted with a warning, until it is drawn beside it', async () => {
    const box = (left: number, top: number, right: number, bottom: number) => ({
      ...{
        type: 'polygon',
        points: [
          [left, top],
          [right, top],
          [right, bottom],
          [left, bottom],
        ],
      },
    });
    const checkoutZone = box(0.5, 0.5, 0.7, 0.7);
    const around = { queueZone: box(0.1, 0.1, 0.9, 0.9), checkoutZone };
    const { id, warnings } = await created({ config: { zones: around } });
    const warning = {
      reason: 'queue_around_checkout',
      message: expect.stringMatching(/^The queue zone surrounds the checkout zone: .{80,}$/),
    };
    expect(warnings).toEqual([warning]);
    expect((await owner.get(`/scenes/${id}`)).body.data.warnings).toEqual([warning]);
    const change = async (zones: object) =>
      (await owner.patch(`/scenes/${id}`, { config: { zones } })).body.data.warnings;
    // Almost the whole of it, and then a part that people cannot miss.
    expect(await change({ ...around, queueZone: box(0.1, 0.1, 0.695, 0.9) })).toEqual([warning]);
    expect(await change({ ...around, queueZone: box(0.1, 0.1, 0.6, 0.9) })).toEqual([]);
    expect(await change({ queueZone: box(0.5, 0.5, 0.6, 0.6), checkoutZone })).toEqual([]);
    for (const alone of [{ checkoutZone }, { queueZone: around.queueZone }])
      expect(await change(alone)).toEqual([]);
    expect((await owner.get(`/scenes/${id}`)).body.data.warnings).toEqual([]);
  });

  test('a staff zone stays until zones without one are sent', async () => {
    const [{ queueZone }, staffZone] = [zone([0, 0], [0.5, 0], [0.5, 1]), QUEUE_ZONE];
    const { id, config } = await created({ config: { zones: { queueZone, staffZone } } });
    expect(config.zones).toEqual({ queueZone, staffZone });
    expect((await owner.get(`/scenes/${id}`)).body.data.config.zones).toEqual({ queueZone, staffZone });
    const { data } = (await owner.patch(`/scenes/${id}`, { config: { zones: { queueZone } } })).body;
    expect(data.config.zones).toEqual({ queueZone });
  });

  test('without config the whole frame is the queue zone', async () => {
    const { config } = await created();
    expect(config.parameters).toEqual(DEFAULTS);
    expect(config.zones.queueZone.points).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]);
  });

  test.each([
    ['an empty config', {}, DEFAULTS],
    ['only parameters', { parameters: { class: 'vehicle' } }, { ...DEFAULTS, class: 'vehicle' }],
    ['empty parameters', { parameters: {} }, DEFAULTS],
  ])('with %s the whole frame is the queue zone too', async (_name, config, parameters) => {
    const answer = await owner.post('/scenes', body({ config }));
    expect(answer.status).toBe(201);
    expect(answer.body.data.config).toEqual({ zones: (await created()).config.zones, parameters });
  });

  test.each([
    [{ zones: {} }, 'config.zones'],
    [{ zones: null }, 'config.zones'],
  ])('the answer says what is wrong with %j', async (config, path) => {
    const { details } = (await owner.post('/scenes', body({ config }))).body.error;
    expect(details).toEqual([{ path, message: expect.stringMatching(/queueZone, checkoutZone or both/) }]);
  });

  test.each([
    ['no device', { deviceId: undefined }],
    ['a malformed device', { deviceId: 'x' }],
    ['no name', { name: undefined }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a long description', { description: 'x'.repeat(501) }],
    ['another analysis', { analysisType: 'crowd_analysis' }],
    ['no analysis', { analysisType: undefined }],
    ['no zone', { config: { zones: {} } }],
    ['a staff zone alone', { config: { zones: { staffZone: QUEUE_ZONE } } }],
    ['a staff zone over the queue', { config: { zones: { queueZone: QUEUE_ZONE, staffZone: QUEUE_ZONE } } }],
    ['zones that are null', { config: { zones: null } }],
    ['parameters with no zone in zones', { config: { zones: {}, parameters: { class: 'vehicle' } } }],
    ['a config that is null', { config: null }],
    ['two points', { config: { zones: zone([0, 0], [1, 1]) } }],
    [
      '21 points',
      { config: { zones: zone(...Array.from({ length: 21 }, (_, i) => [i / 21, (i * i) / 441])) } },
    ],
    ['a point outside', { config: { zones: zone([0, 0], [1.1, 0], [1, 1]) } }],
    ['three coordinates', { config: { zones: zone([0, 0, 0], [1, 0, 0], [1, 1, 0]) } }],
    ['a crossing polygon', { config: { zones: zone([0, 0], [1, 1], [1, 0], [0, 1]) } }],
    ['an unknown zone', { config: { zones: { ...zone([0, 0], [1, 0], [1, 1]), exit: QUEUE_ZONE } } }],
    [
      'a threshold of 61 s',
      { config: { zones: zone([0, 0], [1, 0], [1, 1]), parameters: { exitThresholdSeconds: 61 } } },
    ],
    ['an unknown class', { config: { zones: zone([0, 0], [1, 0], [1, 1]), parameters: { class: 'dog' } } }],
    ['a status', { status: 'paused' }],
  ])('a new scene with %s is refused', async (_name, change) => {
    const answer = await owner.post('/scenes', body(change));
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details.length).toBeGreaterThan(0);
  });

  test('a foreign and an absent device get the same answer', async () => {
    expect(codeOf(await other.post('/scenes', body()))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.post('/scenes', body({ deviceId: ABSENT })))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('GET /scenes', () => {
  test('scenes are listed with six fields in pages of shape B, with filters', async () => {
    const user = await api.user();
    const device = (await user.post('/devices', SHOP)).body.data.id;
    for (const name of ['A', 'B', 'C']) await user.post('/scenes', { ...body({ name }), deviceId: device });
    const { data, meta } = (await user.get('/scenes?limit=2')).body;
    expect(data[0]).toEqual({
      id: expect.any(String),
      name: 'C',
      description: null,
      analysisType: 'queue_analysis',
      status: 'active',
      analysisStatus: 'idle',
    });
    expect(meta.pagination).toEqual({
      limit: 2,
      currentPage: 1,
      totalRecords: 3,
      totalPages: 2,
      nextPage: 2,
      previousPage: null,
    });
    const totalOf = async (query: string) =>
      (await user.get(`/scenes?${query}`)).body.meta.pagination.totalRecords;
    expect(await totalOf(`deviceId=${device}`)).toBe(3);
    expect(await totalOf(`deviceId=${deviceId}`)).toBe(0);
    expect(await totalOf('status=paused')).toBe(0);
    expect(await totalOf('analysisStatus=idle&analysisType=queue_analysis&status=active')).toBe(3);
    expect(codeOf(await user.get('/scenes?status=gone'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('PATCH /scenes/{id}', () => {
  test('parameters change one by one, zones as a whole, the rest stays', async () => {
    const { id } = await created();
    const first = await owner.patch(`/scenes/${id}`, {
      name: 'New',
      config: { parameters: { class: 'vehicle' } },
    });
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      name: 'New',
      config: { parameters: { ...DEFAULTS, class: 'vehicle' } },
    });
    const second = await owner.patch(`/scenes/${id}`, { config: { zones: { checkoutZone: QUEUE_ZONE } } });
    expect(second.body.data.config).toEqual({
      zones: { checkoutZone: QUEUE_ZONE },
      parameters: { ...DEFAULTS, class: 'vehicle' },
    });
  });

  test('an empty config changes neither zones nor parameters', async () => {
    const zones = { checkoutZone: QUEUE_ZONE };
    const { id, config } = await created({ config: { zones, parameters: { exitThresholdSeconds: 7 } } });
    for (const empty of [{}, { parameters: {} }]) {
      const answer = await owner.patch(`/scenes/${id}`, { config: empty });
      expect([answer.status, answer.body.data.config]).toEqual([200, config]);
    }
    const parameters = { class: 'vehicle' };
    const { data } = (await owner.patch(`/scenes/${id}`, { config: { parameters } })).body;
    expect(data.config).toEqual({ zones, parameters: { ...config.parameters, class: 'vehicle' } });
  });

  test('the user sets the status of a scene', async () => {
    const { id } = await created();
    for (const status of ['draft', 'paused', 'error', 'active']) {
      expect((await owner.patch(`/scenes/${id}`, { status })).body.data.status).toBe(status);
    }
  });

  test('an empty change changes nothing', async () => {
    const before = await created();
    expect((await owner.patch(`/scenes/${before.id}`, {})).body.data).toEqual(before);
  });

  test('device and analysis type cannot be changed', async () => {
    const { id } = await created();
    const fixed = { deviceId, analysisType: 'queue_analysis' };
    expect((await owner.patch(`/scenes/${id}`, fixed)).status).toBe(200);
    for (const change of [{ deviceId: ABSENT }, { analysisType: 'crowd_analysis' }]) {
      expect(codeOf(await owner.patch(`/scenes/${id}`, change))).toEqual([400, 'IMMUTABLE_FIELD']);
    }
  });

  test.each([
    [{ name: '' }],
    [{ status: 'gone' }],
    [{ config: { zones: {} } }],
    [{ config: { zones: null } }],
    [{ config: null }],
    [{ userId: ABSENT }],
    [{ name: null }],
  ])('the change %j is refused', async (change) => {
    const { id } = await created();
    expect(codeOf(await owner.patch(`/scenes/${id}`, change))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('target', () => {
  const target = (waitSeconds: number, share = 0.9) => ({ waitSeconds, share });
  const site = async (deviceIds: string[], change: object) =>
    (await owner.post('/sites', { name: 'Shop', timezone: 'UTC', deviceIds, ...change })).body.data;
  const heldTo = async (id: string) => (await owner.get(`/scenes/${id}`)).body.data.effectiveTarget;

  test('that of the scene holds, else the shortest of its sites, else none', async () => {
    const { deviceId: device, sceneId } = await shopOf(owner);
    const floor = await site([device], {});
    const row = await site([device], { target: target(120, 0.8) });
    expect([floor.target, row.target]).toEqual([null, target(120, 0.8)]);
    expect(await heldTo(sceneId)).toEqual(target(120, 0.8));
    await owner.patch(`/sites/${floor.id}`, { target: target(60) });
    expect(await heldTo(sceneId)).toEqual(target(60));
    const { body } = await owner.patch(`/scenes/${sceneId}`, { target: target(300, 1) });
    expect(body.data).toMatchObject({ target: target(300, 1), effectiveTarget: target(300, 1) });
    const [device1] = (await owner.get(`/overview?siteId=${floor.id}`)).body.data;
    expect(device1.scenes).toMatchObject([{ id: sceneId, effectiveTarget: target(300, 1) }]);
    const sites = (await owner.get('/overview/sites')).body.data;
    expect(sites).toMatchObject([{ target: target(120, 0.8) }, { target: target(60) }]);

    await owner.patch(`/scenes/${sceneId}`, { target: null });
    await owner.patch(`/sites/${row.id}`, { name: 'Row' });
    expect(await heldTo(sceneId)).toEqual(target(60));
    await owner.patch(`/sites/${floor.id}`, { deviceIds: [] });
    expect(await heldTo(sceneId)).toEqual(target(120, 0.8));
    await owner.delete(`/sites/${row.id}`);
    expect(await heldTo(sceneId)).toBeNull();
  });

  test('it may be given to a new scene, and changed alone while its analysis runs', async () => {
    const scene = await created({ target: target(180) });
    expect(scene).toMatchObject({ target: target(180), effectiveTarget: target(180) });
    const { id } = scene;
    await api.context.db.scene.update({ where: { id }, data: { analysisStatus: 'running' } });
    const change = { target: target(90), config: { privacyMask: [] } };
    expect((await owner.patch(`/scenes/${id}`, { target: target(240) })).body.data.target).toEqual(
      target(240),
    );
    expect((await owner.patch(`/scenes/${id}`, change)).body.data.target).toEqual(target(90));
    const refused = await owner.patch(`/scenes/${id}`, { target: null, name: 'x' });
    expect(codeOf(refused)).toEqual([400, 'SCENE_ANALYSIS_ACTIVE']);
    expect(await heldTo(id)).toEqual(target(90));
  });

  test.each([
    ['no share', { waitSeconds: 180 }, 'target.share'],
    ['no time', { share: 0.9 }, 'target.waitSeconds'],
    ['no wait at all', target(0), 'target.waitSeconds'],
    ['half a second', target(0.5), 'target.waitSeconds'],
    ['more than four hours', target(14_401), 'target.waitSeconds'],
    ['more than all', target(180, 1.01), 'target.share'],
    ['nobody', target(180, 0), 'target.share'],
    ['something else', { ...target(180), median: 3 }, 'target.median'],
    ['a number', 180, 'target'],
  ])('a target with %s is refused', async (_name, sent, path) => {
    const { deviceId: device, sceneId } = await shopOf(owner);
    const { id } = await site([device], {});
    for (const answer of [
      await owner.patch(`/scenes/${sceneId}`, { target: sent }),
      await owner.post('/scenes', body({ target: sent })),
      await owner.patch(`/sites/${id}`, { target: sent }),
      await owner.post('/sites', { name: 'Shop', timezone: 'UTC', target: sent }),
    ]) {
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.details[0].path).toBe(path);
    }
    expect(await heldTo(sceneId)).toBeNull();
  });
});

describe('while analysis is active', () => {
  test.each(['starting', 'running', 'stopping'] as const)(
    'while its analysis is %s a scene cannot be changed or deleted',
    async (analysisStatus) => {
      const { id } = await created();
      await api.context.db.scene.update({ where: { id }, data: { analysisStatus } });
      const refused = [400, 'SCENE_ANALYSIS_ACTIVE'];
      expect(codeOf(await owner.patch(`/scenes/${id}`, { name: 'x' }))).toEqual(refused);
      expect(codeOf(await owner.patch(`/scenes/${id}`, { status: 'paused' }))).toEqual(refused);
      expect(codeOf(await owner.delete(`/scenes/${id}`))).toEqual(refused);
    },
  );

  test.each(['idle', 'stopped', 'error'] as const)('%s: both', async (analysisStatus) => {
    const { id } = await created();
    await api.context.db.scene.update({ where: { id }, data: { analysisStatus } });
    expect((await owner.patch(`/scenes/${id}`, { name: 'x' })).status).toBe(200);
    expect((await owner.delete(`/scenes/${id}`)).status).toBe(204);
  });
});

test('a deleted scene is gone everywhere, with its rules', async () => {
  const { deviceId: device, sceneId } = await shopOf(owner);
  const rule = await api.context.db.alertRule.create({
    data: { userId: owner.userId, deviceId: device, sceneId, name: 'r', severity: 'warning', conditions: [] },
  });
  const answer = await owner.delete(`/scenes/${sceneId}`);
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect((await owner.get(`/scenes/${sceneId}`)).status).toBe(404);
  expect((await owner.get(`/scenes?deviceId=${device}`)).body.data).toEqual([]);
  const { deletedAt } = await api.context.db.alertRule.findUniqueOrThrow({ where: { id: rule.id } });
  expect(deletedAt).not.toBeNull();
});

describe('access', () => {
  test.each([
    ['get', undefined],
    ['patch', { name: 'x' }],
    ['delete', undefined],
  ] as const)(
    '%s answers 404 for a foreign or absent scene, 400 for a malformed id',
    async (verb, change) => {
      const { id } = await created();
      expect(codeOf(await other[verb](`/scenes/${id}`, change))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await owner[verb](`/scenes/${ABSENT}`, change))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await owner[verb]('/scenes/1', change))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  test('scenes require a key with the scope', async () => {
    const { id } = await created();
    const reader = await api.user(['scene:read']);
    expect(codeOf(await api.nobody.get('/scenes'))).toEqual([401, 'UNAUTHORIZED']);
    for (const answer of [
      await reader.post('/scenes', body()),
      await reader.patch(`/scenes/${id}`, {}),
      await reader.delete(`/scenes/${id}`),
    ]) {
      expect(codeOf(answer)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });
});
