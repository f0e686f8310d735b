import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { ADDRESS_SPACE, isPlausible, withinMemory } from '../../../src/video/ffmpeg/media-limits.ts';
import { probeWithFfprobe } from '../../../src/video/probe/ffprobe.ts';
import { recordingStill } from '../../../src/video/recording/still.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';
import { EACH_FFMPEG, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';

const folder = scratchFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pathOf = (name: string): string => join(folder, name);
const PICTURES = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=5:duration=2'];

/** The tables of an MP4 say that it has this many frames of one byte each, all in one part of the file. */
function claimFrames(source: string, target: string, frames: number): void {
  const file = readFileSync(pathOf(source));
  const at = (box: string) => file.indexOf(box) + 4;
  // The number of entries, then the first entry.
  file.writeUInt32BE(frames, at('stts') + 8);
  file.writeUInt32BE(1, at('stts') + 4);
  file.writeUInt32BE(frames, at('stsc') + 12);
  file.writeUInt32BE(1, at('stsc') + 4);
  file.writeUInt32BE(1, at('stsz') + 4);
  file.writeUInt32BE(frames, at('stsz') + 8);
  writeFileSync(pathOf(target), file);
}

const claimed = [50_000, 3_000_000, 40_000_000];

beforeAll(async () => {
  await runFfmpeg(...PICTURES, '-c:v', 'mpeg4', '-bf', '0', pathOf('plain.mp4'));
  for (const frames of claimed) claimFrames('plain.mp4', `${frames}.mp4`, frames);
  await runFfmpeg(...PICTURES, '-c:v', 'snow', '-strict', '-2', pathOf('snow.avi'));
}, 120_000);

describe.each(EACH_FFMPEG)('%s', (_, paths) => {
  const probe = async (name: string, demuxer: string) =>
    probeWithFfprobe({
      ...{ address: parseStreamUrl(pathOf(name)), demuxer, timeoutMs: 60_000 },
      binaries: await findFfmpeg(paths),
    });

  test.each(claimed)('a small file that claims %s frames is refused', async (frames) => {
    await expect(probe(`${frames}.mp4`, 'mov')).rejects.toMatchObject({ kind: 'too_many_frames' });
  });

  test('a codec that no camera sends is refused by probe, still and analysis', async () => {
    await expect(probe('snow.avi', 'avi')).rejects.toMatchObject({ kind: 'codec_not_allowed' });
    const binaries = await findFfmpeg(paths);
    const address = parseStreamUrl(pathOf('snow.avi'));
    const input = { address, container: 'avi', binaries, timeoutMs: 60_000, videoIndex: 0 } as const;
    await expect(recordingStill(input, { atSeconds: 0, longest: 64 })).rejects.toMatchObject({
      kind: 'codec_not_allowed',
    });
    const size = { inputWidth: 48, inputHeight: 48, fps: 5, pace: 'fast', fullLongSide: null } as const;
    const source = new FfmpegSource({ ...paths, url: pathOf('snow.avi'), ...size });
    await expect(source.next()).rejects.toThrow('codec that is not read here');
    await source.close();
  });
});

describe('withinMemory', () => {
  test('a program has the address space it is given', () => {
    const [program, argv] = withinMemory('sh', ['-c', 'ulimit -v; echo "$0"', 'a b'], ADDRESS_SPACE.glance);
    const answer = String(execFileSync(program, argv)).split('\n');
    expect(answer[1]).toBe('a b');
    if (process.platform === 'linux') expect(Number(answer[0]) * 1024).toBe(ADDRESS_SPACE.glance);
  });
});

describe('isPlausible', () => {
  test('a frame takes four bytes at least, where there are many', () => {
    expect(isPlausible(10_000, 100)).toBe(true);
    expect(isPlausible(10_001, 40_000)).toBe(false);
    expect(isPlausible(10_001, 40_004)).toBe(true);
  });
});
