import { createSocket } from 'node:dgram';
import { afterAll, describe, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FfmpegSource } from '../../../../src/video/ffmpeg/ffmpeg-source.ts';
import { grabFrame } from '../../../../src/video/grab-frame.ts';
import { CameraProxy } from '../../../../src/video/proxy/camera-proxy.ts';
import { UdpMedia } from '../../../../src/video/proxy/rtsp/udp-media.ts';
import { parseStreamUrl } from '../../../../src/video/stream-url.ts';
import { eventually } from '../../../support/eventually.ts';
import { FFMPEG_PATHS } from '../../../support/ffmpeg.ts';
import { type RtspOptions, serveRtsp } from '../../../support/servers/rtsp-server.ts';

const policy = { networks: ['multicast'], allowedHosts: ['127.0.0.1'], ownHosts: [] };
const cameraProxy = new CameraProxy(policy);
const strictProxy = new CameraProxy({ ...policy, networks: ['private'] });
afterAll(() => Promise.all([cameraProxy.close(), strictProxy.close()]));

/** What ends the wait for an image is the answer of the camera, however long a busy machine needs for it. */
const LONG_MS = 120_000;

/** The fault of a camera that gives no image. */
async function said(
  options: RtspOptions,
  transport: string,
  { through = cameraProxy, timeoutMs = LONG_MS } = {},
): Promise<string> {
  const camera = await serveRtsp(options);
  const binaries = await findFfmpeg(FFMPEG_PATHS);
  const grabbing = grabFrame(`${camera.url}?transport=${transport}`, {
    ...{ binaries, timeoutMs, cameraProxy: through },
  });
  return await grabbing
    .then(
      () => 'an image',
      (error: Error) => error.message,
    )
    .finally(() => camera.close());
}

describe('RTSP over UDP', () => {
  test.each(['udp', 'multicast'] as const)(
    '%s: frames come, and the camera is told of the end',
    async (way) => {
      const login = { credentials: 'user:pass', login: { digest: 99 } };
      const camera = await serveRtsp({ ...login, transports: [way] });
      const url = `${camera.url.replace('://', '://user:pass@')}?x=1&transport=${way}`;
      const options = { fps: 5, inputWidth: 64, inputHeight: 64, pace: 'realtime' as const, cameraProxy };
      const source = new FfmpegSource({ ...options, ...FFMPEG_PATHS, url });
      try {
        expect(await source.open()).toMatchObject({ width: 320, height: 180 });
        for (let frame = 0; frame < 3; frame++) expect(await source.next()).not.toBeNull();
        await source.close();
        // The cameraProxy says goodbye when ffmpeg's connection has ended, which is after `close`.
        await eventually('TEARDOWN', () => camera.requests.at(-1)?.startsWith('TEARDOWN'));
      } finally {
        await source.close();
        await camera.close();
      }
      expect(camera.requests).toContain(`DESCRIBE rtsp://127.0.0.1:${camera.port}/camera?x=1`);
      expect(camera.requests.at(-1)).toMatch(/^TEARDOWN/);
    },
  );

  test('a camera without UDP gives a fault that says so', async () => {
    expect(await said({ transports: ['tcp'] }, 'udp')).toMatch(/transport= in its address asks for/);
  });

  test('packets of other senders than the camera are dropped', async () => {
    // Nothing ever comes, so that only the limit ends the wait.
    const short = { timeoutMs: 2_000 };
    expect(await said({ transports: ['udp'], from: '127.0.0.9' }, 'udp', short)).toMatch(
      /do not arrive over UDP/,
    );
  });

  test.each([
    ['a group the operator does not allow', '239.255.77.77', strictProxy],
    ['the groups of the network itself', '224.0.0.251', cameraProxy],
    ['no group at all', '10.11.12.13', cameraProxy],
  ])('%s is not joined', async (_, group, through) => {
    expect(await said({ transports: ['multicast'], group }, 'multicast', { through })).toMatch(
      /not allowed for it/,
    );
  });
});

test('the ports are closed for a camera that floods them', async () => {
  const media = await UdpMedia.open({ address: '127.0.0.1', port: 0, joinedOn: null }, '127.0.0.1');
  const heard: number[] = [];
  const video = (packet: Buffer) => heard.push(packet.readUInt16BE(2));
  media.receive({ video, report: () => undefined }, 3);
  const camera = createSocket('udp4');
  for (let sequence = 0; sequence < 6; sequence++) {
    const packet = Buffer.alloc(12);
    packet.writeUInt16BE(sequence, 2);
    await new Promise((resolve) => camera.send(packet, media.port, '127.0.0.1', resolve));
  }
  await eventually('the ports are closed', () => media.isClosed);
  expect(heard).toEqual([0, 1, 2]);
  camera.close();
});

describe('the parameter `transport` of an address', () => {
  test.each([
    ['rtsp://cam/live', undefined, 'rtsp://cam/live'],
    ['rtsp://cam/live?transport=udp', 'udp', 'rtsp://cam/live'],
    ['rtsp://cam/live?channel=1&transport=multicast', 'multicast', 'rtsp://cam/live?channel=1'],
    ['rtsp://cam/live?transport=TCP&channel=1', 'tcp', 'rtsp://cam/live?channel=1'],
    ['rtsp://cam/live?transport=udp#x', 'udp', 'rtsp://cam/live#x'],
    ['rtsp://cam/live?transport=rtp', undefined, 'rtsp://cam/live?transport=rtp'],
    ['rtsp://cam/live?mytransport=udp', undefined, 'rtsp://cam/live?mytransport=udp'],
    ['rtsps://cam/live?transport=udp', undefined, 'rtsps://cam/live?transport=udp'],
    ['http://cam/live?transport=udp', undefined, 'http://cam/live?transport=udp'],
  ])('%s', (url, transport, input) => {
    expect(parseStreamUrl(url)).toEqual({
      ...{
        scheme: url.split(':')[0],
        shown: url.replace('mytransport=udp', 'mytransport=***').replace('#x', '#***'),
      },
      ...{ input, ...(transport && { transport }) },
    });
  });
});
