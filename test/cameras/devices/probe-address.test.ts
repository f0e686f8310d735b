import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { type ApiUser, codeOf, type TestApi, testApi } from '../../support/api.ts';

let api: TestApi;
let camera: Server;
let media: string;
beforeAll(async () => {
  media = mkdtempSync(join(tmpdir(), 'probe-'));
  const clip = join(media, 'clip.mkv');
  const { ffmpeg } = await findFfmpeg();
  const drawn = ['-f', 'lavfi', '-i', 'testsrc=size=1280x720:rate=10:duration=1'];
  execFileSync(ffmpeg.path, ['-v', 'error', ...drawn, '-c:v', 'mpeg4', '-f', 'matroska', clip]);
  api = await testApi({ STREAM_ALLOW_HOSTS: '127.0.0.1', PROBE_RATE_LIMIT_PER_MINUTE: '4' });
  camera = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Basic ${btoa('u:s3cret')}`;
    response.writeHead(isKnown ? 200 : 401, { 'www-authenticate': 'Basic realm="camera"' });
    response.end(isKnown ? readFileSync(clip) : '');
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  camera.close();
  rmSync(media, { recursive: true });
  await api.drop();
});

const cameraUrl = (login: string) =>
  `http://${login}@127.0.0.1:${(camera.address() as { port: number }).port}/live.mkv`;
const probe = (user: ApiUser, streamUrl: string) => user.post('/devices/probe', { streamUrl });

describe('POST /devices/probe', () => {
  test('tells what a camera sends, with an image of at most 960 pixels, and stores nothing', async () => {
    const user = await api.user();
    const { status, body } = await probe(user, cameraUrl('u:s3cret'));
    expect(status).toBe(200);
    const { image, ...facts } = body.data;
    expect(facts).toEqual({
      ...{ onlineStatus: 'online', fault: null, imageError: null },
      ...{ width: 1280, height: 720, codec: 'mpeg4', sourceFps: 10 },
    });
    expect(image).toMatchObject({ contentType: 'image/jpeg', width: 960, height: 540 });
    const { format, width } = await sharp(Buffer.from(image.base64, 'base64')).metadata();
    expect([format, width]).toEqual(['jpeg', 960]);
    expect((await user.get('/devices')).body.data).toEqual([]);
  });

  test('shows the simulated shop', async () => {
    const { data } = (await probe(await api.user(), 'sim:shop?seed=1')).body;
    expect(data).toMatchObject({ onlineStatus: 'online', fault: null });
    expect(data.image.base64.length).toBeGreaterThan(1_000);
  });

  test('where the account hides people, nothing can be recognised in the image', async () => {
    const user = await api.user();
    const sharpness = async () => {
      const { image } = (await probe(user, 'sim:shop?seed=1&start=300')).body.data;
      return (await sharp(Buffer.from(image.base64, 'base64')).stats()).sharpness;
    };
    const before = await sharpness();
    await user.patch('/users/me', { blurPeople: 'faces' });
    expect(await sharpness()).toBeLessThan(before / 3);
  });

  test('says why an address gives no video, without the password', async () => {
    const { body, text } = await probe(await api.user(), cameraUrl('u:wr0ng'));
    expect(body.data).toMatchObject({ onlineStatus: 'offline', image: null, imageError: null });
    expect(body.data.fault.reason).toBe('wrong_credentials');
    expect(text).not.toContain('wr0ng');
  });

  test.each([
    ['a forbidden address', 'http://169.254.169.254/'],
    ['a file outside of MEDIA_ROOT', 'file:///etc/passwd'],
    ['another scheme', 'ftp://example.com/a'],
    ['a masked address', 'rtsp://u:***@192.168.1.20/'],
  ])('%s is refused', async (_name, streamUrl) => {
    const answer = await probe(await api.user(), streamUrl);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details[0].path).toBe('streamUrl');
  });

  test('the networks of the user hold', async () => {
    const user = await api.user();
    const data = { streamNetworks: ['10.1.0.0/16'] };
    await api.context.db.user.update({ where: { id: user.userId }, data });
    expect(codeOf(await probe(user, 'rtsp://192.168.1.20/'))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('a user may probe so many addresses a minute, over all keys; other users are not affected', async () => {
    const [user, other] = [await api.user(), await api.user()];
    for (let count = 0; count < 4; count++) expect((await probe(user, 'sim:shop?seed=1')).status).toBe(200);
    const refused = await probe(user, 'sim:shop?seed=1');
    expect(codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await probe(other, 'sim:shop?seed=1')).status).toBe(200);
  });
});
