import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('platform/prisma-client/'))
  .map((path) => ({ path, text: readFileSync(`src/${path}`, 'utf8') }));
const filesWith = (pattern: RegExp) =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .sort();

test('only framePicture turns a frame into a JPEG, so that no picture shows what must be hidden', () => {
  expect(filesWith(/from '[./a-z-]*\/(small-)?jpeg\.ts'/).filter((path) => importsEncoder(path))).toEqual([
    'video/picture/frame-picture.ts',
  ]);
});

/** The encoders themselves; the options of JPEG and the conversion of colours may be used elsewhere. */
function importsEncoder(path: string): boolean {
  const { text } = sources.find((source) => source.path === path)!;
  return /import \{[^}]*\b(toJpeg|toSmallJpeg)\b[^}]*\} from/.test(text);
}

test('sharp makes a JPEG of a frame only there; elsewhere it changes images that are JPEGs already', () => {
  const make = filesWith(/\.(jpeg|toFormat|toFile|webp|png|avif)\(/);
  expect(make.filter((path) => filesWith(/from 'sharp'/).includes(path))).toEqual([
    // Each of them gets a JPEG and draws on it, or makes it smaller.
    'cameras/devices/images/current-frame.ts',
    'cameras/devices/images/draw-zones.ts',
    'insights/vlm/model-writer.ts',
    'runs/record/alerts/alert-images.ts',
    // The encoders.
    'video/jpeg.ts',
    'video/small-jpeg.ts',
  ]);
});

test('ffmpeg and ffprobe make no images', () => {
  expect(filesWith(/'(image2|image2pipe|singlejpeg|mjpeg|libwebp|png)'/)).toEqual([
    // Names of formats that are read.
    'video/picture/median.ts',
    'video/probe/probed-stream.ts',
  ]);
});
