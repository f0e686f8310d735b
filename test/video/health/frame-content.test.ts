import { describe, expect, test } from '@jest/globals';
import { hasContent } from '../../../src/video/health/has-content.ts';
import { StillWatch } from '../../../src/video/health/still-watch.ts';

const SIDE = 416;
const letterbox = { inputWidth: SIDE, inputHeight: SIDE, contentWidth: SIDE, contentHeight: 234 };

/** A letterboxed frame whose point at `(x, y)`, fractions of it, has this level. */
function pictureOf(levelAt: (x: number, y: number) => number) {
  const model = new Uint8Array(SIDE * SIDE * 3).fill(114);
  for (let row = 0; row < letterbox.contentHeight; row++) {
    for (let column = 0; column < SIDE; column++) {
      const level = levelAt(column / SIDE, row / letterbox.contentHeight);
      model.fill(level, (row * SIDE + column) * 3, (row * SIDE + column) * 3 + 3);
    }
  }
  return { model, letterbox };
}
/** Sensor noise, the same at each run. */
const noise = (x: number, y: number, most: number) => Math.floor(((x * 7919 + y * 104_729) % 1) * most);

describe('whether a frame shows anything', () => {
  test.each([
    ['black', () => 0],
    ['black with sensor noise', (x: number, y: number) => noise(x, y, 12)],
    ['a covered lens, brighter at one side', (x: number) => 20 + 14 * x],
    ['overexposed', () => 250],
    ['a clock in a black frame', (x: number, y: number) => (x < 0.3 && y < 0.08 ? 255 : 0)],
  ])('%s shows nothing', (_, levelAt) => {
    expect(hasContent(pictureOf(levelAt))).toBe(false);
  });

  test.each([
    ['a dim room', (x: number) => (x < 0.5 ? 10 : 30)],
    ['a wall with somebody dark before it', (x: number) => (x > 0.4 && x < 0.5 ? 120 : 180)],
    ['a lamp in the dark', (x: number, y: number) => (x < 0.4 && y < 0.4 ? 120 : 4)],
  ])('%s shows something', (_, levelAt) => {
    expect(hasContent(pictureOf(levelAt))).toBe(true);
  });
});

describe('frames that stay the same', () => {
  /** Feeds a frame a second. @returns since when it is called still, in seconds */
  function watch(frames: number, changed: (second: number, model: Uint8Array) => void): number | null {
    const still = new StillWatch();
    const model = new Uint8Array(SIDE * SIDE * 3).fill(90);
    for (let second = 0; second < frames; second++) {
      changed(second, model);
      still.take({ model }, 1_000_000 + second * 1000);
    }
    return still.sinceMs === null ? null : (still.sinceMs - 1_000_000) / 1000;
  }

  test('they are reported after three minutes, since the last change', () => {
    const once = (second: number, model: Uint8Array) => void (second === 20 && model.fill(91));
    expect(watch(200, once)).toBeNull();
    expect(watch(201, once)).toBe(20);
  });

  test('they are not reported while a single bit changes now and then, wherever it is', () => {
    let at = 0;
    const bit = (second: number, model: Uint8Array) => {
      if (second % 30 !== 29) return;
      at += 7_907;
      model[at]! ^= 1;
    };
    expect(watch(600, bit)).toBeNull();
  });

  test('the report ends with the next change', () => {
    expect(watch(400, (second, model) => void (second === 399 && model.fill(91)))).toBeNull();
  });
});
