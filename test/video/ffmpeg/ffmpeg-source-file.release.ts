import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FfmpegSource, type FfmpegSourceOptions } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { FrameRing } from '../../../src/video/frame-ring.ts';
import type { StreamEvent } from '../../../src/video/frame-source.ts';
import { probeWithFfprobe } from '../../../src/video/probe/ffprobe.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';
import { eventually } from '../../support/eventually.ts';
import { FFMPEG_PATHS, frameReaders, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';

const folder = scratchFolder();
const clip = (name: string) => join(folder, name);
const opened: FfmpegSource[] = [];
afterAll(() => rm(folder, { recursive: true }));
afterEach(async () => {
  for (const source of opened.splice(0)) await source.close();
});
function open(name: string, options: Partial<FfmpegSourceOptions> = {}): FfmpegSource {
  const source = new FfmpegSource({
    url: clip(name),
    fps: 5,
    inputWidth: 64,
    inputHeight: 64,
    pace: 'fast',
    ...FFMPEG_PATHS,
    ...options,
  });
  opened.push(source);
  return source;
}

interface ReadFrame {
  readonly timeMs: number;
  /** First byte of the model's pixels: how bright the frame is. */
  readonly level: number;
  readonly pictureIndex: number | undefined;
}
async function readAll(source: FfmpegSource): Promise<ReadFrame[]> {
  const seen: ReadFrame[] = [];
  for (let frame = await source.next(); frame; frame = await source.next()) {
    seen.push({ timeMs: frame.timeMs, level: frame.model[0]!, pictureIndex: frame.full?.index });
  }
  await source.close();
  return seen;
}

const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '4', '-pix_fmt', 'yuv420p'];
/** Frame n is a grey of Y = 16 + 4n. */
const STEPS = ['-f', 'lavfi', '-i', 'color=black:size=64x64:rate=25,geq=lum=16+4*N:cb=128:cr=128'];
const levelOf = (n: number) => 4 * n * 1.164;

beforeAll(async () => {
  const halves = 'color=red:size=320x180:rate=5,drawbox=x=160:y=0:w=160:h=180:color=blue:t=fill';
  await Promise.all([
    runFfmpeg(...STEPS, '-frames:v', '50', ...X264, clip('steps.mp4')),
    runFfmpeg(...STEPS, '-frames:v', '50', '-vf', 'scale=640:480', ...X264, clip('large-steps.mp4')),
    runFfmpeg(
      ...[...STEPS, '-frames:v', '50', '-vf', 'setpts=PTS+gte(N\\,25)*2/TB', '-vsync', '0'],
      ...[...X264, clip('gap.mp4')],
    ),
    runFfmpeg('-f', 'lavfi', '-i', halves, '-frames:v', '5', ...X264, clip('halves.mp4')),
    runFfmpeg(
      ...['-f', 'lavfi', '-i', halves, '-frames:v', '5', ...X264, '-pix_fmt', 'yuvj420p'],
      clip('full-range.mp4'),
    ),
    runFfmpeg('-f', 'lavfi', '-i', 'sine=duration=1', clip('sound.wav')),
    writeFile(clip('garbage.mp4'), Buffer.alloc(100_000, 'no video ')),
  ]);
  await writeFile(clip('turned.mp4'), quarterTurn(await readFile(clip('halves.mp4'))));
});

/** The video's track header with the matrix of a quarter turn: no ffmpeg's options are needed for that. */
function quarterTurn(mp4: Buffer): Buffer {
  const matrixAt = mp4.indexOf('tkhd') + 44;
  const matrix = [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1_073_741_824];
  for (const [at, value] of matrix.entries()) mp4.writeInt32BE(value, matrixAt + at * 4);
  return mp4;
}

