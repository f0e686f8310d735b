import { describe, expect, test } from '@jest/globals';
import { BoxFilter } from '../../../src/vision/track/kalman.ts';
import { TRACKER_DEFAULTS } from '../../../src/vision/track/options.ts';
import type { Box } from '../../../src/vision/types.ts';

const MODEL = TRACKER_DEFAULTS;
const at = (left: number, top = 0.3): Box => ({ left, top, right: left + 0.1, bottom: top + 0.3 });

/** The estimate. */
function boxOf(filter: BoxFilter): Box {
  const box = { left: 0, top: 0, right: 0, bottom: 0 };
  filter.writeTo(box);
  return box;
}

/** Corrected along a straight path, `speed` widths of the frame per second. */
function led(speed: number, fps: number, seconds = 2): BoxFilter {
  const filter = new BoxFilter(MODEL, at(0));
  for (let step = 1; step <= seconds * fps; step++) {
    filter.predict(1 / fps);
    filter.correct(at((speed * step) / fps), 1);
  }
  return filter;
}

describe('BoxFilter', () => {
  test('starts at its first box', () => {
    const { left, top, right, bottom } = boxOf(new BoxFilter(MODEL, at(0.2)));
    expect([left, top, right, bottom]).toEqual([0.2, 0.3, 0.3, 0.6].map((v) => expect.closeTo(v, 12)));
  });

  test.each([2, 5, 14, 30])('learns a speed at %i frames a second', (fps) => {
    const filter = led(0.1, fps);
    filter.predict(1);
    expect(boxOf(filter).left).toBeGreaterThan(0.28);
    expect(boxOf(filter).left).toBeLessThan(0.31);
  });

  test('one long prediction gives the same position as many short ones', () => {
    const once = led(0.1, 10);
    const often = led(0.1, 10);
    once.predict(1.5);
    for (let step = 0; step < 15; step++) often.predict(0.1);
    expect(boxOf(once).left).toBeCloseTo(boxOf(often).left, 9);
  });

  test('an unsure measurement changes it less', () => {
    const [sure, unsure] = [led(0, 5), led(0, 5)];
    for (const filter of [sure, unsure]) filter.predict(0.2);
    sure.correct(at(0.02), 1);
    unsure.correct(at(0.02), 5);
    expect(boxOf(unsure).left).toBeLessThan(boxOf(sure).left);
    expect(boxOf(unsure).left).toBeGreaterThan(0);
  });

  test.each([
    ['where it is expected', at(0.02), at(0.03)],
    ['of its own size', at(0), { left: 0.02, top: 0.3, right: 0.08, bottom: 0.6 }],
    ['with less noise', at(0), at(0), 5],
  ])('a detection is more likely %s', (_, likely, unlikely, noise = 1) => {
    const filter = led(0, 5);
    filter.predict(0.2);
    expect(filter.surprise(likely, 1)).toBeLessThan(filter.surprise(unlikely, noise));
  });

  test('the longer the prediction, the more likely is a detection beside it', () => {
    const aside = (seconds: number) => {
      const filter = led(0, 5);
      filter.predict(seconds);
      return filter.surprise(at(0.1), 1);
    };
    expect([0.1, 0.2, 0.5, 1].map(aside)).toEqual([0.1, 0.2, 0.5, 1].map(aside).toSorted((a, b) => b - a));
  });

  test('a stretched frame gives the same likelihood', () => {
    const wide = new BoxFilter(MODEL, { left: 0, top: 0, right: 0.2, bottom: 0.1 });
    const tall = new BoxFilter(MODEL, { left: 0, top: 0, right: 0.1, bottom: 0.2 });
    const [surprise, other] = [
      wide.surprise({ left: 0.04, top: 0.01, right: 0.24, bottom: 0.11 }, 1),
      tall.surprise({ left: 0.02, top: 0.02, right: 0.12, bottom: 0.22 }, 1),
    ];
    expect(surprise).toBeCloseTo(other, 9);
  });

  test('a stretched frame stretches the estimate', () => {
    const wide = new BoxFilter(MODEL, { left: 0, top: 0, right: 0.2, bottom: 0.1 });
    const tall = new BoxFilter(MODEL, { left: 0, top: 0, right: 0.1, bottom: 0.2 });
    for (const filter of [wide, tall]) filter.predict(0.2);
    wide.correct({ left: 0.04, top: 0.01, right: 0.24, bottom: 0.11 }, 1);
    tall.correct({ left: 0.02, top: 0.02, right: 0.12, bottom: 0.22 }, 1);
    expect(boxOf(wide).left).toBeCloseTo(2 * boxOf(tall).left, 12);
    expect(boxOf(wide).top).toBeCloseTo(boxOf(tall).top / 2, 12);
  });

  test('never has a negative size', () => {
    const filter = new BoxFilter(MODEL, at(0));
    for (let step = 1; step < 10; step++) {
      filter.predict(0.2);
      filter.correct({ left: 0, top: 0, right: 0.1 / 4 ** step, bottom: 0.3 / 4 ** step }, 1);
    }
    filter.predict(30);
    expect(boxOf(filter).right).toBeGreaterThan(boxOf(filter).left);
    expect(boxOf(filter).bottom).toBeGreaterThan(boxOf(filter).top);
  });
});
