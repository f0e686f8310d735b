import { describe, expect, test } from '@jest/globals';
import { SUM_OF_LEVEL } from '../../../src/vision/still/brightness.ts';
import { ChangeWatch } from '../../../src/vision/still/change-watch.ts';

/** Sums of four cells with these levels of brightness. */
const cells = (...levels: number[]): Int32Array => Int32Array.from(levels, (level) => level * SUM_OF_LEVEL);
const grid = (count: number) => ({ count, columns: count });
/** Nobody is near any cell, or somebody near all. */
const EMPTY = new Uint8Array(4);
const FULL = EMPTY.map(() => 1);
const GREY = cells(100, 100, 100, 100);

describe('a picture', () => {
  test('has changed as long as there is none to compare it with', () => {
    const watch = new ChangeWatch(grid(4));
    expect(watch.hasChanged(GREY)).toBe(true);
    watch.looked(GREY, EMPTY);
    expect(watch.hasChanged(GREY)).toBe(false);
    watch.forget();
    expect(watch.hasChanged(GREY)).toBe(true);
  });

  test('has changed if a single cell has, brighter or darker', () => {
    const watch = new ChangeWatch(grid(4));
    watch.looked(GREY, EMPTY);
    expect(watch.hasChanged(cells(104, 96, 104, 96))).toBe(false);
    expect(watch.hasChanged(cells(100, 100, 100, 108))).toBe(true);
    expect(watch.hasChanged(cells(92, 100, 100, 100))).toBe(true);
  });

  test('is compared with the last one at which the detector has looked, so that slow changes add up', () => {
    const watch = new ChangeWatch(grid(1));
    watch.looked(cells(100), EMPTY);
    const firstChange = [1, 2, 3, 4, 5, 6, 7].find((step) => watch.hasChanged(cells(100 + step)));
    expect(firstChange).toBe(6);
  });
});

describe('noise', () => {
  const noisy = (watch: ChangeWatch, isEmpty: boolean) => {
    for (let frame = 0; frame < 20; frame++)
      watch.looked(cells(frame % 2 === 0 ? 100 : 104, 100), isEmpty ? EMPTY : FULL);
  };

  test('of one cell makes that cell less sensitive, and no other', () => {
    const watch = new ChangeWatch(grid(2));
    noisy(watch, true);
    expect(watch.hasChanged(cells(114, 100))).toBe(false);
    expect(watch.hasChanged(cells(104, 110))).toBe(true);
  });

  test('is not learned of pictures that show somebody', () => {
    const watch = new ChangeWatch(grid(2));
    noisy(watch, false);
    expect(watch.hasChanged(cells(114, 100))).toBe(true);
  });

  test('hides no large change, however strong it is', () => {
    const watch = new ChangeWatch(grid(1));
    for (let frame = 0; frame < 50; frame++) watch.looked(cells(frame % 2 === 0 ? 0 : 200), EMPTY);
    expect(watch.hasChanged(cells(179))).toBe(true);
  });

  test('is forgotten when it ends', () => {
    const watch = new ChangeWatch(grid(2));
    noisy(watch, true);
    for (let frame = 0; frame < 150; frame++) watch.looked(cells(100, 100), EMPTY);
    expect(watch.hasChanged(cells(107, 100))).toBe(true);
  });
});

describe('a checkpoint', () => {
  test('continues a watch without any difference', () => {
    const watch = new ChangeWatch(grid(2));
    watch.looked(cells(0, 255), EMPTY);
    watch.looked(cells(3, 255), EMPTY);
    const next = new ChangeWatch(grid(2), JSON.parse(JSON.stringify(watch.checkpoint())));
    expect(next.checkpoint()).toEqual(watch.checkpoint());
    expect(next.hasChanged(cells(3, 255))).toBe(false);
    expect(next.hasChanged(cells(3, 240))).toBe(true);
  });

  test('of frames of another size is left out', () => {
    const watch = new ChangeWatch(grid(2));
    watch.looked(cells(1, 2), EMPTY);
    const next = new ChangeWatch(grid(3), watch.checkpoint());
    expect(next.hasChanged(cells(0, 0, 0))).toBe(true);
  });
});

describe('where somebody stands', () => {
  const seen = () => {
    const watch = new ChangeWatch(grid(4));
    watch.looked(cells(100, 100, 140, 140), FULL);
    return watch;
  };

  test.each<[string, number[], boolean]>([
    ['a sway at an edge of the body', [100, 112, 140, 140], false],
    ['somebody else at that edge', [100, 116, 140, 140], true],
    ['a change in the middle of the body', [100, 100, 140, 148], true],
    ['a change in front of a plain wall', [108, 100, 140, 140], true],
  ])('%s', (_, levels, isChange) => {
    expect(seen().hasChanged(cells(...levels), FULL, FULL)).toBe(isChange);
  });

  test('the sway of nobody is a change, and what does not matter is none', () => {
    expect(seen().hasChanged(cells(100, 112, 140, 140), FULL, EMPTY)).toBe(true);
    expect(seen().hasChanged(cells(0, 0, 0, 0), EMPTY, EMPTY)).toBe(false);
  });
});
