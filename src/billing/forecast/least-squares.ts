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

/** Ordinary least squares. @param rows the terms of each observation; the columns must be linearly independent */
export function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): Fit {
  const size = rows[0]!.length;
  const moments = table(size, (i, j) => sumOf(rows, (row) => row[i]! * row[j]!));
  const inverse = inverted(moments);
  const projected = Array.from({ length: size }, (_, i) => sumOf(rows, (row, at) => row[i]! * values[at]!));
  const coefficients = inverse.map((line) => dot(line, projected));
  const residuals = rows.map((row, at) => values[at]! - dot(row, coefficients));
  return {
    predict: (terms) => dot(terms, coefficients),
    residuals,
    rss: sumOf(residuals, (residual) => residual ** 2),
    leverage: (terms) =>
      dot(
        terms,
        inverse.map((line) => dot(line, terms)),
      ),
  };
}

const table = (size: number, cell: (i: number, j: number) => number) =>
  Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => cell(i, j)));

const dot = (a: readonly number[], b: readonly number[]) => sumOf(a, (value, at) => value * b[at]!);

const sumOf = <Item>(items: readonly Item[], of: (item: Item, at: number) => number): number =>
  items.reduce((sum, item, at) => sum + of(item, at), 0);

/** Gauss-Jordan elimination with the largest pivot first. */
function inverted(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, j) => (i === j ? 1 : 0))]);
  for (let column = 0; column < size; column++) {
    let best = column;
    for (let i = column + 1; i < size; i++) {
      if (Math.abs(rows[i]![column]!) > Math.abs(rows[best]![column]!)) best = i;
    }
    [rows[column], rows[best]] = [rows[best]!, rows[column]!];
    const pivot = rows[column]![column]!;
    if (Math.abs(pivot) < 1e-12) throw new RangeError('The terms are not independent');
    rows[column] = rows[column]!.map((value) => value / pivot);
    for (let i = 0; i < size; i++) {
      const factor = rows[i]![column]!;
      if (i !== column) rows[i] = rows[i]!.map((value, j) => value - factor * rows[column]![j]!);
    }
  }
  return rows.map((row) => row.slice(size));
}
