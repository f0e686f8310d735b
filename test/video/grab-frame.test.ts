import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FfmpegBinaries, findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { grabFrame } from '../../src/video/grab-frame.ts';
import { FFMPEG_PATHS, LIVE_VIDEO, runFfmpeg, scratchFolder } from '../support/ffmpeg.ts';
import { serveRtsp } from '../support/servers/rtsp-server.ts';
import { refusedUrl, serveLive, serveSilence } from '../support/servers/stream-server.ts';

let binaries: FfmpegBinaries;
const folder = scratchFolder();
beforeAll(async () => {
  binaries = await findFfmpeg(FFMPEG_PATHS);
});
afterAll(() => rm(folder, { recursive: true }));

async function sizeAt(url: string): Promise<[number, number]> {
  const { width, height, data } = await grabFrame(url, { binaries, timeoutMs: 60_000 });
  expect(data).toHaveLength((width * height * 3) / 2);
  return [width, height];
}

describe('one frame of a stream', () => {
  test('that of a large file is scaled down, to even numbers', async () => {
    const file = join(folder, 'large.mp4');
    await runFfmpeg('-f', 'lavfi', '-i', 'testsrc=size=1920x1080:rate=5', '-t', '1', '-c:v', 'mpeg4', file);
    expect(await sizeAt(pathToFileURL(file).href)).toEqual([960, 540]);
  });

  test('a frame of a camera over RTSP', async () => {
    const camera = await serveRtsp();
    expect(await sizeAt(camera.url)).toEqual([320, 180]);
    await camera.close();
  });

  test('a frame of a camera over HTTP', async () => {
    const camera = await serveLive('video/mp2t', () => [...LIVE_VIDEO('320x180'), '-f', 'mpegts']);
    expect(await sizeAt(camera.url)).toEqual([320, 180]);
    await camera.close();
  });

  test('a frame of the simulated shop at the start of its address', async () => {
    const [width] = await sizeAt('sim:shop?seed=1&start=300');
    expect(width).toBeGreaterThanOrEqual(640);
  });

  test('a stream that cannot be read gives one sentence in time, without credentials', async () => {
    const silent = await serveSilence('rtsp');
    const refused = (await refusedUrl('rtsp')).replace('://', '://user:secret@');
    for (const url of [refused, silent.url, 'file:///no/such/file.mp4', 'sim:shop?seed=x']) {
      const error = await grabFrame(url, { binaries, timeoutMs: 1_000 }).catch((e: Error) => e);
      expect([url, (error as Error).name]).toEqual([url, 'StreamError']);
      expect((error as Error).message).not.toContain('secret');
    }
    await silent.close();
  });
});
