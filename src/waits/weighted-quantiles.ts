/** Median, mean, and the 10 % and 90 % quantiles of the values, each with a weight. */
export function weightedQuantiles(
  values: Float64Array,
  weightOf: (value: number) => number,
): { readonly median: number; readonly mean: number; readonly low: number; readonly high: number } {
  // Sorted in place: the order of the futures means nothing.
  values.sort();
  let weights = 0;
  let sum = 0;
  for (const value of values) {
    const weight = weightOf(value);
    weights += weight;
    sum += weight * value;
  }
  const quantile = (share: number): number => {
    let [passed, reached] = [0, Number.NaN];
    for (const value of values) {
      reached = value;
      passed += weightOf(value);
      if (passed >= share * weights) break;
    }
    return reached;
  };
  return { median: quantile(0.5), mean: sum / weights, low: quantile(0.1), high: quantile(0.9) };
}
