import { describe, expect, test } from '@jest/globals';
import { framePicture } from '../../../src/video/picture/frame-picture.ts';
import { faceOf, type Hidden, hide, withoutPeople } from '../../../src/video/picture/hide.ts';
import type { FullFrame } from '../../../src/vision/frame.ts';
import type { Box } from '../../../src/vision/types.ts';
import { fc } from '../../support/property.ts';
import { decode, greyFrame } from './frames.ts';

const [WIDTH, HEIGHT] = [160, 120];
/** Black and white in single pixels: the detail that must be gone. */
const detailed = () => greyFrame(WIDTH, HEIGHT, (x, y) => ((x + y) % 2 === 0 ? 235 : 16));
const hidden = (blurPeople: Hidden['blurPeople'], ...people: Box[]): Hidden => ({
  masks: [],
  blurPeople,
  people,
});

/** How many different values the luma of an area has. */
function values({ data }: FullFrame, { left, top, right, bottom }: Box): number {
  const found = new Set<number>();
  for (let y = Math.ceil(top * HEIGHT); y < Math.floor(bottom * HEIGHT); y++)
    for (let x = Math.ceil(left * WIDTH); x < Math.floor(right * WIDTH); x++) found.add(data[y * WIDTH + x]!);
  return found.size;
}
const STANDING: Box = { left: 0.4, top: 0.2, right: 0.6, bottom: 0.95 };
const LEGS: Box = { ...STANDING, top: 0.7 };

describe('where people are hidden', () => {
  test('bodies: the whole box is a mosaic of few cells, the rest stays', () => {
    const { data } = hide(detailed(), hidden('bodies', STANDING), 1);
    const frame = { ...detailed(), data };
    // Eight cells along the longer side, as many across as fit.
    expect(values(frame, STANDING)).toBeLessThanOrEqual(8 * 3);
    expect(values(frame, { left: 0, top: 0, right: 0.35, bottom: 1 })).toBe(2);
  });

  test('faces: the upper part is four cells at most, the legs stay', () => {
    const frame = hide(detailed(), hidden('faces', STANDING), 1);
    expect(values(frame, { ...STANDING, bottom: 0.2 + 0.3 * 0.75 })).toBeLessThanOrEqual(4);
    expect([...frame.data.subarray(100 * WIDTH + 70, 100 * WIDTH + 74)]).toEqual([235, 16, 235, 16]);
    expect(values(frame, LEGS)).toBe(2);
  });

  test('none: the picture is the frame', () => {
    const frame = detailed();
    expect(hide(frame, hidden('none', STANDING), 1)).toBe(frame);
    expect(hide(frame, hidden('bodies'), 1)).toBe(frame);
  });

  test('masks over people are black', () => {
    const mask = {
      type: 'polygon',
      points: [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
    } as const;
    const { data } = hide(detailed(), { masks: [mask], blurPeople: 'bodies', people: [STANDING] }, 1);
    expect([...new Set(data.subarray(0, WIDTH * HEIGHT))]).toEqual([16]);
  });

  test.each(['faces', 'bodies'] as const)(
    '%s: where nobody has looked for people, everything is a coarse mosaic',
    async (blurPeople) => {
      const frame = greyFrame(960, 540, (x, y) => 60 + ((x * 31 + y * 17) % 120));
      const { data } = hide(frame, withoutPeople({ masks: [], blurPeople }), 1);
      const cells = new Set<string>();
      for (let y = 0; y < 540; y++) {
        for (let x = 1; x < 960; x++) {
          if (data[y * 960 + x] !== data[y * 960 + x - 1]) cells.add(String(x));
        }
      }
      // Every change of brightness lies between two of 16 cells.
      expect([...cells].filter((x) => Number(x) % 60 !== 0)).toEqual([]);
      const { width } = await decode(
        await framePicture(frame, withoutPeople({ masks: [], blurPeople }), 320),
      );
      expect(width).toBe(320);
    },
  );

  test('any box, also outside the picture and empty, keeps to the picture and leaves no detail', () => {
    const coordinate = fc.double({ min: -0.5, max: 1.5, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(coordinate, coordinate, coordinate, coordinate),
        fc.constantFrom('faces' as const, 'bodies' as const),
        ([a, b, c, d], blurPeople) => {
          const box = {
            ...{ left: Math.min(a, b), right: Math.max(a, b) },
            ...{ top: Math.min(c, d), bottom: Math.max(c, d) },
          };
          const frame = hide(detailed(), hidden(blurPeople, box), 1);
          expect(frame.data).toHaveLength((WIDTH * HEIGHT * 3) / 2);
          const area =
            blurPeople === 'faces' ? { ...box, bottom: box.top + 0.3 * (box.bottom - box.top) } : box;
          const shown = {
            ...{ left: Math.max(0, area.left), top: Math.max(0, area.top) },
            ...{ right: Math.min(1, area.right), bottom: Math.min(1, area.bottom) },
          };
          expect(values(frame, shown)).toBeLessThanOrEqual(8 * 8);
        },
      ),
    );
  });
});

describe('the area of a face', () => {
  const rounded = (box: Box) => Object.values(box).map((value) => Math.round(value * 1000) / 1000);

  test('of a standing person is the upper 30 % of the box, enlarged by a fifth on each side', () => {
    const box = { left: 0.4, top: 0.2, right: 0.5, bottom: 0.8 };
    expect(rounded(faceOf(box, 1))).toEqual([0.38, 0.164, 0.52, 0.416]);
  });

  test('of a person whose legs are cut off is as high as the box is wide', () => {
    const box = { left: 0.2, top: 0.5, right: 0.4, bottom: 1 };
    expect(rounded(faceOf(box, 2))).toEqual([0.16, 0.42, 0.44, 0.98]);
    const cut = { left: 0.2, top: 0.8, right: 0.6, bottom: 1 };
    expect(rounded(faceOf(cut, 1))).toEqual([0.12, 0.76, 0.68, 1.04]);
  });
});
