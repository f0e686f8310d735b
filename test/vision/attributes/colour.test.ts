import { describe, expect, test } from '@jest/globals';
import { isSkinLike, labOf, upperColourOf } from '../../../src/vision/attributes/colour.ts';

const rgb = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];

describe('the attribute key of a colour', () => {
  test.each([
    ['#16161a', 'upperBlack'],
    ['#2a2a30', 'upperBlack'],
    ['#f2f2ef', 'upperWhite'],
    ['#cfcfcc', 'upperWhite'],
    ['#85888c', 'upperGray'],
    ['#5f6164', 'upperGray'],
    ['#b3282d', 'upperRed'],
    ['#7a1b20', 'upperRed'],
    ['#6f3d8f', 'upperPurple'],
    ['#dcb62c', 'upperYellow'],
    ['#f5e050', 'upperYellow'],
    ['#2d5d9b', null],
    ['#3c7547', null],
    ['#6f4d33', null],
    ['#d2702a', null],
    ['#e79ab0', null],
  ])('%s is %s', (hex, key) => {
    expect(upperColourOf(labOf(rgb(hex)))).toBe(key);
  });

  test('skin of every tone is like skin, cloth of these colours is not', () => {
    for (const hex of ['#e8c0a0', '#dba982', '#c68d63', '#a06a44', '#7d4f31']) {
      expect(isSkinLike(labOf(rgb(hex)))).toBe(true);
    }
    for (const hex of ['#2d5d9b', '#3c7547', '#85888c', '#23252e', '#6f3d8f']) {
      expect(isSkinLike(labOf(rgb(hex)))).toBe(false);
    }
  });

  test('white, black and red have their CIELAB values', () => {
    for (const [hex, expected] of [
      ['#ffffff', [100, 0, 0]],
      ['#000000', [0, 0, 0]],
      ['#ff0000', [53.2, 80.1, 67.2]],
    ] as const) {
      labOf(rgb(hex)).forEach((value, at) => {
        expect(Math.abs(value - expected[at]!)).toBeLessThan(0.5);
      });
    }
  });
});
