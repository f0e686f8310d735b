/** A linear model fitted to observations, and the numbers that tell its uncertainty. */
export interface Fit {
  /** The value of the model for these terms. */
  predict(terms: readonly number[]): number;
  readonly residuals: readonly number[];
  /** Sum of the squared residuals. */
  readonly rss: number;
  /** Variance of a prediction caused by the fit alone, in units of the residual variance. */
  leverage(terms: readonly number[]): number;
}

/**
 * Ordinary least squares.
 * @param terms each tells its value for an observation; they must be linearly independent
 * @param values one for each observation
 */
export function leastSquares(terms: readonly ((at: number) => number)[], values: readonly number[]): Fit {
  const columns = terms.map((term) => values.map((_, at) => term(at)));
  const inverse = inverted(columns.map((a) => columns.map((b) => dot(a, b))));
  const projected = columns.map((column) => dot(column, values));
  const coefficients = inverse.map((line) => dot(line, projected));
  const residuals = values.map(
    (value, at) =>
      value -
      dot(
        terms.map((term) => term(at)),
        coefficients,
      ),
  );
  return {
    predict: (row) => dot(row, coefficients),
    residuals,
    rss: residuals.reduce((sum, residual) => sum + residual ** 2, 0),
    leverage: (row) =>
      dot(
        row,
        inverse.map((line) => dot(line, row)),
      ),
  };
}

/** @param b as long as `a` */
const zipped = (a: readonly number[], b: readonly number[], of: (a: number, b: number) => number): number[] =>
  a.map((value, at) => of(value, b[at]!));

/** The sum of the products; `b` is as long as `a`. */
export const dot = (a: readonly number[], b: readonly number[]): number =>
  zipped(a, b, (x, y) => x * y).reduce((sum, product) => sum + product, 0);

/** Gauss-Jordan elimination with the largest pivot first. */
function inverted(matrix: readonly (readonly number[])[]): number[][] {
  let rows = matrix.map((row, i) => [...row, ...matrix.map((_, j) => (i === j ? 1 : 0))]);
  for (const column of matrix.keys()) {
    const head = (row: readonly number[]) => row[column]!;
    const open = rows.slice(column);
    const largest = open.reduce((best, row) => (Math.abs(head(row)) > Math.abs(head(best)) ? row : best));
    const pivot = head(largest);
    if (Math.abs(pivot) < 1e-12) throw new RangeError('The terms are not independent');
    const scaled = largest.map((value) => value / pivot);
    const others = rows
      .filter((row) => row !== largest)
      .map((row) => zipped(row, scaled, (value, other) => value - head(row) * other));
    rows = others.toSpliced(column, 0, scaled);
  }
  return rows.map((row) => row.slice(matrix.length));
}
