import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSource } from '../../../src/video/create-source.ts';
import { type FfmpegBinaries, findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { grabFrame } from '../../../src/video/grab-frame.ts';
import { ROTATIONS, type Rotation, turnRgb } from '../../../src/video/picture/turn.ts';
import { recordingStill } from '../../../src/video/recording/still.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';
import { FFMPEG_PATHS, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';

const folder = scratchFolder();
const film = join(folder, 'corners.mp4');
let binaries: FfmpegBinaries;
beforeAll(async () => {
  binaries = await findFfmpeg(FFMPEG_PATHS);
  // Grey with a white corner at the upper left.
  const drawn = 'color=gray:size=160x96:rate=5,drawbox=x=0:y=0:w=64:h=32:color=white:t=fill';
  await runFfmpeg('-f', 'lavfi', '-i', drawn, '-t', '2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', film);
});
afterAll(() => rm(folder, { recursive: true }));

/** Where the white corner of the film is in a turned picture. */
const CORNERS: Readonly<Record<Rotation, string>> = {
  0: 'upper left',
  90: 'upper right',
  180: 'lower right',
  270: 'lower left',
};
const SIZES: Readonly<Record<Rotation, readonly [number, number]>> = {
  0: [160, 96],
  90: [96, 160],
  180: [160, 96],
  270: [96, 160],
};

/** The corner that is bright. @param at brightness of a place */
function brightCorner(
  { width, height }: { width: number; height: number },
  at: (x: number, y: number) => number,
) {
  const [right, bottom] = [width - 9, height - 9];
  const corners = {
    'upper left': at(8, 8),
    'upper right': at(right, 8),
    'lower left': at(8, bottom),
    'lower right': at(right, bottom),
  };
  return Object.entries(corners)
    .filter(([, level]) => level > 200)
    .map(([name]) => name)
    .join();
}

describe.each(ROTATIONS)('a picture that is turned by %i degrees', (rotation) => {
  test('is turned for the model and for images, with the sizes of the turned picture', async () => {
    const source = new FfmpegSource({
      ...{ url: film, fps: 5, inputWidth: 96, inputHeight: 96, pace: 'fast', rotation },
      ...FFMPEG_PATHS,
    });
    const { width, height, letterbox } = await source.open();
    expect([width, height]).toEqual(SIZES[rotation]);
    const { model, full } = (await source.next())!;
    const content = { width: letterbox.contentWidth, height: letterbox.contentHeight };
    expect(content.width > content.height).toBe(width > height);
    expect(brightCorner(content, (x, y) => model[3 * (y * 96 + x)]!)).toBe(CORNERS[rotation]);
    expect([full!.width, full!.height]).toEqual(SIZES[rotation]);
    expect(brightCorner(full!, (x, y) => full!.data[y * full!.width + x]!)).toBe(CORNERS[rotation]);
    await source.close();
  });

  test('is the same when its bytes are turned', () => {
    const data = new Uint8Array(160 * 96 * 3);
    for (let y = 0; y < 32; y++) data.fill(255, 3 * y * 160, 3 * (y * 160 + 64));
    const [width, height] = SIZES[rotation];
    const turned = turnRgb(data, { width: 160, height: 96 }, rotation);
    expect(brightCorner({ width, height }, (x, y) => turned[3 * (y * width + x)]!)).toBe(CORNERS[rotation]);
  });
});

// The same filters, and the same turn of bytes, as above: the release tier tries each angle.
describe.each(IS_THOROUGH ? ROTATIONS : ([90] as const))(
  'a picture that is turned by %i degrees',
  (rotation) => {
    test('is turned where it is grabbed, and where it is a still of a recording', async () => {
      const grabbed = await grabFrame(film, { binaries, timeoutMs: 60_000, rotation });
      const input = {
        address: parseStreamUrl(film),
        container: 'mp4' as const,
        binaries,
        timeoutMs: 60_000,
        videoIndex: 0,
      };
      const still = await recordingStill(input, { atSeconds: 0.5, longest: 960, rotation });
      for (const frame of [grabbed, still!]) {
        expect([frame.width, frame.height]).toEqual(SIZES[rotation]);
        expect(brightCorner(frame, (x, y) => frame.data[y * frame.width + x]!)).toBe(CORNERS[rotation]);
      }
    });

    test('is turned where this process draws it', async () => {
      const url = 'sim:shop?seed=1';
      const source = createSource(url, {
        ...{ fps: 5, inputWidth: 64, inputHeight: 64, pace: 'fast', rotation },
        ...FFMPEG_PATHS,
      });
      const { width, height } = await source.open();
      const grabbed = await grabFrame(url, { binaries, timeoutMs: 60_000, rotation });
      expect(width > height).toBe(rotation % 180 === 0);
      expect([grabbed.width, grabbed.height]).toEqual([width, height]);
      await source.close();
    });
  },
);
