import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { grabFrame } from '../../../src/video/grab-frame.ts';
import { CameraProxy } from '../../../src/video/proxy/camera-proxy.ts';
import { EACH_FFMPEG, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { serveHttp } from '../../support/servers/stream-server.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';

const cameraProxy = new CameraProxy({ networks: [], allowedHosts: ['127.0.0.1'], ownHosts: [] });
const folder = scratchFolder();
let images: Buffer[];
beforeAll(async () => {
  await runFfmpeg('-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=5:duration=2', join(folder, '%02d.jpg'));
  images = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
});
afterAll(async () => {
  await cameraProxy.close();
  rmSync(folder, { recursive: true });
});

/** What stands before an image. @param at its number */
type Head = (bytes: number, at: number) => string;
const KINDS: readonly [string, Head][] = [
  [
    'as the standard has it',
    (bytes) => `--cam\r\nContent-Type: image/jpeg\r\nContent-Length: ${bytes}\r\n\r\n`,
  ],
  ['boundaries without --', (bytes) => `cam\r\nContent-Type: image/jpeg\r\nContent-Length: ${bytes}\r\n\r\n`],
  ['no first boundary', (_, at) => `${at > 0 ? '--cam\r\n' : ''}Content-Type: image/jpeg\r\n\r\n`],
  ['a first part without head', (_, at) => (at > 0 ? '--cam\r\nContent-Type: image/jpeg\r\n\r\n' : '')],
  ['parts without Content-Type', (bytes) => `--cam\r\nContent-Length: ${bytes}\r\n\r\n`],
  ['parts without any head', () => '--cam\r\n\r\n'],
];

const serve = (head: Head) =>
  serveHttp(async (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'multipart/x-mixed-replace;boundary=cam' });
    for (let at = 0; !response.destroyed; at++) {
      const image = images[at % images.length]!;
      response.write(Buffer.concat([Buffer.from(head(image.length, at)), image, Buffer.from('\r\n')]));
      await sleep(50);
    }
  });

describe.each(EACH_FFMPEG)('%s reads a camera that sends JPEGs', (_, paths) => {
  test.each(KINDS)('%s', async (_kind, head) => {
    const camera = await serve(head);
    const options = { fps: 5, inputWidth: 64, inputHeight: 64, pace: 'realtime', cameraProxy } as const;
    const source = new FfmpegSource({ ...options, ...paths, url: camera.url });
    try {
      expect(await source.open()).toMatchObject({ width: 320, height: 180, codec: 'mjpeg', live: true });
      for (let read = 0; read < 4; read++) expect(await source.next()).toMatchObject({ isDamaged: false });
      // An image comes through the same proxy: one kind is enough in `npm test`.
      if (!IS_THOROUGH && head !== KINDS[1]![1]) return;
      const binaries = await findFfmpeg(paths);
      const { width, height } = await grabFrame(camera.url, { binaries, timeoutMs: 30_000, cameraProxy });
      expect([width, height]).toEqual([320, 180]);
    } finally {
      await source.close();
      await camera.close();
    }
  });

  test('and says that a page is none', async () => {
    const camera = await serveHttp((_request, response) => response.end('<html>camera</html>'));
    const binaries = await findFfmpeg(paths);
    await expect(grabFrame(camera.url, { binaries, timeoutMs: 30_000, cameraProxy })).rejects.toMatchObject({
      reason: 'not_a_camera',
    });
    await camera.close();
  });
});
