import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  askForFrame,
  completeFrameRequests,
} from '../../../src/cameras/devices/images/frame-request.store.ts';
import { findPicture, storePicture } from '../../../src/cameras/devices/images/live-picture.store.ts';
import { findPrivacy } from '../../../src/cameras/devices/privacy.store.ts';
import { CHANNELS, listen } from '../../../src/platform/database/notify.ts';
import { type ApiUser, codeOf, SHOP, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

const mask = (left: number, right: number) => ({
  type: 'polygon',
  points: [
    [left, 0],
    [right, 0],
    [right, 1],
    [left, 1],
  ],
});
const [A, B] = [mask(0, 0.2), mask(0.8, 1)];

let api: TestApi;
let user: ApiUser;
let deviceId: string;
let sceneId: string;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.drop());
beforeEach(async () => {
  user = await api.user();
  ({ deviceId, sceneId } = await shopOf(user));
});

const privacy = () => findPrivacy(api.context.db, deviceId);
const revision = async () => (await privacy())!.revision;
const setActive = () =>
  api.context.db.scene.update({ where: { id: sceneId }, data: { analysisStatus: 'running' } });

describe('the masks of a device', () => {
  test('are empty at first, are set and read, and are replaced as a whole', async () => {
    const path = `/devices/${deviceId}`;
    expect((await user.get(path)).body.data).toMatchObject({ privacyMask: [], maskAnalysis: false });
    const set = await user.patch(path, { privacyMask: [A, B], maskAnalysis: true });
    expect(set.body.data).toMatchObject({ privacyMask: [A, B], maskAnalysis: true });
    expect((await user.patch(path, { name: 'Till 3' })).body.data.privacyMask).toEqual([A, B]);
    expect((await user.patch(path, { privacyMask: [] })).body.data.privacyMask).toEqual([]);
    const made = await user.post('/devices', { name: 'x', streamUrl: 'sim:shop?seed=1', privacyMask: [B] });
    expect(made.body.data).toMatchObject({ privacyMask: [B], maskAnalysis: false });
  });

  test.each<[string, object, string]>([
    ['points outside', { privacyMask: [mask(0, 1.2)] }, 'privacyMask.0.points.1'],
    [
      'crossing edges',
      {
        privacyMask: [
          {
            ...A,
            points: [
              [0, 0],
              [1, 1],
              [1, 0],
              [0, 1],
            ],
          },
        ],
      },
      'privacyMask.0.points',
    ],
    ['too many', { privacyMask: Array.from({ length: 21 }, () => A) }, 'privacyMask'],
    ['no points', { privacyMask: [{ ...A, points: [] }] }, 'privacyMask.0.points'],
    ['null', { privacyMask: null }, 'privacyMask'],
    ['maskAnalysis null', { maskAnalysis: null }, 'maskAnalysis'],
  ])('%s are refused with their place', async (_, body, path) => {
    const answer = await user.patch(`/devices/${deviceId}`, body);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details[0].path).toContain(path);
  });
});

describe('the masks of a scene', () => {
  test('are part of its configuration, and may change alone while its analysis is active', async () => {
    const path = `/scenes/${sceneId}`;
    const zones = (await user.get(path)).body.data.config.zones;
    await setActive();
    const set = await user.patch(path, { config: { privacyMask: [A] } });
    expect([set.status, set.body.data.config]).toMatchObject([200, { zones, privacyMask: [A] }]);
    for (const body of [
      { name: 'x', config: { privacyMask: [] } },
      { config: { privacyMask: [], zones } },
      {},
    ])
      expect(codeOf(await user.patch(path, body))).toEqual([400, 'SCENE_ANALYSIS_ACTIVE']);
    expect((await user.get(path)).body.data.config.privacyMask).toEqual([A]);
  });

  test('a change of the zones keeps them; bad ones are refused', async () => {
    const path = `/scenes/${sceneId}`;
    await user.patch(path, { config: { privacyMask: [A] } });
    const { config } = (await user.patch(path, { config: { zones: { queueZone: B } } })).body.data;
    expect(config).toMatchObject({ zones: { queueZone: B }, privacyMask: [A] });
    const answer = await user.patch(path, { config: { privacyMask: [mask(-0.1, 1)] } });
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await (await api.user()).patch(path, { config: { privacyMask: [] } }))[0]).toBe(404);
  });

  test('two changes at once lose none', async () => {
    const path = `/scenes/${sceneId}`;
    const changes = [
      { privacyMask: [A] },
      { parameters: { entryThresholdSeconds: 7 } },
      { zones: { queueZone: B } },
    ];
    await Promise.all(changes.map((config) => user.patch(path, { config })));
    expect((await user.get(path)).body.data.config).toMatchObject({
      ...{ privacyMask: [A], zones: { queueZone: B } },
      parameters: { entryThresholdSeconds: 7 },
    });
  });
});

