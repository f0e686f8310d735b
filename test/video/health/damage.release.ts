import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { PIPE_BYTES } from '../../../src/video/ffmpeg/pipe-size.ts';
import { FFMPEG_PATHS, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';

const folder = scratchFolder();
const clip = (name: string) => join(folder, name);
afterAll(() => rm(folder, { recursive: true }));

const SIDE = 192;
const FPS = 10;
const GOP = 20;
const SECONDS = 16;
/** Moving, with noise: like a camera's pictures it takes a few thousand bytes each. */
const VIDEO = `testsrc2=size=320x240:rate=${FPS}:duration=${SECONDS},noise=alls=8:allf=t`;
const CODECS = {
  h264: `-c:v libx264 -preset ultrafast -tune zerolatency -g ${GOP}`,
  h264WithB: `-c:v libx264 -preset ultrafast -bf 2 -g ${GOP}`,
  hevc: `-c:v libx265 -preset ultrafast -x265-params keyint=${GOP}:bframes=0:log-level=none`,
  mjpeg: '-c:v mjpeg -q:v 5 -pix_fmt yuvj420p',
} as const;
type Codec = keyof typeof CODECS;
const CONTAINER = (codec: Codec) => (codec === 'mjpeg' ? 'avi' : 'ts');

beforeAll(async () => {
  await Promise.all(
    (Object.keys(CODECS) as Codec[]).map((codec) =>
      runFfmpeg(
        ...['-f', 'lavfi', '-i', VIDEO, ...CODECS[codec].split(' '), '-pix_fmt'],
        codec === 'mjpeg' ? 'yuvj420p' : 'yuv420p',
        clip(`${codec}.${CONTAINER(codec)}`),
      ),
    ),
  );
});

interface ReadFrame {
  readonly isDamaged: boolean;
  readonly model: Uint8Array;
}
async function read(name: string): Promise<ReadFrame[]> {
  const size = { inputWidth: SIDE, inputHeight: SIDE };
  const source = new FfmpegSource({ url: clip(name), fps: FPS, ...size, pace: 'fast', ...FFMPEG_PATHS });
  const seen: ReadFrame[] = [];
  for (let frame = await source.next(); frame; frame = await source.next())
    seen.push({ isDamaged: frame.isDamaged, model: frame.model.slice() });
  await source.close();
  return seen;
}

/** The same numbers at each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** One byte in `every` is another one, in the second quarter of the file. */
async function damage(name: string, every: number): Promise<string> {
  const bytes = await readFile(clip(name));
  const next = numbers(7);
  for (let at = bytes.length >> 2; at < bytes.length >> 1; at += Math.ceil(2 * every * next())) {
    bytes[at]! ^= 1 + Math.floor(254 * next());
  }
  await writeFile(clip(`damaged-${name}`), bytes);
  return `damaged-${name}`;
}

/**
 * Frames that ffmpeg may have written before it logs the damage of a later one. A reader that gets no time leaves all these places full,
 * and reads the log first: then frames before the damage are called damaged too.
 */
const MOST_UNREAD =
  Math.ceil(PIPE_BYTES / (SIDE * SIDE * 3)) + // in the pipe
  8 + // in the queue of each output of ffmpeg
  4; // decoded before they are shown, because of B frames

const BLOCK = 16;
/** The largest mean difference of a block of the two pictures. */
function difference(a: Uint8Array, b: Uint8Array): number {
  let most = 0;
  for (let top = 0; top < SIDE; top += BLOCK) {
    for (let left = 0; left < SIDE; left += BLOCK) {
      let sum = 0;
      for (let y = top; y < top + BLOCK; y++) {
        for (let x = left; x < left + BLOCK; x++)
          sum += Math.abs(a[(y * SIDE + x) * 3]! - b[(y * SIDE + x) * 3]!);
      }
      most = Math.max(most, sum / BLOCK / BLOCK);
    }
  }
  return most;
}

const VISIBLE = 25;
/** Compares a frame with those of about the same time, because some frames may be lost. */
function isHurt({ model }: ReadFrame, at: number, clean: readonly ReadFrame[]): boolean {
  const near = clean.slice(Math.max(0, at - 2), at + 8);
  return near.every((other) => difference(model, other.model) > VISIBLE);
}

describe('damaged frames', () => {
  test.each([
    ['h264', 10_000],
    ['h264WithB', 2_000],
    ['hevc', 5_000],
    ['mjpeg', 5_000],
  ] as const)('%s with one byte in %d changed: what looks damaged is called so', async (codec, every) => {
    const name = `${codec}.${CONTAINER(codec)}`;
    const clean = await read(name);
    expect(clean.length).toBeGreaterThan(SECONDS * FPS - 5);
    expect(clean.filter(({ isDamaged }) => isDamaged)).toEqual([]);
    const damaged = await read(await damage(name, every));
    const hurt = damaged.map((seen, at) => isHurt(seen, at, clean));
    expect(hurt.filter(Boolean).length).toBeGreaterThan(10);
    let longest = 0;
    let unseen = 0;
    for (const [at, { isDamaged }] of damaged.entries()) {
      unseen = hurt[at] && !isDamaged ? unseen + 1 : 0;
      longest = Math.max(longest, unseen);
    }
    // JPEG and HEVC hide some errors: never for long.
    expect(longest).toBeLessThanOrEqual(codec.startsWith('h264') ? 0 : 4);
    // Nothing is called damaged a few seconds after the damage, nor before it, but for frames that nobody has read yet.
    const first = damaged.findIndex(({ isDamaged }) => isDamaged);
    const last = damaged.findLastIndex(({ isDamaged }) => isDamaged);
    expect(first).toBeGreaterThan(damaged.length / 4 - MOST_UNREAD);
    expect(last).toBeLessThan(damaged.length - 5);
  });

  test.each(['h264', 'h264WithB', 'hevc'] as const)(
    '%s joined between two key frames: nothing is called damaged',
    async (codec) => {
      const bytes = await readFile(clip(`${codec}.ts`));
      const packets = Math.floor(bytes.length / 188);
      for (const share of [0.13, 0.37]) {
        await writeFile(clip(`joined-${codec}.ts`), bytes.subarray(Math.floor(packets * share) * 188));
        const seen = await read(`joined-${codec}.ts`);
        expect(seen.length).toBeGreaterThan(80);
        expect(seen.filter(({ isDamaged }) => isDamaged)).toEqual([]);
      }
    },
  );
});
