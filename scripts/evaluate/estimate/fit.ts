import { ERROR_FLOOR, errorLogarithm, errorOf } from '../../../src/catalogue/metrics/expected-error.ts';
import {
  type ErrorModel,
  LINE_FEATURES,
  type LineFeature,
  type LineSums,
} from '../../../src/catalogue/metrics/line-features.ts';
import { quantile, rounded, sum } from '../../support/numbers.ts';

/** A time whose error is known. */
export interface Example {
  /** Where it is from: a model is judged on groups on which it was not fitted. */
  readonly group: string;
  readonly sums: LineSums;
  readonly errorPercent: number;
}

/** Weight of the penalty, in examples. */
const RIDGE = 3;
/** Features are cut at these shares of the examples, so that nothing is concluded beyond them. */
const EDGES = [0.01, 0.99] as const;
/** Larger errors say no more. */
const LARGEST_ERROR = 200;
/** Features with less are left out. */
const LEAST_WEIGHT = 0.001;

const targetOf = ({ errorPercent }: Example): number =>
  Math.log(Math.min(LARGEST_ERROR, errorPercent) + ERROR_FLOOR);

/** Rounds of coordinate descent; tens are enough. */
const ROUNDS = 300;

const within = (value: number, [least, most]: readonly [number, number]): number =>
  Math.min(most, Math.max(least, value));

/**
 * Monotone ridge regression of the logarithm of the error: no weight is below 0, because each feature grows with the error.
 * Every group has the same weight.
 */
export function fitModel(examples: readonly Example[], names: readonly LineFeature[]): ErrorModel {
  const sizes = new Map<string, number>();
  for (const { group } of examples) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const weights = examples.map(({ group }) => examples.length / sizes.size / sizes.get(group)!);
  const mean = (values: readonly number[]) =>
    sum(values.map((value, at) => value * weights[at]!)) / sum(weights);
  const columns = names.map((name) => {
    const found = examples.map(({ sums }) => LINE_FEATURES[name](sums));
    const edges = [quantile(found, EDGES[0]), quantile(found, EDGES[1])] as const;
    const cut = found.map((value) => within(value, edges));
    const middle = mean(cut);
    const spread = Math.sqrt(mean(cut.map((value) => (value - middle) ** 2))) || 1;
    return { name, edges, middle, spread, values: cut.map((value) => (value - middle) / spread) };
  });
  const targets = examples.map(targetOf);
  const bias = mean(targets);
  const rest = targets.map((target) => target - bias);
  const found = names.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { values }] of columns.entries()) {
      const before = found[at]!;
      const pull = sum(values.map((value, row) => weights[row]! * value * (rest[row]! + before * value)));
      const size = sum(values.map((value, row) => weights[row]! * value * value)) + RIDGE;
      const after = Math.max(0, pull / size);
      for (const [row, value] of values.entries()) rest[row]! += (before - after) * value;
      found[at] = after;
    }
  }
  const used = columns.flatMap(({ name, edges, middle, spread }, at) => {
    const weight = found[at]! / spread;
    return weight < LEAST_WEIGHT ? [] : [{ name, edges, weight, middle }];
  });
  return {
    bias: rounded(bias - sum(used.map(({ weight, middle }) => weight * middle)), 4),
    weights: Object.fromEntries(
      used.map(({ name, edges: [least, most], weight }) => [
        name,
        { least: rounded(least, 4), most: rounded(most, 4), weight: rounded(weight, 4) },
      ]),
    ),
    ...{ low: 0, high: 0 },
  };
}

export interface Judged {
  readonly example: Example;
  readonly expected: number;
  readonly residual: number;
}

/** @param logarithm of the error that is expected */
export const judged = (example: Example, logarithm: number): Judged => ({
  ...{ example, expected: errorOf(logarithm), residual: targetOf(example) - logarithm },
});
export const judgedBy = (model: ErrorModel, example: Example): Judged =>
  judged(example, errorLogarithm(model, example.sums));

/** Each example judged by a model that was fitted on the other groups. */
export function judgeUnseen(examples: readonly Example[], names: readonly LineFeature[]): Judged[] {
  return [...new Set(examples.map(({ group }) => group))].flatMap((unseen) => {
    const model = fitModel(
      examples.filter(({ group }) => group !== unseen),
      names,
    );
    return examples.filter(({ group }) => group === unseen).map((example) => judgedBy(model, example));
  });
}

/** The model of all examples, with the range in which 8 of 10 unseen errors lie. */
export function fitWithRange(
  examples: readonly Example[],
  names: readonly LineFeature[],
  unseen: readonly Judged[],
): ErrorModel {
  const residuals = unseen.map(({ residual }) => residual);
  return {
    ...fitModel(examples, names),
    ...{ low: rounded(quantile(residuals, 0.1), 4), high: rounded(quantile(residuals, 0.9), 4) },
  };
}
