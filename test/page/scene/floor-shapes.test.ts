import { describe, expect, test } from '@jest/globals';
import {
  cellAt,
  type FloorCells,
  floorShapes,
  LEVELS,
  levelOf,
} from '../../../src/page/scene/floor/floor-shapes.ts';
import { fc } from '../../support/property.ts';

const map = (seconds: FloorCells['seconds'], moves: Partial<FloorCells> = {}): FloorCells => ({
  ...{ columns: 2, rows: seconds.length / 2, seconds },
  dx: seconds.map(() => null),
  dy: seconds.map(() => null),
  ...moves,
});

describe('a floor map', () => {
  test('has each cell where it is: in its level, blank, or nowhere without people', () => {
    const shapes = floorShapes(map([100, 0, null, 1]), 16 / 9);
    expect(shapes.levels.at(-1)).toBe('M0 0h1v1h-1z');
    expect(shapes.levels[0]).toBe('M1 1h1v1h-1z');
    expect(shapes.blank).toBe('M0 1h1v1h-1z');
    expect(shapes.levels.join('')).not.toContain('M1 0');
    expect(shapes.mostSeconds).toBe(100);
  });

  test('says of what nothing was analysed that there is no most, and of what nobody came to that it is 0', () => {
    expect(floorShapes(map([null, null]), 1).mostSeconds).toBeNull();
    expect(floorShapes(map([0, 0]), 1)).toMatchObject({ mostSeconds: 0, blank: '' });
  });

  test('puts every cell into one shape, whatever was measured', () => {
    const seconds = fc.option(fc.double({ min: 0, max: 1e7, noNaN: true }), { nil: null });
    fc.assert(
      fc.property(fc.array(seconds, { minLength: 8, maxLength: 8 }), (cells) => {
        const { levels, blank } = floorShapes(map(cells), 1);
        const count = (path: string) => path.split('M').length - 1;
        expect(count(blank)).toBe(cells.filter((each) => each === null).length);
        expect(count(levels.join(''))).toBe(cells.filter((each) => each !== null && each > 0).length);
      }),
    );
  });

  test('strokes point where people went, with the shape of the picture, and only where many were', () => {
    const right = floorShapes(map([10, 10], { dx: [0.1, null], dy: [0, null] }), 2);
    expect(right.strokes).toBe('M0.03 0.5L0.98 0.5M0.75 0.38L0.98 0.5L0.75 0.62');
    // As far down as to the right in the picture; cells of this map are four times as wide as high.
    const [tail, tip] = /^M([\d.]+ [\d.]+)L([\d.]+ [\d.]+)/
      .exec(floorShapes({ ...map([10, 10]), dx: [0.01, null], dy: [0.01, null] }, 2).strokes)!
      .slice(1)
      .map((each) => each.split(' ').map(Number));
    expect(tip![0]! - tail![0]!).toBeCloseTo(tip![1]! - tail![1]!, 1);
    expect(floorShapes(map([1000, 1], { dx: [null, 0.1], dy: [null, 0] }), 2).strokes).toBe('');
  });

  test('levels grow with the time', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (a, b) => {
          const [less, more] = a < b ? [a, b] : [b, a];
          expect(levelOf(less, more)).toBeLessThanOrEqual(levelOf(more, more));
          expect(levelOf(more, more)).toBe(more > 0 ? LEVELS : 0);
        },
      ),
    );
  });

  test('is read at a place of the picture', () => {
    const cells = map([1, 2, null, 4]);
    expect(cellAt(cells, 0.6, 0.2)).toEqual({ index: 1, seconds: 2 });
    expect(cellAt(cells, 0, 0.99)).toEqual({ index: 2, seconds: null });
    for (const [x, y] of [
      [1, 0],
      [-0.1, 0],
      [0, 1],
      [Number.NaN, 0],
    ])
      expect(cellAt(cells, x!, y!)).toBeNull();
  });
});
