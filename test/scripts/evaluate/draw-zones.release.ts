import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { drawZonesCommand } from '../../../scripts/evaluate/draw-zones.ts';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { probeWithFfprobe } from '../../../src/video/probe/ffprobe.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';
import { FFMPEG_PATHS, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';

const folder = scratchFolder();
const video = join(folder, 'grey.mkv');
const scene = join(folder, 'scene.json');
const copy = join(folder, 'zones.mp4');

/** @returns what it printed */
async function draw(...options: string[]): Promise<string> {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await drawZonesCommand()
      .exitOverride()
      .parseAsync([...options, '--json'], { from: 'user' });
    return write.mock.calls.join('');
  } finally {
    write.mockRestore();
  }
}

beforeAll(async () => {
  // Three seconds at seven frames a second, of a size that H.264 does not take.
  await runFfmpeg('-f', 'lavfi', '-i', 'color=gray:size=321x181:rate=7:duration=3', '-c:v', 'ffv1', video);
  const points = [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.75, 0.75],
    [0.25, 0.75],
  ];
  await writeFile(scene, JSON.stringify({ zones: { checkoutZone: { type: 'polygon', points } } }));
  expect(JSON.parse(await draw(video, '--scene', scene, '--out', copy))).toEqual({ video: copy });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function lengthOf(path: string) {
  const binaries = await findFfmpeg(FFMPEG_PATHS);
  return probeWithFfprobe({ address: parseStreamUrl(path), binaries, timeoutMs: 10_000 });
}

describe('a copy of a video with its zones', () => {
  test('shows the zones on every frame and changes nothing else', async () => {
    for (const second of ['0', '2.5']) {
      const picture = join(folder, `${second}.png`);
      await runFfmpeg('-ss', second, '-i', copy, '-frames:v', '1', picture);
      const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
      const blueOverRed = (x: number, y: number) => {
        const at = (Math.round(y * info.height) * info.width + Math.round(x * info.width)) * info.channels;
        return data[at + 2]! - data[at]!;
      };
      expect(info).toMatchObject({ width: 320, height: 180 });
      expect(blueOverRed(0.25, 0.5)).toBeGreaterThan(100);
      expect(blueOverRed(0.5, 0.5)).toBeGreaterThan(10);
      expect(Math.abs(blueOverRed(0.1, 0.5))).toBeLessThan(6);
    }
  });

  test('has the times of the video', async () => {
    const [before, after] = [await lengthOf(video), await lengthOf(copy)];
    expect(before.durationSeconds).toBeCloseTo(3, 1);
    expect(after.durationSeconds).toBeCloseTo(before.durationSeconds!, 1);
    expect(after).toMatchObject({ startMs: 0, fps: before.fps });
  });

  test.each([
    ['a video that is missing', [join(folder, 'no.mp4')], copy, /^The video .*no\.mp4 does not exist/],
    ['a file that is no video', [scene], copy, /scene\.json/],
    ['the video itself as the copy', [video], video, /^--out is the video itself; give another file\.$/],
    ['a folder that is missing', [video], join(folder, 'no', 'x.mp4'), /^ffmpeg could not write .*x\.mp4: /],
  ])('%s is an error', async (_, input, out, message) => {
    await expect(draw(...input, '--scene', scene, '--out', out)).rejects.toThrow(message);
  });
});
