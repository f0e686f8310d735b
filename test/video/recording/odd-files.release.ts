import { createHash } from 'node:crypto';
import { openSync, readFileSync, readSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { probeWithFfprobe } from '../../../src/video/probe/ffprobe.ts';
import { fpsValue } from '../../../src/video/probe/probed-stream.ts';
import { containerOf, demuxerOf, SIGNATURE_BYTES } from '../../../src/video/recording/container.ts';
import { recordingStill } from '../../../src/video/recording/still.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';
import { EACH_FFMPEG, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';

const folder = scratchFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pathOf = (name: string): string => join(folder, name);

const SECONDS = 12;
const pictures = (size = '96x72', seconds = SECONDS, rate = '10') => [
  ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`],
];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '20', '-pix_fmt', 'yuv420p'];
const video = (name: string, ...options: string[]) =>
  runFfmpeg(...pictures(), ...H264, ...options, pathOf(name));

/** The name of each file ends as a user would see it; its content decides. */
const FILES = {
  'starts-at-two-hours.mkv': () => video('starts-at-two-hours.mkv', '-output_ts_offset', '7200'),
  'starts-at-thirty-hours.mkv': () => video('starts-at-thirty-hours.mkv', '-output_ts_offset', '108000'),
  'says-length.mkv': async () => {
    await video('says-length.mkv', '-output_ts_offset', '5');
    sayDuration(pathOf('says-length.mkv'), SECONDS * 1000);
  },
  'longer-sound.mkv': () =>
    runFfmpeg(
      ...pictures(),
      ...['-f', 'lavfi', '-i', 'sine=duration=16', '-map', '0', '-map', '1'],
      ...[...H264, '-c:a', 'pcm_s16le', pathOf('longer-sound.mkv')],
    ),
  'starts-late.ts': () => video('starts-late.ts', '-output_ts_offset', '900', '-f', 'mpegts'),
  'program-stream.mp4': () => video('program-stream.mp4', '-f', 'vob'),
  'transport-stream.mp4': () => video('transport-stream.mp4', '-f', 'mpegts'),
  'recorder.avi': () => video('recorder.avi'),
  'starts-late.mp4': () => video('starts-late.mp4', '-output_ts_offset', '600'),
  'begins-with-nothing.mp4': async () => {
    await video('plain.mp4');
    await runFfmpeg(
      ...['-itsoffset', '5', '-i', pathOf('plain.mp4'), '-c', 'copy', pathOf('begins-with-nothing.mp4')],
    );
  },
  'in-fragments.mp4': () => video('in-fragments.mp4', '-movflags', 'frag_keyframe+empty_moov'),
  'two-tracks.mkv': () =>
    runFfmpeg(
      ...[...pictures('48x36'), ...pictures('192x144'), ...pictures('96x72')],
      ...['-map', '0', '-map', '1', '-map', '2', ...H264, pathOf('two-tracks.mkv')],
    ),
} as const;
type Name = keyof typeof FILES;

/** Matroska programs disagree about the field Duration: some write the time of the end, some the length. */
function sayDuration(path: string, ms: number): void {
  const file = readFileSync(path);
  const field = file.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  expect(field).toBeGreaterThan(0);
  file.writeDoubleBE(ms, field + 3);
  // The length of the track is written as text.
  const tag = file.indexOf(Buffer.from('DURATION'));
  if (tag > 0) file.write('XURATION', tag);
  writeFileSync(path, file);
}

const hash = ({ data }: { data: Uint8Array }) => createHash('md5').update(data).digest('hex');

const containerOfFile = (path: string) => {
  const beginning = Buffer.alloc(SIGNATURE_BYTES);
  readSync(openSync(path, 'r'), beginning);
  return containerOf(beginning);
};

describe.each(EACH_FFMPEG)('%s', (_, paths) => {
  async function probe(name: string, videoTrack?: number) {
    const container = containerOfFile(pathOf(name))!;
    return probeWithFfprobe({
      address: parseStreamUrl(pathOf(name)),
      binaries: await findFfmpeg(paths),
      timeoutMs: 60_000,
      demuxer: demuxerOf(container),
      videoTrack,
    });
  }

  async function still(name: string, wanted: { atSeconds: number; longest: number }) {
    const { videoIndex } = await probe(name);
    const found = await recordingStill(
      {
        address: parseStreamUrl(pathOf(name)),
        container: containerOfFile(pathOf(name))!,
        binaries: await findFfmpeg(paths),
        timeoutMs: 60_000,
        videoIndex,
      },
      wanted,
    );
    return found!;
  }

  async function read(
    name: string,
    {
      afterMs = null,
      fps = 5,
      videoTrack,
    }: { afterMs?: number | null; fps?: number; videoTrack?: number } = {},
  ) {
    const input = { inputWidth: 48, inputHeight: 48, fps, pace: 'fast', fullLongSide: null } as const;
    const source = new FfmpegSource({
      ...{ ...paths, url: pathOf(name), ...input, recordedAfterMs: afterMs, videoTrack },
    });
    const times: number[] = [];
    try {
      for (let frame = await source.next(); frame; frame = await source.next()) times.push(frame.timeMs);
      return { times, error: null, info: source.info };
    } catch (error) {
      return { times, error: (error as Error).message, info: source.info };
    } finally {
      await source.close();
    }
  }

  beforeAll(async () => {
    for (const make of Object.values(FILES)) await make();
  }, 120_000);

  test.each(Object.keys(FILES) as Name[])(
    '%s is as long as its video, and read from its start to its end',
    async (name) => {
      const probed = await probe(name);
      expect(probed.durationSeconds).toBeGreaterThan(SECONDS - 0.35);
      expect(probed.durationSeconds).toBeLessThan(SECONDS + 0.35);
      const { times, error } = await read(name);
      expect(error).toBeNull();
      expect(times[0]).toBeLessThan(400);
      expect(times.at(-1)).toBeGreaterThan(1000 * SECONDS - 500);
      expect(times.at(-1)).toBeLessThan(1000 * SECONDS + 200);
      expect(times.length).toBeGreaterThan(5 * SECONDS - 4);
    },
  );

  test.each([
    'program-stream.mp4',
    'transport-stream.mp4',
    'recorder.avi',
    'starts-at-two-hours.mkv',
  ] as const)('%s continues in its middle with the very frames that follow', async (name) => {
    const { times } = await read(name);
    for (const at of IS_THOROUGH ? [3, 31, 44] : [31]) {
      const rest = await read(name, { afterMs: times[at]! });
      expect(rest).toMatchObject({ times: times.slice(at + 1), error: null });
    }
  });

  test.each(['program-stream.mp4', 'transport-stream.mp4', 'recorder.avi', 'two-tracks.mkv'] as const)(
    '%s has a still in its middle',
    async (name) => {
      const { width } = await still(name, { atSeconds: 6, longest: 1000 });
      expect(width).toBe(name === 'two-tracks.mkv' ? 192 : 96);
    },
  );

  test.each(['ts', 'mpg'])('a .%s with few key frames continues, and has its stills', async (ending) => {
    const name = `few-key-frames.${ending}`;
    const rare = [
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      '80',
      '-keyint_min',
      '80',
      '-sc_threshold',
      '0',
    ];
    const format = ending === 'ts' ? 'mpegts' : 'vob';
    await runFfmpeg(...pictures('96x72', 24), ...rare, '-pix_fmt', 'yuv420p', '-f', format, pathOf(name));
    const { times } = await read(name);
    const rest = await read(name, { afterMs: times[75]! });
    expect(rest).toMatchObject({ times: times.slice(76), error: null });
    const shot = async (atSeconds: number) => hash(await still(name, { atSeconds, longest: 96 }));
    const shots = [await shot(15), await shot(15.1), await shot(15.5)];
    expect(new Set(shots).size).toBe(3);
  });

  test('of several videos the largest is read', async () => {
    expect(await probe('two-tracks.mkv')).toMatchObject({ width: 192, height: 144, videoIndex: 1 });
  });

  test('of several videos the chosen one is read, and all are listed', async () => {
    expect(await probe('two-tracks.mkv', 2)).toMatchObject({
      ...{ width: 96, height: 72, videoIndex: 2 },
      videoTracks: [
        { number: 0, width: 48, height: 36, codec: 'h264', fps: 10 },
        { number: 1, width: 192, height: 144, codec: 'h264', fps: 10 },
        { number: 2, width: 96, height: 72, codec: 'h264', fps: 10 },
      ],
    });
    const { info, times } = await read('two-tracks.mkv', { videoTrack: 0 });
    expect(info).toMatchObject({ width: 48, height: 36 });
    expect(times.length).toBeGreaterThan(5 * SECONDS - 4);
    await expect(probe('two-tracks.mkv', 3)).rejects.toMatchObject({
      kind: 'no_such_track',
      message: expect.stringContaining('it has 0 (48 × 36), 1 (192 × 144), 2 (96 × 72)'),
    });
  });

  test('a gap of minutes in a transport stream stays a gap', async () => {
    const moved = "setpts='if(lt(N,60),N,N+2000)/10/TB'";
    await runFfmpeg(
      ...[...pictures(), '-vf', moved, '-vsync', 'passthrough', ...H264, '-f', 'mpegts', pathOf('gap.ts')],
    );
    const { times, error } = await read('gap.ts');
    expect(error).toBeNull();
    expect(times.at(-1)).toBeGreaterThan(211_000);
  });

  test.each(['mp4', 'mkv', 'avi', 'mov'])(
    'a .%s that was broken off ends at its last frame and says so',
    async (ending) => {
      const name = `cut.${ending}`;
      const front = ending === 'mp4' || ending === 'mov' ? ['-movflags', '+faststart'] : [];
      // Each frame is as large as the others, so that a part of the bytes is the same part of the time.
      const even = ['-c:v', 'mjpeg', '-q:v', '5', '-pix_fmt', 'yuvj420p'];
      await runFfmpeg(...pictures('96x72', 20), ...even, ...front, pathOf(name));
      truncateSync(pathOf(name), Math.floor(readFileSync(pathOf(name)).length * 0.6));
      const { times, error } = await read(name);
      expect(times.at(-1)).toBeGreaterThan(11_000);
      expect(times.at(-1)).toBeLessThan(13_000);
      expect(error).toMatch(
        /^The video ends at 0:1[12] of 0:(20|19): the recording was broken off before it was finished/,
      );
    },
  );

  test('an MP4 without its index says so', async () => {
    await video('no-index.mp4');
    truncateSync(pathOf('no-index.mp4'), Math.floor(readFileSync(pathOf('no-index.mp4')).length / 2));
    await expect(probe('no-index.mp4')).rejects.toMatchObject({
      kind: 'no_index',
      message: expect.stringContaining('has no index'),
    });
  });

  test.each(['mp4', 'mkv', 'avi'])(
    'a time-lapse in .%s says how few frames it has, and is whole',
    async (ending) => {
      const name = `slow.${ending}`;
      await runFfmpeg(...pictures('96x72', 60, '1/4'), ...H264, pathOf(name));
      const { fps } = await probe(name);
      expect(fpsValue(fps!)).toBeLessThan(1);
      const { times, error } = await read(name);
      expect(error).toBeNull();
      expect(times).toHaveLength(15);
    },
  );
});
