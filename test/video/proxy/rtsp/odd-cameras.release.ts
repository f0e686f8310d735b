import { createServer } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { FfmpegSource } from '../../../../src/video/ffmpeg/ffmpeg-source.ts';
import type { StreamEvent } from '../../../../src/video/frame-source.ts';
import { quickProbe } from '../../../../src/video/probe/quick-probe.ts';
import { CameraProxy } from '../../../../src/video/proxy/camera-proxy.ts';
import { eventually } from '../../../support/eventually.ts';
import { EACH_FFMPEG, FFMPEG_PATHS } from '../../../support/ffmpeg.ts';
import { serveRtsp } from '../../../support/servers/rtsp-server.ts';
import { listen, type StreamServer } from '../../../support/servers/stream-server.ts';

const cameraProxy = new CameraProxy({ networks: [], allowedHosts: ['127.0.0.1'], ownHosts: [] });
afterAll(() => cameraProxy.close());
const SIZE = { fps: 5, inputWidth: 64, inputHeight: 64, pace: 'realtime', cameraProxy } as const;

/** A server that gives each request the answer that `reply` has for its method; undefined: it says nothing. */
const answering = (reply: (method: string) => string | undefined): Promise<StreamServer> =>
  listen(
    createServer((socket) => {
      socket.on('data', (chunk) => {
        const [, method = '', sequence = ''] = /^(\w+) .*?CSeq: *(\d+)/is.exec(chunk.toString()) ?? [];
        const answer = reply(method);
        if (answer !== undefined) socket.write(`RTSP/1.0 ${answer}\r\nCSeq: ${sequence}\r\n\r\n`);
      });
    }),
    (port) => `rtsp://127.0.0.1:${port}/camera`,
  );

/** @returns the fault of the first attempt to read it */
async function faultOf(url: string, paths: object = FFMPEG_PATHS): Promise<StreamEvent> {
  const events: StreamEvent[] = [];
  const source = new FfmpegSource({ ...SIZE, ...paths, url, onEvent: (event) => events.push(event) });
  source.open().catch(() => undefined);
  const fault = await eventually('a fault', () => events.find(({ type }) => type === 'failed'));
  await source.close();
  return fault;
}

async function readsFrames(url: string, paths: object = FFMPEG_PATHS): Promise<void> {
  const source = new FfmpegSource({ ...SIZE, ...paths, url });
  try {
    expect(await source.open()).toMatchObject({ width: 320, height: 180 });
    expect(await source.next()).not.toBeNull();
  } finally {
    await source.close();
  }
}
const probed = (url: string) => quickProbe(url, { guard: cameraProxy.guard, timeoutMs: 60_000 });

describe('a camera with too many viewers says so', () => {
  test.each(['DESCRIBE', 'SETUP'])('when it is asked to %s', async (refused) => {
    const camera = await serveRtsp({ refuses: { [refused]: '453 Not Enough Bandwidth' } });
    for (const [, paths] of EACH_FFMPEG) {
      expect(await faultOf(camera.url, paths)).toMatchObject({
        faultReason: 'too_many_viewers',
        message: expect.stringContaining('too many viewers already (453)'),
      });
    }
    if (refused === 'DESCRIBE')
      expect(await probed(camera.url)).toMatchObject({ fault: { reason: 'too_many_viewers' } });
    await camera.close();
  });
});

test.each(EACH_FFMPEG)('a camera that refuses OPTIONS is read: %s', async (_, paths) => {
  const camera = await serveRtsp({ refuses: { OPTIONS: '501 Not Implemented' } });
  await readsFrames(camera.url, paths);
  await camera.close();
});

