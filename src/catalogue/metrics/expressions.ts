import { average, rounded } from './arithmetic.ts';
import type { Expression } from './metric.ts';
import type { SumName, Sums } from './sums.ts';

type Counted = {
  [Name in SumName]: Sums[Name] extends number ? Name : never;
}[SumName];

/** A number of people or visits. */
export const count = (name: Counted): Expression => ({
  of: [name],
  value: (sums) => sums[name],
  isCounted: true,
});

/** People or visits of several kinds together. */
export const summed = (names: readonly Counted[]): Expression => ({
  of: names,
  value: (sums) => names.reduce((all, name) => all + sums[name], 0),
  isCounted: true,
});

/** One sum as it is. */
export const plain = (name: SumName): Expression => ({ of: [name], value: (sums) => rounded(sums[name]) });

/** A sum for each of what is counted; null where nothing is. */
export const mean = (sum: SumName, counted: Counted): Expression => ({
  of: [sum, counted],
  value: (sums) => average(sums[sum], sums[counted]),
});

/** Any other number. */
export const made = (of: readonly SumName[], value: Expression['value']): Expression => ({ of, value });