describe('what pictures of a device may show', () => {
  test('the masks of the device and of all its scenes, and what its user hides of people', async () => {
    await user.patch(`/devices/${deviceId}`, { privacyMask: [A] });
    await user.patch(`/scenes/${sceneId}`, { config: { privacyMask: [B] } });
    const body = { deviceId, name: 'Second', analysisType: 'queue_analysis', config: { privacyMask: [A] } };
    const second = (await user.post('/scenes', body)).body.data.id;
    await user.patch('/users/me', { blurPeople: 'faces' });
    expect(await privacy()).toMatchObject({ masks: [A, B, A], maskAnalysis: false, blurPeople: 'faces' });
    await user.delete(`/scenes/${second}`);
    expect((await privacy())!.masks).toEqual([A, B]);
    await user.delete(`/scenes/${sceneId}`);
    await user.delete(`/devices/${deviceId}`);
    expect(await privacy()).toBeNull();
  });

  test('sensitive attributes are determined that both the account and the device have switched on', async () => {
    const groups = async () => (await privacy())!.attributeGroups;
    expect(await groups()).toEqual(['gender', 'age']);
    const changed = await user.patch(`/devices/${deviceId}`, {
      attributeGroups: ['age', 'gender', 'age'].slice(0, 2),
    });
    expect(changed.body.data.attributeGroups).toEqual(['gender', 'age']);
    await user.patch(`/devices/${deviceId}`, { attributeGroups: ['age'] });
    expect((await user.get(`/devices/${deviceId}`)).body.data.attributeGroups).toEqual(['age']);
    expect(await groups()).toEqual(['age']);
    const account = await user.patch('/users/me', { attributeGroups: ['gender'] });
    expect(account.body.data.attributeGroups).toEqual(['gender']);
    expect(await groups()).toEqual([]);
    await user.patch('/users/me', { attributeGroups: ['gender', 'age'] });
    expect(await groups()).toEqual(['age']);
    for (const attributeGroups of [null, 'age', ['clothing'], ['age', 'age', 'gender'], [1], {}])
      for (const path of [`/devices/${deviceId}`, '/users/me'])
        expect(codeOf(await user.patch(path, { attributeGroups }))).toEqual([400, 'VALIDATION_ERROR']);
    const created = await user.post('/devices', { ...SHOP, name: 'No ages', attributeGroups: ['gender'] });
    expect(created.body.data.attributeGroups).toEqual(['gender']);
  });

  test('each change counts, and nothing else does', async () => {
    const before = await revision();
    const changes = [
      () => user.patch(`/devices/${deviceId}`, { privacyMask: [A] }),
      () => user.patch(`/devices/${deviceId}`, { maskAnalysis: true }),
      () => user.patch(`/scenes/${sceneId}`, { config: { privacyMask: [A] } }),
      () => user.patch('/users/me', { blurPeople: 'bodies' }),
      () => user.patch(`/devices/${deviceId}`, { attributeGroups: ['age'] }),
      () => user.patch('/users/me', { attributeGroups: [] }),
    ];
    for (const change of changes) for (const _ of [1, 2]) expect((await change()).status).toBe(200);
    await user.patch(`/devices/${deviceId}`, { name: 'Other', analysisFps: 3 });
    await user.patch(`/scenes/${sceneId}`, {
      name: 'Other',
      config: { parameters: { entryThresholdSeconds: 9 } },
    });
    await user.patch('/users/me', { name: 'Other' });
    expect((await revision()) - before).toBe(changes.length);
  });

  test('nodes and watchers are notified of a change, and the live picture of before is gone', async () => {
    const { db, config } = api.context;
    await storePicture(db, deviceId, pictureOf(1));
    const heard: string[] = [];
    let connected = () => {};
    const isConnected = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const listener = listen({
      databaseUrl: config.databaseUrl!,
      channels: [CHANNELS.runs, CHANNELS.livePictures],
      onNotify: (channel, payload) => payload === deviceId && heard.push(channel),
      onConnect: connected,
    });
    await isConnected;
    await user.patch('/users/me', { blurPeople: 'bodies' });
    await eventually('both are notified', () => new Set(heard).size === 2);
    await listener.close();
    expect(await findPicture(db, deviceId)).toBeNull();
    await storePicture(db, deviceId, pictureOf(1));
    expect(await findPicture(db, deviceId)).toBeNull();
    await storePicture(db, deviceId, pictureOf(2));
    expect(await findPicture(db, deviceId)).not.toBeNull();
  });

  test('an image that was made for former masks answers no request, and is not shared with later ones', async () => {
    const { db } = api.context;
    const image = (privacyRevision: number) => ({
      ...{ jpeg: new Uint8Array([1]), capturedAtMs: null, fault: null, privacyRevision },
    });
    const first = await askForFrame(db, deviceId);
    expect(await completeFrameRequests(api.context, [first], image(1))).toBe(true);
    expect(await askForFrame(db, deviceId)).toBe(first);
    await user.patch(`/devices/${deviceId}`, { privacyMask: [A] });
    const second = await askForFrame(db, deviceId);
    expect(second).not.toBe(first);
    expect(await completeFrameRequests(api.context, [second], image(1))).toBe(false);
    expect(await completeFrameRequests(api.context, [second], image(2))).toBe(true);
    // Somebody else has answered.
    expect(await completeFrameRequests(api.context, [second], image(1))).toBe(true);
  });
});

