import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiUser, codeOf, type TestApi, testApi } from '../../../support/api.ts';
import { runFfmpeg } from '../../../support/ffmpeg.ts';
import { type StreamServer, serveLive } from '../../../support/servers/stream-server.ts';

const media = mkdtempSync(join(tmpdir(), 'second-'));
let api: TestApi;
let user: ApiUser;
let camera: StreamServer;
/** A device of which every change is refused. */
let unchanged: string;

beforeAll(async () => {
  for (const size of ['640x360', '320x176', '320x240'])
    await runFfmpeg(
      ...[
        '-f',
        'lavfi',
        '-i',
        `testsrc2=size=${size}:rate=5:duration=2`,
        '-pix_fmt',
        'yuv420p',
        '-preset',
        'ultrafast',
      ],
      join(media, `${size}.mp4`),
    );
  camera = await serveLive('video/mp2t', () => ['-f', 'lavfi', '-i', 'testsrc2=size=64x36', '-f', 'mpegts']);
  api = await testApi({ STREAM_ALLOW_HOSTS: '127.0.0.1', MEDIA_ROOT: media });
  user = await api.user();
  unchanged = (await create()).body.data.id;
});
afterAll(async () => {
  await camera.close();
  await api.drop();
  rmSync(media, { recursive: true });
});

const MAIN = 'file:640x360.mp4';
const create = (more: object = {}) => user.post('/devices', { name: 'Till', streamUrl: MAIN, ...more });
const revisionOf = async (id: string) =>
  (await api.context.db.device.findUniqueOrThrow({ where: { id } })).streamRevision;

describe('a second stream that is analysed', () => {
  test('is stored encrypted and shown masked; size and rate stay those of the main stream', async () => {
    const secret = camera.url.replace('://', '://viewer:s3cret@');
    const { status, body } = await create({ analysisStreamUrl: 'file:320x176.mp4' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ width: 640, height: 360, onlineStatus: 'online' });
    expect(body.data.analysisStreamUrl).toContain('320x176.mp4');
    expect(body.data.analysisStreamUrl).not.toContain(media);

    const other = await create({ streamUrl: 'sim:shop?seed=1', analysisStreamUrl: secret });
    expect(other.status).toBe(201);
    const { id, analysisStreamUrl } = other.body.data;
    expect(analysisStreamUrl).toMatch(/^http:\/\/\*\*\*:\*\*\*@127\.0\.0\.1/);
    const row = await api.context.db.device.findUniqueOrThrow({ where: { id } });
    expect(row.analysisStreamUrlEncrypted).not.toContain('s3cret');
    // The masked address means the same one.
    const before = await revisionOf(id);
    expect((await user.patch(`/devices/${id}`, { analysisStreamUrl })).status).toBe(200);
    expect(await revisionOf(id)).toBe(before);
  });

  test('is optional, can be added and removed, and each change opens the stream of a run again', async () => {
    const { data } = (await create()).body;
    expect(data.analysisStreamUrl).toBeNull();
    const path = `/devices/${data.id}`;
    const added = await user.patch(path, { analysisStreamUrl: 'file:320x176.mp4' });
    expect(added.body.data).toMatchObject({ onlineStatus: 'online', width: 640 });
    expect(added.body.data.analysisStreamUrl).toContain('320x176.mp4');
    expect(await revisionOf(data.id)).toBe(2);
    expect((await user.patch(path, { analysisStreamUrl: null })).body.data.analysisStreamUrl).toBeNull();
    expect(await revisionOf(data.id)).toBe(3);
    expect((await user.patch(path, { analysisStreamUrl: null })).status).toBe(200);
    expect(await revisionOf(data.id)).toBe(3);
  });

  test.each([
    ['another aspect ratio', 'file:320x240.mp4', /shows 320 × 240 pixels, and streamUrl 640 × 360/],
    ['a file that does not exist', 'file:missing.mp4', /must name a file that exists inside MEDIA_ROOT/],
    ['a metadata address', 'http://169.254.169.254/live', /may not lead|must not/],
    ['a masked password', 'rtsp://u:***@192.168.1.20/2', /must not hold \*\*\*/],
    ['another scheme', 'ftp://192.168.1.20/2', /must begin with/],
    ['nobody there', 'http://127.0.0.1:9/2', /^analysisStreamUrl: cannot be read\. /],
    ['an empty text', '', /./],
  ])('%s is refused, at the creation and by a change, and nothing is stored', async (_, url, message) => {
    const count = () => api.context.db.device.count({ where: { deletedAt: null } });
    const before = await count();
    const refused = await create({ analysisStreamUrl: url });
    expect(codeOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.error.details[0].path).toBe('analysisStreamUrl');
    expect(refused.body.message).toMatch(message);
    expect(await count()).toBe(before);
    const changed = await user.patch(`/devices/${unchanged}`, { analysisStreamUrl: url });
    expect(changed.status).toBe(400);
    expect(await revisionOf(unchanged)).toBe(1);
  });

  test('a new main stream of another shape than the second one is refused', async () => {
    const { data } = (await create({ analysisStreamUrl: 'file:320x176.mp4' })).body;
    const changed = await user.patch(`/devices/${data.id}`, { streamUrl: 'file:320x240.mp4' });
    expect(changed.status).toBe(400);
    expect(changed.body.message).toMatch(/^analysisStreamUrl: shows 320 × 176 pixels/);
    const both = { streamUrl: 'file:320x240.mp4', analysisStreamUrl: null };
    expect((await user.patch(`/devices/${data.id}`, both)).body.data).toMatchObject({
      width: 320,
      height: 240,
    });
  });
});
