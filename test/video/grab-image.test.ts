import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { type FfmpegBinaries, findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { grabImage } from '../../src/video/grab-image.ts';
import { FFMPEG_PATHS, LIVE_VIDEO, runFfmpeg, scratchFolder } from '../support/ffmpeg.ts';
import { serveRtsp } from '../support/servers/rtsp-server.ts';
import { refusedUrl, serveLive, serveSilence } from '../support/servers/stream-server.ts';

let binaries: FfmpegBinaries;
const folder = scratchFolder();
beforeAll(async () => {
  binaries = await findFfmpeg(FFMPEG_PATHS);
});
afterAll(() => rm(folder, { recursive: true }));

async function sizeAt(url: string): Promise<[string, number, number]> {
  const { format, width, height } = await sharp(
    await grabImage(url, { binaries, timeoutMs: 10_000 }),
  ).metadata();
  return [format, width, height];
}

describe('one image of a stream', () => {
  test('an image of a large file is scaled down', async () => {
    const file = join(folder, 'large.mp4');
    await runFfmpeg('-f', 'lavfi', '-i', 'testsrc=size=1920x1080:rate=5', '-t', '1', '-c:v', 'mpeg4', file);
    expect(await sizeAt(pathToFileURL(file).href)).toEqual(['jpeg', 960, 540]);
  }, 30_000);

  test('an image of a camera over RTSP', async () => {
    const camera = await serveRtsp();
    expect(await sizeAt(camera.url)).toEqual(['jpeg', 320, 180]);
    await camera.close();
  }, 30_000);

  test('an image of a camera over HTTP', async () => {
    const camera = await serveLive('video/mp2t', () => [...LIVE_VIDEO('320x180'), '-f', 'mpegts']);
    expect(await sizeAt(camera.url)).toEqual(['jpeg', 320, 180]);
    await camera.close();
  }, 30_000);

  test('an image of the simulated shop at the start of its address', async () => {
    const [format, width] = await sizeAt('sim:shop?seed=1&start=300');
    expect(format).toBe('jpeg');
    expect(width).toBeGreaterThanOrEqual(640);
  }, 30_000);

  test('a stream that cannot be read gives one sentence in time, without credentials', async () => {
    const silent = await serveSilence('rtsp');
    const refused = (await refusedUrl('rtsp')).replace('://', '://user:secret@');
    for (const url of [refused, silent.url, 'file:///no/such/file.mp4', 'sim:shop?seed=x']) {
      const error = await grabImage(url, { binaries, timeoutMs: 1_000 }).catch((e: Error) => e);
      expect([url, (error as Error).name]).toEqual([url, 'StreamError']);
      expect((error as Error).message).not.toContain('secret');
    }
    await silent.close();
  }, 30_000);
});
