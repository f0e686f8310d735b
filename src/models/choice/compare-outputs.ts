import { ROWS } from '../ready-network.ts';

/** The outputs of a network by their names. */
export type Outputs = Readonly<Record<string, Float32Array | Int32Array>>;

/** Two values are the same within this, and within this share of the larger one. GPUs add in another order. */
const TOLERANCE = { absolute: 0.05, share: 0.02 };
/** Rows that must be the same: near the end of the strongest rows another order takes another row. */
const SAME_ROWS = 0.95;

/**
 * Whether two providers computed the same. Rows of a detector are compared by their anchors, because equally strong rows may
 * come in another order.
 */
export function givesTheSame(given: Outputs, expected: Outputs): boolean {
  const rows = expected[ROWS];
  const pairs = rows && pairsOf(given[ROWS] ?? [], rows);
  if (pairs && pairs.length < SAME_ROWS * rows.length) return false;
  return Object.entries(expected).every(([name, values]) => {
    const other = given[name];
    if (!other || other.length !== values.length) return false;
    if (name === ROWS) return true;
    if (!rows || !pairs) return areNear(other, values);
    const columns = values.length / rows.length;
    const same = pairs.filter(([to, from]) =>
      areNear(rowIn(other, to, columns), rowIn(values, from, columns)),
    );
    return same.length >= SAME_ROWS * rows.length;
  });
}

/** The rows of both that have the same anchor. */
function pairsOf(given: ArrayLike<number>, expected: ArrayLike<number>): [given: number, expected: number][] {
  const rowOf = new Map(Array.from(given, (anchor, row) => [anchor, row]));
  return Array.from(expected).flatMap((anchor, row) => {
    const other = rowOf.get(anchor);
    return other === undefined ? [] : [[other, row] as [number, number]];
  });
}

const rowIn = (values: Outputs[string], row: number, columns: number) =>
  values.subarray(row * columns, (row + 1) * columns);

const areNear = (given: Outputs[string], expected: Outputs[string]): boolean =>
  expected.every((value, at) => isNear(given[at]!, value));

function isNear(a: number, b: number): boolean {
  const apart = Math.abs(a - b);
  return apart <= TOLERANCE.absolute + TOLERANCE.share * Math.max(Math.abs(a), Math.abs(b));
}