const pictureOf = (privacyRevision: number) => ({
  ...{
    capturedAtMs: Date.now(),
    isStill: false,
    tracks: '{}',
    jpeg: new Uint8Array([1, 2]),
    privacyRevision,
  },
});

describe('what an account hides of people', () => {
  test('is nothing at first, is read and changed, and refused where it is unknown', async () => {
    expect((await user.get('/users/me')).body.data.blurPeople).toBe('none');
    expect((await user.patch('/users/me', { blurPeople: 'faces' })).body.data.blurPeople).toBe('faces');
    for (const blurPeople of ['all', null, true])
      expect(codeOf(await user.patch('/users/me', { blurPeople }))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await user.get('/users/me')).body.data.blurPeople).toBe('faces');
  });
});

test('the audit log has each change of masks and of hidden people once, with who made it', async () => {
  const entries = async () => {
    const { data } = (await user.get('/audit')).body;
    return (data as { action: string; target: unknown; details: unknown; actor: { kind: string } }[])
      .filter(({ action }) => ['masks_changed', 'blur_people_changed'].includes(action))
      .map(({ action, target, details, actor }) => [action, target, details, actor.kind])
      .reverse();
  };
  for (const round of [1, 2]) {
    await user.patch(`/devices/${deviceId}`, { privacyMask: [A, B], maskAnalysis: true });
    await user.patch(`/scenes/${sceneId}`, { config: { privacyMask: [A] } });
    await user.patch(`/scenes/${sceneId}?restart=true`, { config: { privacyMask: [A, B] } });
    await user.patch(`/scenes/${sceneId}`, { config: { privacyMask: [A] } });
    await user.patch('/users/me', { blurPeople: 'faces' });
    await user.patch('/users/me', { name: 'Other' });
    if (round === 1) await user.patch(`/scenes/${sceneId}`, { config: { privacyMask: [A, B] } });
  }
  await user.delete(`/scenes/${sceneId}`);
  const device = { kind: 'device', id: deviceId };
  const scene = { kind: 'scene', id: sceneId };
  const ofScene = (polygons: number) => ['masks_changed', scene, { polygons }, 'key'];
  expect(await entries()).toEqual([
    ['masks_changed', device, { polygons: 2, maskAnalysis: true }, 'key'],
    ...[1, 2, 1].map(ofScene),
    ['blur_people_changed', null, { from: 'none', to: 'faces' }, 'key'],
    ...[2, 1, 2, 1].map(ofScene),
    ofScene(0),
  ]);
});
