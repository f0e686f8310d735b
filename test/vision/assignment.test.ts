import { describe, expect, test } from '@jest/globals';
import { Assignment } from '../../src/vision/assignment.ts';
import { fc } from '../support/property.ts';

/** The least cost over all ways to pair or leave apart, by trying all. */
function leastByTrying(cost: readonly (readonly number[])[], gate: number, from = 0, taken = 0): number {
  const row = cost[from];
  if (!row) return 0;
  let least = gate + leastByTrying(cost, gate, from + 1, taken);
  row.forEach((value, column) => {
    if (taken & (1 << column)) return;
    least = Math.min(least, value + leastByTrying(cost, gate, from + 1, taken | (1 << column)));
  });
  return least;
}

function solve(cost: readonly (readonly number[])[], gate?: number, assignment = new Assignment()): number[] {
  const rows = cost.length;
  const columns = cost[0]?.length ?? 0;
  return [...assignment.solve(Float64Array.from(cost.flat()), rows, columns, gate).subarray(0, rows)];
}

const matrix = fc
  .record({ rows: fc.integer({ min: 1, max: 5 }), columns: fc.integer({ min: 1, max: 5 }) })
  .chain(({ rows, columns }) =>
    fc.array(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: columns, maxLength: columns }),
      {
        minLength: rows,
        maxLength: rows,
      },
    ),
  );

describe('Assignment', () => {
  test.each([
    { name: 'one pair', cost: [[3]], pairs: [0] },
    {
      name: 'the least sum wins over the least single cost',
      cost: [
        [1, 2],
        [1, 9],
      ],
      pairs: [1, 0],
    },
    { name: 'more columns than rows', cost: [[5, 1, 3]], pairs: [1] },
    { name: 'more rows than columns', cost: [[5], [1], [3]], pairs: [-1, 0, -1] },
    {
      name: 'negative costs',
      cost: [
        [-1, -5],
        [-4, -5],
      ],
      pairs: [1, 0],
    },
  ])('$name', ({ cost, pairs }) => {
    expect(solve(cost)).toEqual(pairs);
  });

  test('pairs nothing at or above the gate', () => {
    const cost = [
      [0.2, 0.5],
      [0.5, 0.7],
    ];
    expect(solve(cost, 0.5)).toEqual([0, -1]);
  });

  test('finds the least cost, pairing one to one', () => {
    const assignment = new Assignment();
    fc.assert(
      fc.property(matrix, fc.double({ min: 0.05, max: 1.2, noNaN: true }), (cost, gate) => {
        const pairs = solve(cost, gate, assignment);
        const used = pairs.filter((column) => column >= 0);
        expect(new Set(used).size).toBe(used.length);
        const paid = pairs.reduce((sum, column, row) => sum + (column < 0 ? gate : cost[row]![column]!), 0);
        expect(paid).toBeCloseTo(leastByTrying(cost, gate), 9);
      }),
    );
  });

  test('solves a smaller problem after a larger one', () => {
    const assignment = new Assignment();
    const large = Array.from({ length: 70 }, (_, row) =>
      Array.from({ length: 90 }, (_, c) => Math.abs(row - c)),
    );
    expect(solve(large, undefined, assignment)).toEqual(large.map((_, row) => row));
    expect(solve([[2, 1]], undefined, assignment)).toEqual([1]);
  });

  test('throws an error for costs that are no numbers', () => {
    expect(() => solve([[Number.NaN]])).toThrow('finite');
  });
});
