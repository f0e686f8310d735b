import { describe, expect, test } from '@jest/globals';
import { blit, rasterise } from '../../src/simulator/draw/sprite.ts';
import { SpriteStore } from '../../src/simulator/draw/sprite-store.ts';

const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect x="2" y="1" width="4" height="6" fill="#ff8000"/></svg>';
const HALF =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="#fff" fill-opacity=".5"/></svg>';
const SIZE = { width: 10, height: 10 };

const canvasOf = (width: number, height: number) => ({
  pixels: new Uint8Array(width * height * 3),
  width,
  height,
});

describe('a sprite', () => {
  test("has the lower edge of the drawing on the anchor's row", async () => {
    const sprite = await rasterise(SQUARE, SIZE, { column: 4, row: 'sole' });
    expect(sprite.box).toEqual({ left: -2, top: -6, right: 2, bottom: 0 });
    const canvas = canvasOf(20, 20);
    blit(canvas, sprite, 10, 15);
    const coloured = [...canvas.pixels.entries()].flatMap(([at, value]) =>
      at % 3 === 0 && value > 0 ? [[Math.floor(at / 3) % 20, Math.floor(at / 60)]] : [],
    );
    expect(coloured).toHaveLength(24);
    expect(coloured[0]).toEqual([8, 9]);
    expect(coloured.at(-1)).toEqual([11, 14]);
    expect([...canvas.pixels.subarray((9 * 20 + 8) * 3, (9 * 20 + 8) * 3 + 3)]).toEqual([255, 128, 0]);
  });

  test('is cut at the edges of the canvas', async () => {
    const sprite = await rasterise(SQUARE, SIZE, { column: 4, row: 'sole' });
    for (const [x, y, seen] of [
      [0, 6, 12],
      [19, 6, 18],
      [5, 2, 8],
      [5, 22, 16],
      [-30, 5, 0],
      [50, 50, 0],
    ] as const) {
      const canvas = canvasOf(20, 20);
      blit(canvas, sprite, x, y);
      expect(canvas.pixels.filter((value) => value === 255)).toHaveLength(seen);
    }
  });

  test('mixes half-transparent pixels with what is below', async () => {
    const sprite = await rasterise(HALF, SIZE, { column: 0, row: 0 });
    const canvas = canvasOf(10, 10);
    canvas.pixels.fill(100);
    blit(canvas, sprite, 0, 0);
    for (const value of canvas.pixels) expect(Math.abs(value - 178)).toBeLessThanOrEqual(2);
  });
});

describe('the store', () => {
  const make = () => rasterise(SQUARE, SIZE, { column: 0, row: 0 });

  test('makes each sprite once, and above its size removes the one unused for the longest time', async () => {
    const one = (await make()).bytes;
    const store = new SpriteStore(3 * one);
    let made = 0;
    const request = async (key: number) => {
      store.request(key, () => {
        made++;
        return make();
      });
      await store.ready(key);
    };
    for (const key of [1, 2, 3]) await request(key);
    await request(1);
    expect(made).toBe(3);
    await request(4);
    expect([1, 2, 3, 4].map((key) => store.get(key) !== null)).toEqual([true, false, true, true]);
    expect(store.bytes).toBe(3 * one);
  });

  test('fails with the error of a sprite that could not be made, and tries again', async () => {
    const store = new SpriteStore(1000);
    store.request(1, () => Promise.reject(new Error('no ink')));
    await expect(store.ready(1)).rejects.toThrow('no ink');
    store.request(1, make);
    await store.ready(1);
    expect(store.get(1)).not.toBeNull();
  });
});
