import { describe, expect, test } from '@jest/globals';
import type { Box } from '../../../src/vision/types.ts';
import { newStature, wholeBody } from '../../../src/vision/zones/whole-body.ts';

const body = (top: number, bottom: number): Box => ({ left: 0.4, right: 0.5, top, bottom });

/** Feeds boxes at five frames a second; the bottoms that come out. */
function bottoms(boxes: readonly Box[]): number[] {
  const stature = newStature(boxes[0]!, 0);
  return boxes.map((box, i) => Math.round(wholeBody(stature, box, i * 200).bottom * 1000) / 1000);
}

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

describe('where somebody stands', () => {
  test('stays while somebody walks before the legs', () => {
    const whole = body(0.3, 0.7);
    const cut = body(0.3, 0.5);
    expect(bottoms([...times(5, whole), ...times(10, cut), ...times(3, whole)])).toEqual(times(18, 0.7));
  });

  test('follows the top while the legs are hidden', () => {
    expect(
      bottoms([...times(5, body(0.3, 0.7)), body(0.3, 0.5), body(0.32, 0.5), body(0.34, 0.52)]).slice(-3),
    ).toEqual([0.7, 0.72, 0.74]);
  });

  test('is the box again where it shrinks because somebody walks away', () => {
    const away = Array.from({ length: 20 }, (_, i) => body(0.3, 0.7 - 0.01 * i));
    expect(bottoms(away)).toEqual(away.map(({ bottom }) => Math.round(bottom * 1000) / 1000));
  });

  test('is the box where the top moves, too: that is another box', () => {
    expect(bottoms([...times(5, body(0.3, 0.7)), body(0.4, 0.6)]).at(-1)).toBe(0.6);
  });

  test('is the box again after half a minute: then the person is as high as that', () => {
    expect(bottoms([...times(5, body(0.3, 0.7)), ...times(160, body(0.3, 0.5))]).at(-1)).toBe(0.5);
  });
});
