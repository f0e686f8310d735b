import { rmSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { afterAll, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { grabFrame } from '../../../src/video/grab-frame.ts';
import { CameraProxy } from '../../../src/video/proxy/camera-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { FFMPEG_PATHS, LIVE_VIDEO, scratchFolder } from '../../support/ffmpeg.ts';
import { type LoginKind, loginCheck } from '../../support/servers/login-check.ts';
import { type RtspServer, serveRtsp } from '../../support/servers/rtsp-server.ts';
import {
  overTls,
  type StreamServer,
  serveHls,
  serveHttp,
  serveLive,
} from '../../support/servers/stream-server.ts';
import { notedFfmpeg } from '../../support/streams/noted-ffmpeg.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';

const SECRET = 'pa%25ss';
const cameraProxy = new CameraProxy({ networks: [], allowedHosts: ['127.0.0.1'], ownHosts: [] });
const folder = scratchFolder();
// Tests that run at once do not wait for hooks.
const noting = notedFfmpeg(folder);
afterAll(async () => {
  await cameraProxy.close();
  rmSync(folder, { recursive: true });
});

/** Reads frames and one image with ffprobe, a long-running ffmpeg and a short one. */
async function readBoth(url: string): Promise<void> {
  const { ffmpegPath, ffprobePath } = await noting;
  const options = { fps: 5, inputWidth: 64, inputHeight: 64, pace: 'realtime' as const, cameraProxy };
  const source = new FfmpegSource({ ...options, url, ffmpegPath, ffprobePath });
  try {
    expect(await source.open()).toMatchObject({ width: 320, height: 180 });
    for (let frame = 0; frame < 3; frame++) expect(await source.next()).not.toBeNull();
  } finally {
    await source.close();
  }
  const binaries = await findFfmpeg({ ffmpegPath, ffprobePath });
  const { width, height } = await grabFrame(url, { binaries, timeoutMs: 60_000, cameraProxy });
  expect([width, height]).toEqual([320, 180]);
}

const withLogin = (url: string) => `${url.replace('://', `://someone:${SECRET}@`)}?token=also-secret`;
const credentials = 'someone:pa%ss';
const mpegTs = () => serveLive('video/mp2t', () => [...LIVE_VIDEO('320x180'), '-f', 'mpegts']);

/** An HTTP camera behind a login. @param segmentsAt given: a playlist names its segments there */
async function withPassword(
  inner: StreamServer,
  login: LoginKind,
  segmentsAt?: string,
): Promise<StreamServer> {
  const check = loginCheck(credentials, login);
  const outer = await serveHttp(
    async (request, response) => {
      const { method = '', url = '', headers } = request;
      const challenge = check(method, url, headers.authorization ?? '');
      if (challenge !== null) {
        response.writeHead(401, { 'WWW-Authenticate': challenge }).end('please log in');
        return;
      }
      const { origin } = new URL(inner.url);
      const answer = await fetch(origin + url.replace(/\?.*/, ''));
      response.writeHead(answer.status);
      if (segmentsAt !== undefined && url.includes('.m3u8')) {
        response.end((await answer.text()).replace(/^(?!#)/gm, `${segmentsAt}/`));
      } else if (answer.body) pipeline(Readable.fromWeb(answer.body as never), response, () => undefined);
    },
    () => inner.close(),
  );
  return { ...outer, url: outer.url.replace('/stream', new URL(inner.url).pathname) };
}

type Camera = [name: string, serve: () => Promise<{ url: string; close(): Promise<void> }>];

/** For the release tier: the same logins with fewer layers around them. */
const MORE: Camera[] = [
  ['RTSP, Basic', () => serveRtsp({ credentials })],
  ['MPEG-TS over HTTP, Digest', async () => withPassword(await mpegTs(), { digest: 1 })],
];

test.each<Camera>([
  ['RTSP, Digest, a new nonce after two requests', () => serveRtsp({ credentials, login: { digest: 2 } })],
  ['MPEG-TS over HTTPS, Basic', async () => overTls(withPassword(await mpegTs(), 'basic'))],
  ['HLS over HTTP, Digest', async () => withPassword(await serveHls(), { digest: 3 })],
  ['RTSP over TLS, Digest', () => overTls(serveRtsp({ credentials, login: { digest: 99 } }))],
  ...(IS_THOROUGH ? MORE : []),
])('%s: no child is told the password or the path', async (_, serve) => {
  const camera = await serve();
  await readBoth(withLogin(camera.url));
  await camera.close();
});

test('a request for a segment on another host has no login', async () => {
  const heard: (string | undefined)[] = [];
  const hls = await serveHls();
  const elsewhere = await serveHttp(async ({ url, headers }, response) => {
    heard.push(headers.authorization);
    const answer = await fetch(new URL(url!, hls.url));
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  const camera = await withPassword(hls, 'basic', new URL(elsewhere.url).origin);
  const binaries = await findFfmpeg(FFMPEG_PATHS);
  const { data } = await grabFrame(withLogin(camera.url), { binaries, timeoutMs: 60_000, cameraProxy });
  expect(data.length).toBeGreaterThan(1_000);
  expect(new Set(heard)).toEqual(new Set([undefined]));
  await Promise.all([camera.close(), elsewhere.close()]);
});

test('arguments and environment of child processes hold no login', async () => {
  const notes = (await noting).notes();
  expect(notes.match(/^ffprobe /gm)!.length).toBeGreaterThanOrEqual(4);
  expect(notes.match(/^ffmpeg .*\[model\]/gm)!.length).toBeGreaterThanOrEqual(4);
  expect(notes.match(/^ffmpeg .*yuv4mpegpipe/gm)!.length).toBeGreaterThanOrEqual(4);
  expect(notes).not.toMatch(/pa%|someone|secret/);
});

test('each request to a camera has the path and query of its own address', async () => {
  const camera = await serveRtsp({ credentials, login: { digest: 99 } });
  await grabFrame(withLogin(camera.url), {
    binaries: await findFfmpeg(FFMPEG_PATHS),
    timeoutMs: 60_000,
    cameraProxy,
  });
  const own = `rtsp://127.0.0.1:${camera.port}/camera?token=also-secret`;
  const { requests } = camera as RtspServer;
  await eventually('TEARDOWN', () => requests.at(-1)?.startsWith('TEARDOWN'));
  expect(new Set(requests)).toEqual(
    new Set([
      ...[`OPTIONS ${own}`, `DESCRIBE ${own}`, `SETUP ${own}/track0`, `PLAY ${own}`, `TEARDOWN ${own}`],
    ]),
  );
  await camera.close();
});
