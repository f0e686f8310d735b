import { describe, expect, test } from '@jest/globals';
import { addEncoded, decodeCells, encodeCells } from '../../../src/metrics/floor/encode-cells.ts';
import { FloorSums } from '../../../src/metrics/floor/floor-sums.ts';
import { FLOOR_CELLS } from '../../../src/vision/floor/grid.ts';
import { fc } from '../../support/property.ts';

/** Cell, seconds, mean speed to the right and down. */
type Cell = readonly [cell: number, seconds: number, dx: number, dy: number];

function sumsOf(cells: readonly Cell[]): FloorSums {
  const sums = new FloorSums();
  sums.add(cells.flatMap(([cell, seconds, dx, dy]) => [cell, seconds * 1000, dx * seconds, dy * seconds]));
  return sums;
}

const encoded = (cells: readonly Cell[], analysed: Uint8Array | null = null) =>
  encodeCells({ sums: sumsOf(cells), analysed });

const speed = fc.double({ min: -2, max: 2, noNaN: true });
const someCells = fc
  .uniqueArray(
    fc.tuple(
      fc.integer({ min: 0, max: FLOOR_CELLS - 1 }),
      // More than a hundred people in one cell for an hour.
      fc.double({ min: 0.1, max: 400_000, noNaN: true }),
      speed,
      speed,
    ),
    { selector: ([cell]) => cell, maxLength: FLOOR_CELLS },
  )
  .map((cells): readonly Cell[] => cells);

/** The error of a stored speed. */
const errorOf = (value: number) => Math.max(0.001, Math.abs(value) * 0.06);

describe('encoded cells', () => {
  test('give back the seconds to a tenth and the speeds to a few per cent', () => {
    fc.assert(
      fc.property(someCells, (cells) => {
        const decoded = decodeCells(encoded(cells));
        const people = new Map(cells.map((cell) => [cell[0], cell]));
        const wrong = [...decoded.ms].filter((ms, cell) => {
          const [, seconds, dx, dy] = people.get(cell) ?? [cell, 0, 0, 0];
          const isNear = (way: Float64Array, speed: number) =>
            Math.abs((way[cell]! / ms) * 1000 - speed) <= errorOf(speed);
          const isRight = isNear(decoded.right, dx) && isNear(decoded.down, dy);
          return Math.abs(ms / 1000 - seconds) > 0.0501 || (seconds > 0 && !isRight);
        });
        expect(wrong).toEqual([]);
      }),
    );
  });

  test('do not change when they are read and stored again', () => {
    fc.assert(
      fc.property(someCells, (cells) => {
        const bytes = encoded(cells);
        expect(encodeCells({ sums: decodeCells(bytes), analysed: null })).toEqual(bytes);
      }),
    );
  });

  test('of several hours, joined, add up', () => {
    fc.assert(
      fc.property(fc.array(someCells, { maxLength: 4 }), (hours) => {
        const parts = hours.map((cells) => encoded(cells));
        const sums = new FloorSums();
        const analysed = new Uint8Array(FLOOR_CELLS);
        addEncoded(Buffer.concat(parts), sums, analysed);
        const decoded = parts.map(decodeCells);
        for (const name of ['ms', 'right', 'down'] as const) {
          const wrong = [...sums[name]].filter((sum, cell) => {
            const added = decoded.reduce((total, hour) => total + hour[name][cell]!, 0);
            return Math.abs(sum - added) > 1e-3;
          });
          expect(wrong).toEqual([]);
        }
        expect(analysed.every((bit) => bit === (hours.length > 0 ? 1 : 0))).toBe(true);
      }),
    );
  });

  test('know which cells were analysed', () => {
    const left = Uint8Array.from({ length: FLOOR_CELLS }, (_, cell) => (cell % 32 < 16 ? 1 : 0));
    const top = Uint8Array.from({ length: FLOOR_CELLS }, (_, cell) => (cell < 32 ? 1 : 0));
    const analysed = new Uint8Array(FLOOR_CELLS);
    const sums = new FloorSums();
    addEncoded(Buffer.concat([encoded([[5, 60, 0, 0]], left), encoded([], top)]), sums, analysed);
    expect(analysed).toEqual(Uint8Array.from(left, (bit, cell) => bit || top[cell]!));
    expect(sums.ms[5]).toBe(60_000);
  });

  test('of an hour without people need two bytes, of people everywhere less than five bytes a cell', () => {
    const everywhere = Array.from({ length: FLOOR_CELLS }, (_, cell): Cell => [cell, 300, 0.1, -0.1]);
    expect(encoded([])).toHaveLength(2);
    expect(encoded(everywhere).length).toBeLessThan(5 * FLOOR_CELLS);
  });

  test('leave out cells from which more was taken back than was added', () => {
    const sums = sumsOf([
      [3, -10, 0, 0],
      [4, 0.04, 0, 0],
      [5, 1, 0, 0],
    ]);
    expect(
      [...decodeCells(encodeCells({ sums, analysed: null })).ms.entries()].filter(([, ms]) => ms),
    ).toEqual([[5, 1000]]);
  });
});