describe('a camera that hangs up after a refusal', () => {
  test.each(EACH_FFMPEG)('of OPTIONS is read: %s', async (_, paths) => {
    const camera = await serveRtsp({ refuses: { OPTIONS: '501 Not Implemented' }, hangsUp: true });
    await readsFrames(camera.url, paths);
    await camera.close();
  });

  test.each(['basic', { digest: 99 }] as const)(
    'of OPTIONS and of a missing login is read: %j',
    async (login) => {
      const refuses = { OPTIONS: '405 Method Not Allowed' };
      const camera = await serveRtsp({ refuses, credentials: 'user:word', login, hangsUp: true });
      await readsFrames(camera.url.replace('://', '://user:word@'));
      await camera.close();
    },
  );

  test('without a login asks for it', async () => {
    const camera = await serveRtsp({ credentials: 'user:word', hangsUp: true });
    expect(await faultOf(camera.url)).toMatchObject({ faultReason: 'wrong_credentials' });
    await camera.close();
  });

  test('of everything is not asked for ever', async () => {
    let connections = 0;
    const camera = await listen(
      createServer((socket) => {
        connections++;
        socket.once('data', () => socket.end('RTSP/1.0 501 Not Implemented\r\nCSeq: 1\r\n\r\n'));
      }),
      (port) => `rtsp://127.0.0.1:${port}/camera`,
    );
    expect(await faultOf(camera.url)).toMatchObject({ type: 'failed' });
    expect(connections).toBeLessThan(10);
    await camera.close();
  });
});

test('a camera that refuses OPTIONS and the login asks for the login', async () => {
  const camera = await answering(() => '401 Unauthorized');
  expect(await faultOf(camera.url)).toMatchObject({ faultReason: 'wrong_credentials' });
  await camera.close();
});

describe('a redirect', () => {
  const moved = (to: string) => answering(() => `302 Moved\r\nLocation: ${to}`);

  test.each(EACH_FFMPEG)('is followed once, with the login for the same host: %s', async (_, paths) => {
    const camera = await serveRtsp({ credentials: 'user:word', login: { digest: 99 } });
    const first = await moved(camera.url);
    const url = first.url.replace('://', '://user:word@');
    expect(await probed(url)).toEqual({ onlineStatus: 'online', fault: null });
    await readsFrames(url, paths);
    expect(camera.requests.every((request) => request.includes(camera.url))).toBe(true);
    await Promise.all([first.close(), camera.close()]);
  });

  test('is not followed a second time', async () => {
    const camera = await serveRtsp();
    const second = await moved(camera.url);
    const first = await moved(second.url);
    expect(await probed(first.url)).toMatchObject({ fault: { reason: 'unreadable' } });
    expect(await faultOf(first.url)).toMatchObject({
      message: expect.stringContaining('leads on to another address, and that one too'),
    });
    expect(camera.requests).toEqual([]);
    await Promise.all([first.close(), second.close(), camera.close()]);
  });

  test.each([
    'rtsp://127.0.0.9:554/camera',
    'rtsp://169.254.169.254/latest',
    'http://127.0.0.1/camera',
    'file:///etc/passwd',
    'nowhere',
    '',
  ])('to %p is refused', async (to) => {
    const first = await moved(to);
    expect(await probed(first.url)).toMatchObject({ fault: { reason: 'address_not_allowed' } });
    expect(await faultOf(first.url)).toMatchObject({ faultReason: 'address_not_allowed' });
    await first.close();
  });

  test('to another host takes no login along', async () => {
    const everywhere = new CameraProxy({
      networks: [],
      allowedHosts: ['127.0.0.1', 'localhost'],
      ownHosts: [],
    });
    const heard: string[] = [];
    const other = await listen(
      createServer((socket) => {
        socket.on('data', (chunk) => {
          heard.push(chunk.toString());
          socket.end('RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\nWWW-Authenticate: Basic realm="a"\r\n\r\n');
        });
      }),
      (port) => `rtsp://localhost:${port}/camera`,
    );
    const first = await moved(other.url);
    const url = first.url.replace('://', '://user:word@');
    const found = await quickProbe(url, { guard: everywhere.guard, timeoutMs: 60_000 });
    expect(found).toMatchObject({ fault: { reason: 'wrong_credentials' } });
    expect(heard.join()).not.toMatch(/authorization/i);
    await Promise.all([first.close(), other.close(), everywhere.close()]);
  });
});

describe.each(['rtsp', 'rtmp'])('an address at which somebody hangs up without a word: %s', (scheme) => {
  test.each(EACH_FFMPEG)('is not taken for something else than a camera: %s', async (_, paths) => {
    const silent = await listen(
      createServer((socket) => socket.once('data', () => socket.end())),
      (port) => `${scheme}://127.0.0.1:${port}/camera`,
    );
    expect(await faultOf(silent.url, paths)).toMatchObject({ faultReason: 'broken_off' });
    await silent.close();
  });
});
