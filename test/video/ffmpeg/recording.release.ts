import { createHash } from 'node:crypto';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { faultOfRecording } from '../../../src/video/ffmpeg/recording-fault.ts';
import { FFMPEG_PATHS, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';

const folder = scratchFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (name: string): string => join(folder, name);

/** Twelve seconds at 10 frames a second, with a key frame each two seconds and frames that are predicted from later ones. */
const video = (name: string, ...filters: string[]): Promise<void> =>
  runFfmpeg(
    ...['-f', 'lavfi', '-i', `testsrc2=size=96x54:rate=10:duration=12`, '-vf', filters.join(',') || 'null'],
    ...[
      '-vsync',
      'passthrough',
      '-c:v',
      'libx264',
      '-bf',
      '2',
      '-g',
      '20',
      '-pix_fmt',
      'yuv420p',
      pathOf(name),
    ],
  );

/** Reads a recording. @returns for each frame its time and a hash of its pixels */
async function read(
  name: string,
  { afterMs = null, fps = 5 }: { afterMs?: number | null; fps?: number } = {},
) {
  const input = { inputWidth: 48, inputHeight: 48, fps, pace: 'fast', fullLongSide: null } as const;
  const source = new FfmpegSource({ ...FFMPEG_PATHS, url: pathOf(name), ...input, recordedAfterMs: afterMs });
  const frames: { timeMs: number; pixels: string }[] = [];
  try {
    for (let frame = await source.next(); frame; frame = await source.next()) {
      const pixels = createHash('md5').update(frame.model).digest('hex');
      frames.push({ timeMs: frame.timeMs, pixels });
    }
    return { frames, error: null };
  } catch (error) {
    return { frames, error: (error as Error).message };
  } finally {
    await source.close();
  }
}

const timesOf = ({ frames }: { frames: readonly { timeMs: number }[] }): number[] =>
  frames.map(({ timeMs }) => timeMs);

describe('a recording', () => {
  beforeAll(() => video('plain.mp4'));

  test('has the times of its frames, at most the requested number of them', async () => {
    const { frames, error } = await read('plain.mp4');
    expect(error).toBeNull();
    expect(timesOf({ frames })).toEqual(Array.from({ length: 60 }, (_, at) => at * 200));
    expect(new Set(frames.map(({ pixels }) => pixels)).size).toBe(60);
  });

  test('has all its frames when it has fewer than requested', async () => {
    expect(timesOf(await read('plain.mp4', { fps: 15 }))).toEqual(
      Array.from({ length: 120 }, (_, at) => at * 100),
    );
  });

  test.each([5, 3])(
    'continues after any frame with the very frames that follow it, at %d frames a second',
    async (fps) => {
      const { frames: whole } = await read('plain.mp4', { fps });
      for (const at of [0, 17, whole.length - 2]) {
        const { frames } = await read('plain.mp4', { fps, afterMs: whole[at]!.timeMs });
        expect(frames).toEqual(whole.slice(at + 1));
      }
    },
  );

  test('has nothing more after its last frame', async () => {
    expect(await read('plain.mp4', { afterMs: 11_800 })).toEqual({ frames: [], error: null });
  });
});

test('a gap in the time of a recording stays a gap', async () => {
  await video('gap.mp4', "setpts='if(lt(N,50),N,N+3000)'");
  const times = timesOf(await read('gap.mp4'));
  expect(times.slice(23, 27)).toEqual([4_600, 4_800, 305_000, 305_200]);
  expect(times).toHaveLength(60);
});

test('a recording that is cut off fails after the frames that it has, and says where', async () => {
  await runFfmpeg(
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10:duration=40', '-c:v', 'libx264', '-g', '20'],
    ...['-preset', 'ultrafast', '-movflags', '+faststart', pathOf('whole.mp4')],
  );
  const bytes = readFileSync(pathOf('whole.mp4'));
  writeFileSync(pathOf('cut.mp4'), bytes);
  truncateSync(pathOf('cut.mp4'), Math.floor(bytes.length / 2));
  const { frames, error } = await read('cut.mp4');
  expect(frames.length).toBeGreaterThan(50);
  expect(frames.length).toBeLessThan(150);
  expect(error).toMatch(/^The video ends at 0:\d\d of 0:40: the recording was broken off/);
});

test('frames that go back in time are left out, and the recording fails', async () => {
  await runFfmpeg(
    ...['-f', 'lavfi', '-i', 'testsrc2=size=96x54:rate=10:duration=40', '-c:v', 'libx264', '-g', '20'],
    ...['-preset', 'ultrafast', '-cluster_time_limit', '2000', pathOf('steady.mkv')],
  );
  writeFileSync(pathOf('back.mkv'), withClustersBack(readFileSync(pathOf('steady.mkv')), 30_000));
  const { frames, error } = await read('back.mkv');
  const times = timesOf({ frames });
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(31_000);
  expect(error).toMatch(/^The time of the video jumps back by 0:\d\d/);
});

test('a file that is a playlist opens no other file', async () => {
  writeFileSync(pathOf('list.mp4'), `#EXTM3U\n#EXTINF:12,\nfile:${pathOf('plain.mp4')}\n#EXT-X-ENDLIST\n`);
  const { frames, error } = await read('list.mp4');
  expect(frames).toEqual([]);
  expect(error).not.toBeNull();
  writeFileSync(pathOf('concat.mkv'), `ffconcat version 1.0\nfile plain.mp4\n`);
  expect((await read('concat.mkv')).frames).toEqual([]);
});

test('a file that is missing is a clear error', async () => {
  expect((await read('nothing.mp4')).error).toMatch(/does not exist|no such file/i);
});

const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
const TIMESTAMP = 0xe7;

/** A Matroska file whose clusters from a time on have the time of the beginning. */
function withClustersBack(file: Buffer, fromMs: number): Buffer {
  const changed = Buffer.from(file);
  let clusters = 0;
  for (let at = changed.indexOf(CLUSTER); at !== -1; at = changed.indexOf(CLUSTER, at + 1)) {
    const field = changed.indexOf(TIMESTAMP, at + CLUSTER.length);
    const length = changed[field + 1]! & 0x7f;
    const time = changed.readUIntBE(field + 2, length);
    if (time < fromMs) continue;
    changed.writeUIntBE(time - fromMs, field + 2, length);
    clusters++;
  }
  expect(clusters).toBeGreaterThan(1);
  return changed;
}

describe('a recording that was read to its end', () => {
  const minute = 60_000;
  test.each([
    ['is whole', { readUntilMs: 10 * minute - 200, wentBackMs: 0, durationMs: 10 * minute }, null],
    [
      'has a little more audio',
      { readUntilMs: 10 * minute - 9_000, wentBackMs: 0, durationMs: 10 * minute },
      null,
    ],
    ['does not say its length', { readUntilMs: 5_000, wentBackMs: 0, durationMs: 0 }, null],
    ['has two frames in the wrong order', { readUntilMs: minute, wentBackMs: 400, durationMs: minute }, null],
    [
      'ends early',
      { readUntilMs: 6 * minute, wentBackMs: 0, durationMs: 10 * minute },
      /ends at 6:00 of 10:00/,
    ],
    [
      'ends early after an hour',
      { readUntilMs: 63 * minute, wentBackMs: 0, durationMs: 125 * minute },
      /1:03:00 of 2:05:00/,
    ],
    [
      'is short and ends early',
      { readUntilMs: 11_900, wentBackMs: 0, durationMs: 20_000 },
      /0:11 of 0:20: the recording was broken off before it was finished/,
    ],
    ['is short and whole', { readUntilMs: 19_000, wentBackMs: 0, durationMs: 20_000 }, null],
    [
      'has a frame each minute',
      { readUntilMs: 9 * minute, wentBackMs: 0, lastStepMs: minute, durationMs: 10 * minute },
      null,
    ],
    ['jumps back', { readUntilMs: minute, wentBackMs: 90_000, durationMs: minute }, /jumps back by 1:30/],
  ])('%s', (_, end, fault) => {
    const said = faultOfRecording({ lastStepMs: 200, ...end });
    if (fault) expect(said).toMatch(fault);
    else expect(said).toBeNull();
  });
});
