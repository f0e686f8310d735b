import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { findHardware } from '../../../src/video/hardware/find-hardware.ts';
import { HARDWARE } from '../../../src/video/hardware/hardware.ts';
import { FFMPEG_PATHS, LIVE_VIDEO, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { type StreamServer, serveLive } from '../../support/servers/stream-server.ts';
import { fakeHardware, frames, open } from './fake-hardware.ts';

const folder = scratchFolder();
const clip = join(folder, 'clip.mp4');
const motionJpeg = join(folder, 'clip.avi');
let camera: StreamServer;
beforeAll(async () => {
  const drawn = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=5', '-t', '2'];
  await runFfmpeg(...drawn, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', clip);
  await runFfmpeg(...drawn, '-c:v', 'mjpeg', motionJpeg);
  camera = await serveLive('video/mp2t', () => [...LIVE_VIDEO('320x180'), '-f', 'mpegts']);
});
afterAll(async () => {
  await camera.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a real ffmpeg without such hardware: software, with the reason', async () => {
  const { ffmpeg } = await findFfmpeg(FFMPEG_PATHS);
  expect(await findHardware(ffmpeg, 'none')).toEqual({ hardware: null, reason: null });
  for (const wish of ['auto', ...HARDWARE] as const) {
    const { hardware, reason } = await findHardware(ffmpeg, wish);
    expect(hardware).toBeNull();
    expect(reason?.sentence).toMatch(/^Video is decoded by software \(.+\)\.$/);
    if (wish !== 'auto') expect(reason?.cause).toMatchObject({ code: 'decoder_unusable', hardware: wish });
  }
});

test('a file whose hardware fails before its first frame is read whole', async () => {
  const { source, reasons } = open(clip, undefined, 'vaapi');
  expect(await frames(source, 100)).toBe(10);
  expect(reasons).toHaveLength(1);
  await source.close();
});

test('hardware that works stays, also when the stream ends; other codecs never get it', async () => {
  const works = open(clip, await fakeHardware(folder, 'works'), 'vaapi');
  expect(await frames(works.source, 100)).toBe(10);
  expect(works.reasons).toEqual([]);
  await works.source.close();
  const other = open(motionJpeg, await fakeHardware(folder, 'broken', 'exit 1'), 'vaapi');
  expect(await frames(other.source, 100)).toBe(10);
  expect(other.reasons).toEqual([]);
  await other.source.close();
});

test('a stream that the hardware refuses is decoded by software, and says why once', async () => {
  // The real ffmpeg with the real options: there is no such hardware.
  const { source, reasons } = open(camera.url, undefined, 'vaapi');
  try {
    expect(await frames(source, 5)).toBe(5);
    expect(reasons).toEqual([expect.stringContaining('is decoded by software, because vaapi has failed')]);
    expect(source.stats.restarts).toBe(0);
  } finally {
    await source.close();
  }
});

test.each([
  ['ends', 'echo "[h264 @ 0x1] [error] hardware accelerator failed to decode picture" >&2; exit 1'],
  [
    'hangs',
    'for i in $(seq 40); do echo "[h264 @ 0x1] [error] Failed to end picture decode issue: 23" >&2; done; exec sleep 100',
  ],
])('hardware that disappears in mid-stream, where ffmpeg %s: software goes on', async (how, commands) => {
  const path = await fakeHardware(folder, how, `"$real" -t 1 "\${args[@]}"; ${commands}`);
  const { source, reasons } = open(camera.url, path, 'vaapi');
  try {
    expect(await frames(source, 20)).toBe(20);
    expect(reasons).toHaveLength(1);
  } finally {
    await source.close();
  }
});
