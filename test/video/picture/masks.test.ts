import { describe, expect, test } from '@jest/globals';
import { framePicture } from '../../../src/video/picture/frame-picture.ts';
import { blackenFrame, hide, withoutPeople } from '../../../src/video/picture/hide.ts';
import { privacyMaskSchema } from '../../../src/vision/privacy.ts';
import type { Point, Polygon } from '../../../src/vision/types.ts';
import { dearCases, fc } from '../../support/property.ts';
import { decode, greyFrame } from './frames.ts';

const WHITE = 235;
/** U and V beside that, and the brightness of black in a JPEG beside this colour, of 255: a block mixes 16 × 16 pixels. */
const BESIDE = [
  [128, 128, 56],
  [240, 110, 80],
  [54, 34, 80],
] as const;

const polygon = (...points: Point[]): Polygon => ({ type: 'polygon', points });
const hidden = (...masks: Polygon[]) => withoutPeople({ masks, blurPeople: 'none' });

/** Distance of a point to a polygon in pixels, 0 inside it, computed in another way than the product does. */
function distance(points: readonly Point[], x: number, y: number): number {
  let isInside = false;
  let nearest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < points.length; at++) {
    const [ax, ay] = points[at]!;
    const [bx, by] = points[(at + 1) % points.length]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
    nearest = Math.min(nearest, Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)));
  }
  return isInside ? 0 : nearest;
}

/** Star-shaped around a point, so that no edges cross; corners may lie on the edges of the picture. */
const polygons = fc
  .tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.array(fc.double({ min: 0.02, max: 0.9, noNaN: true }), { minLength: 3, maxLength: 20 }),
  )
  .map(([x, y, radii]) => {
    const clip = (value: number) => Math.min(1, Math.max(0, value));
    return radii.map((radius, at): Point => {
      const angle = (2 * Math.PI * at) / radii.length;
      return [clip(x + radius * Math.cos(angle)), clip(y + radius * Math.sin(angle))];
    });
  })
  .filter((points) => privacyMaskSchema.safeParse([{ type: 'polygon', points }]).success);

describe('a masked picture', () => {
  test('is black in each polygon and within a pixel of its edge, and unchanged far from it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(polygons, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(undefined, 48, 28),
        fc.constantFrom(...BESIDE),
        async (rings, wanted, [u, v, nearlyBlack]) => {
          const frame = greyFrame(64, 48, () => WHITE);
          frame.data.fill(u, 64 * 48, 64 * 48 * 1.25).fill(v, 64 * 48 * 1.25);
          const { width, height, brightest } = await decode(
            await framePicture(frame, hidden(...rings.map((ring) => polygon(...ring))), wanted),
          );
          const inPixels = rings.map((ring) => ring.map(([x, y]): Point => [x * width, y * height]));
          const wrong: number[][] = [];
          for (let y = 0; y < height; y++) {
            for (let x = 0; x < width; x++) {
              const away = Math.min(...inPixels.map((ring) => distance(ring, x + 0.5, y + 0.5)));
              const shown = brightest(x, y);
              // A block of JPEG, and what is added to the polygon.
              if ((away <= 1 && shown > nearlyBlack) || (away > 24 && shown < 250)) wrong.push([x, y, shown]);
            }
          }
          expect(wrong).toEqual([]);
        },
      ),
      { numRuns: dearCases(20) },
    );
  });

  test('before it is compressed, only the pixels around a polygon change, to black', () => {
    fc.assert(
      fc.property(polygons, fc.integer({ min: 1, max: 4 }), (ring, margin) => {
        const frame = greyFrame(96, 64, (x, y) => 60 + ((x * 7 + y * 13) % 150));
        frame.data.fill(200, 96 * 64);
        const before = frame.data.slice();
        const { data } = hide(frame, hidden(polygon(...ring)), margin);
        const inPixels = ring.map(([x, y]): Point => [x * 96, y * 64]);
        const wrong: number[][] = [];
        for (let y = 0; y < 64; y++) {
          for (let x = 0; x < 96; x++) {
            const away = distance(inPixels, x + 0.5, y + 0.5);
            const at = y * 96 + x;
            const isKept = data[at] === before[at];
            const ofColour = 96 * 64 + (y >> 1) * 48 + (x >> 1);
            const isBlack = data[at] === 16 && data[ofColour] === 128 && data[ofColour + 48 * 32] === 128;
            if ((away <= margin && !isBlack) || (away > 1.5 * (margin + 2) && !isKept)) wrong.push([x, y]);
          }
        }
        expect(wrong).toEqual([]);
        expect(Buffer.compare(frame.data, before)).toBe(0);
      }),
    );
  });

  test('over everything leaves nothing, not even colours', () => {
    const frame = greyFrame(32, 16, () => 200);
    frame.data.fill(240, 32 * 16);
    const { data } = hide(frame, hidden(polygon([0, 0], [1, 0], [1, 1], [0, 1])), 1);
    expect([...new Set(data.subarray(0, 32 * 16))]).toEqual([16]);
    expect([...new Set(data.subarray(32 * 16))]).toEqual([128]);
  });

  test('without masks it is the frame itself, which costs nothing', () => {
    const frame = greyFrame(32, 16, () => 200);
    expect(hide(frame, hidden(), 1)).toBe(frame);
  });

  test('the buffer of the frame may be reused at once', async () => {
    const frame = greyFrame(64, 32, () => WHITE);
    const mask = polygon([0, 0], [0.25, 0], [0.25, 1], [0, 1]);
    const making = [undefined, 32].map((width) => framePicture(frame, hidden(mask), width));
    frame.data.fill(16);
    for (const jpeg of await Promise.all(making)) {
      const { width, brightest } = await decode(jpeg);
      expect(brightest(width - 1, 4)).toBeGreaterThan(240);
    }
  });
});

