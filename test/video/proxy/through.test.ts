import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FfmpegBinaries, findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { grabFrame } from '../../../src/video/grab-frame.ts';
import { CameraProxy } from '../../../src/video/proxy/camera-proxy.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';
import { FFMPEG_PATHS, LIVE_VIDEO } from '../../support/ffmpeg.ts';
import {
  overTls,
  refusedUrl,
  type StreamServer,
  serveHls,
  serveLive,
  serveRtmp,
} from '../../support/servers/stream-server.ts';

let binaries: FfmpegBinaries;
const cameraProxy = new CameraProxy({
  networks: ['public', 'private'],
  allowedHosts: ['127.0.0.1'],
  ownHosts: [],
});
beforeAll(async () => {
  binaries = await findFfmpeg(FFMPEG_PATHS);
});
afterAll(() => cameraProxy.close());

const mpegTs = () => serveLive('video/mp2t', () => [...LIVE_VIDEO('320x180'), '-f', 'mpegts']);

describe('the camera proxy', () => {
  // RTSP, cameras with a login, and images, are read in passwords.
  test.each<[string, () => Promise<StreamServer>]>([
    ['RTMP', serveRtmp],
    ['HLS over HTTPS', () => overTls(serveHls())],
  ])('%s', async (_, serve) => {
    const server = await serve();
    const { url } = server;
    const options = { fps: 5, inputWidth: 64, inputHeight: 64, pace: 'realtime' as const, cameraProxy };
    const source = new FfmpegSource({ ...options, url, backoffMinMs: 100 });
    try {
      expect(await source.open()).toMatchObject({ width: 320, height: 180 });
      for (let frame = 0; frame < 3; frame++) expect(await source.next()).not.toBeNull();
    } finally {
      await source.close();
      await server.close();
    }
  });
});

describe('faults through the camera proxy', () => {
  test.each(['rtsp', 'rtsps', 'rtmp', 'http', 'https'])(
    '%s: a refused connection is reported as such',
    async (scheme) => {
      const url = `${scheme}://127.0.0.1:${new URL(await refusedUrl('http')).port}/stream`;
      await expect(grabFrame(url, { binaries, timeoutMs: 60_000, cameraProxy })).rejects.toThrow(
        'refuses connections',
      );
    },
  );

  test('a TLS address of a camera without TLS gives tls_failed', async () => {
    const camera = await mpegTs();
    const asking = grabFrame(camera.url.replace('http', 'https'), {
      binaries,
      timeoutMs: 60_000,
      cameraProxy,
    });
    await expect(asking).rejects.toThrow('speaks no TLS');
    await camera.close();
  });

  test('an unknown host name is reported as such', async () => {
    const entering = cameraProxy.connect(parseStreamUrl('rtsp://me:secret@nowhere.invalid/a'), 5_000);
    await expect(entering).rejects.toThrow(
      'rtsp://***:***@nowhere.invalid/*** has a host name that is not known',
    );
  });
});