describe('a file', () => {
  test('a full frame that was kept stays unchanged while the source continues with another buffer', async () => {
    // Both are larger than a pipe, so that one can be four ahead of the other. A pipe holds a hundred small ones.
    const source = open('large-steps.mp4', { fps: 25, inputWidth: 640, inputHeight: 640 });
    const ring = new FrameRing({ keepMs: 400 });
    const kept: { luma: number; data: Uint8Array }[] = [];
    let changed = 0;
    for (let frame = await source.next(); frame; frame = await source.next()) {
      ring.add(frame);
      const { data } = ring.get(frame.index)!;
      for (const { luma, data } of kept.slice(-9)) if (data[0] !== luma) changed++;
      kept.push({ luma: data[0]!, data });
    }
    expect(kept).toHaveLength(50);
    expect(new Set(kept.map(({ luma }) => luma)).size).toBeGreaterThan(45);
    expect(changed).toBe(0);
    expect(new Set(kept.map(({ data }) => data)).size).toBeLessThan(20);
  });

  test('at five frames per second each frame is the newest at its time, with its presentation time', async () => {
    const source = open('steps.mp4');
    expect(await source.open()).toMatchObject({
      width: 64,
      height: 64,
      codec: 'h264',
      sourceFps: 25,
      fps: 5,
      durationSeconds: 2,
      live: false,
    });
    const seen = await readAll(source);
    expect(seen.map(({ timeMs }) => timeMs)).toEqual(
      [0, 200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000].slice(0, seen.length),
    );
    expect(seen.length).toBeGreaterThanOrEqual(10);
    for (const [at, { level, pictureIndex }] of seen.slice(0, 10).entries()) {
      expect(Math.abs(level - levelOf(at * 5))).toBeLessThan(3);
      expect(pictureIndex).toBe(at);
    }
  });

  test('with a lower rate than requested each frame comes once', async () => {
    const seen = await readAll(open('steps.mp4', { fps: 30, fullLongSide: null }));
    expect(seen).toHaveLength(50);
    expect(seen.at(-1)?.timeMs).toBe(1960);
    for (const [at, { level }] of seen.entries()) expect(Math.abs(level - levelOf(at))).toBeLessThan(3);
  });

  test('over a gap the times stay right and the last frame is repeated', async () => {
    const seen = await readAll(open('gap.mp4'));
    expect(seen.length).toBeGreaterThanOrEqual(20);
    expect(seen.map(({ timeMs }) => timeMs)).toEqual(seen.map((_, at) => at * 200));
    for (const at of [5, 9, 14]) expect(Math.abs(seen[at]!.level - levelOf(24))).toBeLessThan(3);
    expect(Math.abs(seen[15]!.level - levelOf(25))).toBeLessThan(3);
  });

  test('at pace `fast` no frame is lost, however slowly frames are taken', async () => {
    const source = open('steps.mp4', { fps: 25 });
    const levels: number[] = [];
    for (let frame = await source.next(); frame; frame = await source.next()) {
      const [level] = frame.model;
      if (frame.index % 10 === 0) await sleep(40);
      // its buffers are still what they were
      expect(frame.model[0]).toBe(level);
      expect(frame.full?.index).toBe(frame.index);
      levels.push(level!);
    }
    await source.close();
    expect(levels).toHaveLength(50);
    expect(source.stats).toMatchObject({ processedFrames: 50, droppedFrames: 0, restarts: 0 });
  });

  test('at pace `realtime` the file plays at 1× and the newest frame wins', async () => {
    const source = open('steps.mp4', { fps: 25, pace: 'realtime' });
    const startedAt = performance.now();
    await source.next();
    await eventually('frames come that nobody takes', () => source.stats.droppedFrames > 10);
    const later = await source.next();
    expect(later!.timeMs).toBeGreaterThan(400);
    while (await source.next());
    expect(performance.now() - startedAt).toBeGreaterThan(1500);
    const { processedFrames, droppedFrames } = source.stats;
    expect(droppedFrames).toBeGreaterThan(8);
    expect(processedFrames + droppedFrames).toBe(50);
    await source.close();
  });

  test('the frame lies at the top left of the model input with grey around it, and the full frame has the colours of the file', async () => {
    const source = open('halves.mp4');
    const { letterbox } = await source.open();
    expect(letterbox).toEqual({ inputWidth: 64, inputHeight: 64, contentWidth: 64, contentHeight: 36 });
    const { model, full } = (await source.next())!;
    const pixel = (x: number, y: number) => [...model.subarray((y * 64 + x) * 3, (y * 64 + x) * 3 + 3)];
    const near = (got: number[], wanted: number[]) =>
      got.every((value, at) => Math.abs(value - wanted[at]!) <= 6);
    expect(near(pixel(2, 2), [255, 0, 0])).toBe(true);
    expect(near(pixel(20, 34), [255, 0, 0])).toBe(true);
    expect(near(pixel(60, 2), [0, 0, 255])).toBe(true);
    expect(pixel(2, 40)).toEqual([114, 114, 114]);
    expect(pixel(63, 63)).toEqual([114, 114, 114]);
    expect(full).toMatchObject({ index: 0, timeMs: 0, width: 320, height: 180, colourMatrix: 'bt601' });
    expect(full!.data).toHaveLength(320 * 180 * 1.5);
    expect(near([full!.data[0]!, full!.data[319]!], [81, 41])).toBe(true);
    await source.close();
  });

  test.each([
    ['halves.mp4', true],
    ['full-range.mp4', false],
  ])('the full frame of %s has limited range', async (name, isFullFormat) => {
    const asked = {
      address: parseStreamUrl(clip(name)),
      binaries: await findFfmpeg(FFMPEG_PATHS),
      timeoutMs: 15_000,
    };
    expect(await probeWithFfprobe(asked)).toMatchObject({ isFullFormat });
    const source = open(name);
    await source.open();
    const { data } = (await source.next())!.full!;
    await source.close();
    expect(Math.abs(data[0]! - 82)).toBeLessThan(3);
    expect(Math.abs(data[319]! - 41)).toBeLessThan(3);
  });

  test('a rotated video gives rotated frames', async () => {
    const source = open('turned.mp4', { fullLongSide: 100 });
    expect(await source.open()).toMatchObject({ width: 180, height: 320 });
    const { full } = (await source.next())!;
    expect(full).toMatchObject({ width: 56, height: 100 });
    await source.close();
  });

  test.each([
    ['absent.mp4', /absent\.mp4 does not exist: check the path/],
    ['garbage.mp4', /garbage\.mp4 sends something that is not a video/],
    ['sound.wav', /sound\.wav has no video that can be read/],
    ['.', /is a file that cannot be read|cannot be read/],
  ])('%s is refused with one sentence', async (name, sentence) => {
    const source = open(name);
    await expect(source.open()).rejects.toThrow(sentence);
    await expect(source.next()).rejects.toThrow(sentence);
    await source.close();
  });

  test('after close in the middle of a file no ffmpeg runs', async () => {
    const events: StreamEvent[] = [];
    // More than the pipes hold.
    const source = open('large-steps.mp4', {
      ...{ fps: 25, pace: 'realtime' },
      onEvent: (event) => events.push(event),
    });
    await source.next();
    expect(frameReaders()).toHaveLength(1);
    const waiting = source.next();
    await source.close();
    await source.close();
    expect(frameReaders()).toEqual([]);
    await waiting;
    expect(await source.next()).toBeNull();
    expect(events.map(({ type }) => type)).toEqual(['started']);
  });

  test('a signal closes the source, before or after it was opened', async () => {
    const early = open('steps.mp4', { signal: AbortSignal.abort() });
    await expect(early.open()).rejects.toThrow('was closed');
    const abort = new AbortController();
    const late = open('steps.mp4', { pace: 'realtime', signal: abort.signal });
    await late.next();
    abort.abort();
    await late.close();
    expect(frameReaders()).toEqual([]);
  });
});