test('in what is analysed, only the content of the letterbox gets black', () => {
  const letterbox = { inputWidth: 40, inputHeight: 40, contentWidth: 40, contentHeight: 20 };
  const model = new Uint8Array(40 * 40 * 3).fill(114);
  model.fill(200, 0, 40 * 20 * 3);
  const full = greyFrame(80, 40, () => WHITE);
  const frame = { index: 0, timeMs: 0, model, letterbox, full, isDamaged: false, keepFull: () => undefined };
  blackenFrame(frame, [polygon([0, 0], [0.5, 0], [0.5, 1], [0, 1])]);
  const at = (x: number, y: number) => [...model.subarray((y * 40 + x) * 3, (y * 40 + x) * 3 + 3)];
  expect([at(0, 0), at(20, 19), at(23, 10), at(39, 0), at(0, 25)]).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [200, 200, 200],
    [200, 200, 200],
    [114, 114, 114],
  ]);
  expect([full.data[0], full.data[39 * 80 + 40], full.data[60]]).toEqual([16, 16, WHITE]);
});

describe('a list of masks', () => {
  const parse = (value: unknown) => {
    const parsed = privacyMaskSchema.safeParse(value);
    return parsed.success ? 'accepted' : parsed.error.issues.map(({ message }) => message).join('; ');
  };
  const square: Point[] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  const of = (points: readonly (readonly number[])[]) => [{ type: 'polygon', points }];

  test.each<[string, unknown, string | RegExp]>([
    ['nothing', [], 'accepted'],
    ['the whole picture', of(square), 'accepted'],
    ['the same area twice', [...of(square), ...of(square)], 'accepted'],
    ['21 polygons', Array.from({ length: 21 }, () => of(square)[0]), /at most 20 polygons: draw one/],
    ['a polygon without points', of([]), /3/],
    ['two points', of(square.slice(0, 2)), /3/],
    ['21 points', of(Array.from({ length: 21 }, (_, at) => [at / 21, (at / 21) ** 2])), /20/],
    [
      'a point outside',
      of([
        [0, 0],
        [1.01, 0],
        [1, 1],
      ]),
      /fraction of the frame, 0-1/,
    ],
    [
      'a negative point',
      of([
        [0, 0],
        [1, -0.01],
        [1, 1],
      ]),
      /fraction of the frame, 0-1/,
    ],
    [
      'edges that cross',
      of([
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ]),
      /cross or touch/,
    ],
    [
      'a tiny polygon',
      of([
        [0, 0],
        [0.001, 0],
        [0, 0.001],
      ]),
      /draw it larger, or leave it out/,
    ],
    ['no list', {}, /array/],
    ['null', null, /array/],
  ])('%s: %#', (_, value, wanted) => {
    expect(parse(value)).toMatch(wanted);
  });
});
