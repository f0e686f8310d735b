import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { type ApiUser, codeOf, SHOP, shopOf, type TestApi, testApi } from '../../support/api.ts';

const ABSENT = '11111111-1111-1111-1111-111111111111';
let api: TestApi;
let owner: ApiUser;
let other: ApiUser;
/** A camera over HTTP with a password, and the file it sends. */
let camera: Server;
let clip: string;
beforeAll(async () => {
  const media = mkdtempSync(join(tmpdir(), 'media-'));
  clip = join(media, 'clip.mkv');
  const { ffmpeg } = await findFfmpeg();
  const drawn = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=10:duration=2'];
  execFileSync(ffmpeg.path, ['-v', 'error', ...drawn, '-c:v', 'mpeg4', '-f', 'matroska', clip]);
  api = await testApi({ STREAM_ALLOW_HOSTS: '127.0.0.1', MEDIA_ROOT: media });
  [owner, other] = [await api.user(), await api.user()];
  camera = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Basic ${btoa('u:p')}`;
    response.writeHead(isKnown ? 200 : 401, { 'www-authenticate': 'Basic realm="camera"' });
    response.end(isKnown ? readFileSync(clip) : '');
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  camera.close();
  rmSync(join(clip, '..'), { recursive: true });
  await api.drop();
});

const cameraUrl = (login = 'u:p') =>
  `http://${login}@127.0.0.1:${(camera.address() as { port: number }).port}/live.mkv`;
const created = async (body: object = SHOP) => (await owner.post('/devices', body)).body.data;

describe('POST /devices', () => {
  test('a new device has the defaults and is probed at once', async () => {
    const { status, body } = await owner.post('/devices', SHOP);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      ...SHOP,
      description: null,
      attributeGroups: ['gender', 'age'],
      rotation: 0,
      analysisStreamUrl: null,
      plan: 'LEVEL_01',
      onlineStatus: 'online',
      onlineChangedAt: expect.any(String),
      lastFrameAt: null,
      lastError: null,
      fault: null,
      warnings: [],
      width: null,
      height: null,
      codec: null,
      sourceFps: null,
      decoding: {
        ...{ mainPercent: null, secondPercent: null, savedPercent: null },
        unknown: 'no_second_stream',
      },
      analysisFps: 5,
      analysisRegion: 'zones',
      analysisAccuracy: 'standard',
      schedule: null,
      timezone: null,
      privacyMask: [],
      maskAnalysis: false,
      isDisabled: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('the analysed part follows the plan until it is set', async () => {
    const { id, analysisRegion } = (await owner.post('/devices', { ...SHOP, plan: 'LEVEL_02' })).body.data;
    expect(analysisRegion).toBe('whole');
    const path = `/devices/${id}`;
    expect((await owner.patch(path, { plan: 'LEVEL_01' })).body.data.analysisRegion).toBe('zones');
    expect((await owner.patch(path, { analysisRegion: 'whole' })).body.data.analysisRegion).toBe('whole');
    const set = { plan: 'LEVEL_02', analysisRegion: 'zones' };
    expect((await owner.patch(path, set)).body.data).toMatchObject(set);
    for (const wrong of ['all', null, ''])
      expect((await owner.patch(path, { analysisRegion: wrong })).status).toBe(400);
  });

  test('the accuracy can be set, and is kept by other changes', async () => {
    const { id, analysisAccuracy } = (await owner.post('/devices', SHOP)).body.data;
    expect(analysisAccuracy).toBe('standard');
    const path = `/devices/${id}`;
    const patched = async (body: object) => (await owner.patch(path, body)).body.data.analysisAccuracy;
    expect(await patched({ analysisAccuracy: 'high' })).toBe('high');
    expect(await patched({ name: 'Far away' })).toBe('high');
    const made = await owner.post('/devices', { ...SHOP, name: 'b', analysisAccuracy: 'high' });
    expect(made.body.data.analysisAccuracy).toBe('high');
    for (const wrong of ['best', null, '', 2])
      expect((await owner.patch(path, { analysisAccuracy: wrong })).status).toBe(400);
  });

  test('a camera that can be read is online, with size and rate', async () => {
    const device = await created({ name: 'a', streamUrl: cameraUrl() });
    expect(device).toMatchObject({
      streamUrl: cameraUrl('***:***'),
      onlineStatus: 'online',
      width: 320,
      height: 240,
      codec: 'mpeg4',
      sourceFps: 10,
    });
    expect((await owner.get(`/devices/${device.id}`)).body.data).toEqual(device);
  });

  test('a camera that cannot be read is offline, and the reason shows no password', async () => {
    expect((await created({ name: 'b', streamUrl: 'rtsp://127.0.0.1:1/' })).onlineStatus).toBe('offline');
    const { id, onlineStatus } = await created({ name: 'c', streamUrl: cameraUrl('u:wrong') });
    expect(onlineStatus).toBe('offline');
    const { lastError } = await api.context.db.device.findUniqueOrThrow({ where: { id } });
    expect(lastError).toMatch(/credentials \(401\)/);
    expect(lastError).not.toContain('wrong');
  });

  test('a file inside MEDIA_ROOT may be a device', async () => {
    const device = await created({ name: 'd', streamUrl: 'file:clip.mkv' });
    expect(device).toMatchObject({ streamUrl: 'file:clip.mkv', onlineStatus: 'online', width: 320 });
  });

  test('the database does not hold credentials in plain text', async () => {
    const { id } = await created({ name: 'a', streamUrl: cameraUrl('user:s3cret') });
    const row = await api.context.db.device.findUniqueOrThrow({ where: { id } });
    expect(JSON.stringify(row)).not.toContain('s3cret');
  });

  test('a device may have a schedule', async () => {
    const schedule = { timezone: 'Europe/Berlin', windows: [{ days: [1, 7], start: '22:00', end: '02:00' }] };
    expect((await created({ ...SHOP, schedule })).schedule).toEqual(schedule);
  });

  test.each([
    ['no address', { name: 'a' }],
    ['no name', { streamUrl: 'sim:shop' }],
    ['an empty name', { ...SHOP, name: '' }],
    ['a long name', { ...SHOP, name: 'x'.repeat(101) }],
    ['a long description', { ...SHOP, description: 'x'.repeat(501) }],
    ['a plan that is none', { ...SHOP, plan: 'LEVEL_03' }],
    ['too many frames', { ...SHOP, analysisFps: 31 }],
    ['half a frame', { ...SHOP, analysisFps: 0.5 }],
    ['an unknown field', { ...SHOP, onlineStatus: 'online' }],
    ['a refused address', { ...SHOP, streamUrl: 'http://169.254.169.254/' }],
    ['a time zone that is none', { ...SHOP, schedule: { timezone: 'Mars/X', windows: [] } }],
  ])('a device with %s is refused', async (_name, body) => {
    expect(codeOf(await owner.post('/devices', body))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /devices', () => {
  test('devices of the caller are listed in pages, newest first', async () => {
    const user = await api.user();
    for (const name of ['Front', 'Back', 'Middle']) await user.post('/devices', { ...SHOP, name });
    const first = await user.get('/devices?limit=2');
    expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(['Middle', 'Back']);
    expect(first.body.meta.pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 });
    expect((await user.get('/devices?page=999999999&limit=100')).body.data).toEqual([]);
    expect((await user.get('/devices?q=ron')).body.meta.pagination.total).toBe(1);
    expect((await user.get('/devices?onlineStatus=offline')).body.meta.pagination.total).toBe(0);
  });
});

describe('PATCH /devices/{id}', () => {
  test('only the fields that are sent change', async () => {
    const { id } = await created();
    const { status, body } = await owner.patch(`/devices/${id}`, {
      name: 'New',
      description: null,
      analysisFps: 2,
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      name: 'New',
      description: null,
      analysisFps: 2,
      ...{ streamUrl: SHOP.streamUrl },
    });
    expect((await owner.patch(`/devices/${id}`, { schedule: null })).body.data.schedule).toBeNull();
  });

  test('a new address is probed, and the node that streams the device is notified', async () => {
    const { id } = await created();
    const { body } = await owner.patch(`/devices/${id}`, { streamUrl: 'rtsp://127.0.0.1:1/' });
    expect(body.data.onlineStatus).toBe('offline');
    const row = await api.context.db.device.findUniqueOrThrow({ where: { id } });
    expect(row.streamRevision).toBe(2);
  });

  test('the masked address sent back changes nothing', async () => {
    const { id, streamUrl } = await created({ name: 'a', streamUrl: cameraUrl() });
    expect((await owner.patch(`/devices/${id}`, { streamUrl })).status).toBe(200);
    expect((await api.context.db.device.findUniqueOrThrow({ where: { id } })).streamRevision).toBe(1);
  });

  test.each([[{ name: '' }], [{ plan: null }], [{ id: ABSENT }], [{ streamUrl: 'ftp://x/' }]])(
    'refuses %j',
    async (body) => {
      const { id } = await created();
      expect(codeOf(await owner.patch(`/devices/${id}`, body))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});

describe('DELETE /devices/{id}', () => {
  test('scenes of the device and their rules are deleted too', async () => {
    const { deviceId, sceneId } = await shopOf(owner);
    const { id: ruleId } = await api.context.db.alertRule.create({
      data: { userId: owner.userId, deviceId, sceneId, name: 'r', severity: 'warning', conditions: [] },
    });
    expect((await owner.delete(`/devices/${deviceId}`)).status).toBe(204);
    for (const path of [`/devices/${deviceId}`, `/scenes/${sceneId}`]) {
      expect((await owner.get(path)).status).toBe(404);
    }
    expect(
      (await api.context.db.alertRule.findUniqueOrThrow({ where: { id: ruleId } })).deletedAt,
    ).not.toBeNull();
    expect((await owner.delete(`/devices/${deviceId}`)).status).toBe(404);
  });

  test.each(['starting', 'running', 'stopping'] as const)(
    'not while a scene is %s',
    async (analysisStatus) => {
      const { deviceId, sceneId } = await shopOf(owner);
      await api.context.db.scene.update({ where: { id: sceneId }, data: { analysisStatus } });
      expect(codeOf(await owner.delete(`/devices/${deviceId}`))).toEqual([400, 'SCENE_ANALYSIS_ACTIVE']);
    },
  );
});

describe('access', () => {
  const calls: ['get' | 'patch' | 'delete', object | undefined][] = [
    ['get', undefined],
    ['patch', { name: 'x' }],
    ['delete', undefined],
  ];
  test.each(calls)('%s: a foreign, an absent and a malformed id are not found', async (verb, body) => {
    const { id } = await created();
    expect(codeOf(await other[verb](`/devices/${id}`, body))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner[verb](`/devices/${ABSENT}`, body))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner[verb]('/devices/1', body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('without a key or the scope a call is refused', async () => {
    const reader = await api.user(['device:read']);
    expect(codeOf(await api.nobody.post('/devices', SHOP))).toEqual([401, 'UNAUTHORIZED']);
    expect(codeOf(await reader.post('/devices', SHOP))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect((await reader.get('/devices')).status).toBe(200);
  });
});
