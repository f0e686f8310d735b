import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { findHardware } from '../../../src/video/hardware/find-hardware.ts';
import { HARDWARE, isHardwareFault } from '../../../src/video/hardware/hardware.ts';
import { FFMPEG_PATHS, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { fakeHardware, frames, open } from './fake-hardware.ts';

const folder = scratchFolder();
const clip = join(folder, 'clip.mp4');
const motionJpeg = join(folder, 'clip.avi');

beforeAll(async () => {
  const drawn = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=5', '-t', '2'];
  await runFfmpeg(...drawn, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', clip);
  await runFfmpeg(...drawn, '-c:v', 'mjpeg', motionJpeg);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a real ffmpeg without such hardware: software, with the reason', async () => {
  const { ffmpeg } = await findFfmpeg(FFMPEG_PATHS);
  expect(await findHardware(ffmpeg, 'none')).toEqual({ hardware: null, reason: null });
  for (const wish of ['auto', ...HARDWARE] as const) {
    const { hardware, reason } = await findHardware(ffmpeg, wish);
    expect(hardware).toBeNull();
    expect(reason).toMatch(/^Video is decoded by software \(.+\)\.$/);
    if (wish !== 'auto') expect(reason).toContain(wish);
  }
});

test('the hardware is taken that decodes a clip; one that ffmpeg only lists is not', async () => {
  const works = await findFfmpeg({ ...FFMPEG_PATHS, ffmpegPath: await fakeHardware(folder, 'works') });
  expect(await findHardware(works.ffmpeg, 'auto')).toEqual({ hardware: 'vaapi', reason: null });
  expect((await findHardware(works.ffmpeg, 'cuda')).reason).toContain('cuda: ffmpeg was built without it');
  const broken = await findFfmpeg({
    ...FFMPEG_PATHS,
    ffmpegPath: await fakeHardware(folder, 'broken', 'echo "Device creation failed: -5." >&2; exit 1'),
  });
  const { hardware, reason } = await findHardware(broken.ffmpeg, 'auto');
  expect(hardware).toBeNull();
  expect(reason).toContain('vaapi: Device creation failed: -5');
});

test('an ffmpeg that does not run at all is software too', async () => {
  const { ffmpeg } = await findFfmpeg(FFMPEG_PATHS);
  const { hardware, reason } = await findHardware({ ...ffmpeg, path: join(folder, 'missing') }, 'auto');
  expect(hardware).toBeNull();
  expect(reason).not.toBeNull();
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

test.each([
  ['Device setup failed for decoder on input stream #0:0 : Invalid argument', true],
  ['[AVHWDeviceContext @ 0x1] No VA display found for device: .', true],
  ['Error reinitializing filters!', true],
  ['cuvidCreateDecoder failed: CUDA_ERROR_OUT_OF_MEMORY', true],
  ['Connection refused', false],
  ['error while decoding MB 12 3, bytestream -5', false],
])('what ffmpeg writes about its hardware: %s', (line, isFault) => {
  expect(isHardwareFault(line)).toBe(isFault);
});
