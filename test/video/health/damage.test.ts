import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { PIPE_BYTES } from '../../../src/video/ffmpeg/pipe-size.ts';
import { DamageWatch } from '../../../src/video/health/damage-watch.ts';
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

describe('the log of ffmpeg', () => {
  const frame = (seconds: number, key = false) =>
    `[info] decoder -> ist_index:0 type:video frame_pts:1 frame_pts_time:${seconds} best_effort_ts:1 ` +
    `best_effort_ts_time:${seconds} keyframe:${key ? 1 : 0} frame_type:${key ? 1 : 2} time_base:1/90000`;
  const HOLES = '[h264 @ 0x1] [info] concealing 12 DC, 12 AC, 12 MV errors in P frame';
  function watching(...lines: string[]): DamageWatch {
    const watch = new DamageWatch();
    for (const line of ['[info] Stream mapping:', ...lines]) watch.line(line);
    return watch;
  }

  test('frames are damaged until a key frame has come and three seconds passed without damage', () => {
    const watch = watching(frame(0, true), frame(0.5), HOLES, frame(1));
    expect(watch.take()).toBe(true);
    for (const seconds of [2, 3, 4, 5, 6, 7]) watch.line(frame(seconds));
    expect(watch.take()).toBe(true);
    watch.line(frame(8, true));
    watch.take();
    expect(watch.take()).toBe(false);
  });

  test('a damaged key frame does not end the damage', () => {
    const watch = watching(frame(0, true), HOLES, frame(1, true));
    for (const seconds of [2, 3, 4, 5]) watch.line(frame(seconds));
    expect(watch.take()).toBe(true);
  });

  test('without key frames the damage ends after 30 s without new damage', () => {
    const watch = watching(frame(0, true), HOLES, frame(1));
    for (let seconds = 2; seconds <= 30; seconds++) watch.line(frame(seconds));
    expect(watch.take()).toBe(true);
    for (let seconds = 31; seconds <= 33; seconds++) watch.line(frame(seconds));
    watch.take();
    expect(watch.take()).toBe(false);
  });

  test('a clock that jumps does not shorten the damage', () => {
    const watch = watching(frame(0, true), HOLES, frame(1), frame(2, true), frame(90_000), frame(5));
    expect(watch.take()).toBe(true);
  });

  test.each([
    '[swscaler @ 0x1] [warning] deprecated pixel format used, make sure you did set range correctly',
    '[rawvideo @ 0x1] [warning] Non-monotonous DTS in output stream 0:0; previous: 5, current: 4',
    '[h264 @ 0x1] [error] SEI type 5 size 2048 truncated at 24',
    '[h264 @ 0x1] [error] mmco: unref short failure',
    '[h264 @ 0x1] [error] number of reference frames (0+5) exceeds max (4; probably corrupt input), discarding one',
    '[h264 @ 0x1] [error] no frame!',
    '[error] Error while decoding stream #0:0: Invalid data found when processing input',
    '[mjpeg @ 0x1] [error] overread 8',
    '[mjpeg @ 0x1] [error] unable to decode APP fields: Invalid data found when processing input',
    '[rtsp @ 0x1] [warning] max delay reached. need to consume packet',
  ])('no damage: %s', (line) => {
    expect(watching(frame(0, true), line, frame(1)).take()).toBe(false);
  });

  test.each([
    HOLES,
    '[vist#0:0/h264 @ 0x1] [dec:h264 @ 0x2] [warning] corrupt decoded frame',
    'rtsp://camera/: [warning] corrupt decoded frame in stream 0',
    '[h264 @ 0x1] [error] Frame num gap 5 3',
    '[hevc @ 0x1] [error] Could not find ref with POC 12',
    '[mjpeg @ 0x1] [error] error count: 64',
    '[rtsp @ 0x1] [warning] RTP: missed 7 packets',
    '[hevc @ 0x1] [debug] Output frame with POC 0/4.',
  ])('damage: %s', (line) => {
    expect(watching(frame(0, true), line, frame(1)).take()).toBe(true);
  });

  test('HEVC frames that are output in another order than decoded are not damaged', () => {
    const said = (what: string, poc: number) => `[hevc @ 0x1] [debug] ${what} frame with POC ${poc}.`;
    const lines = [
      said('Decoded', 0),
      said('Decoded', 4),
      said('Output', 0),
      said('Decoded', 2),
      frame(0, true),
    ];
    const more = [said('Output', 2), said('Decoded', 3), frame(1), said('Output', 4), frame(2)];
    expect(watching(...lines, ...more).take()).toBe(false);
  });
});
