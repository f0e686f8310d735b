import type { ScoreCurve } from '../../src/vision/detect/score-curves.ts';
import { mean, sum } from '../support/numbers.ts';

/** One box that a detector found. */
export interface ScoreSample {
  /** 0-1. */
  readonly raw: number;
  /** Pixels of the network's input. */
  readonly height: number;
  readonly right: boolean;
}

/** Regularisation. Without it there is no fit where one score separates right and wrong boxes. */
const RIDGE = 0.01;
const MOST_STEPS = 100;
const CONVERGED = 1e-9;
/** Share of the right boxes whose heights lie outside the heights of the curve, on each side. */
const TAIL = 0.01;
const EDGE = 1e-6;

/**
 * Logistic regression by Newton's method: the curve with the highest likelihood that exactly the right boxes are right.
 * @param samples some of them right, some wrong
 */
export function fitScores(samples: readonly ScoreSample[]): ScoreCurve {
  const right = samples.filter((sample) => sample.right).map(({ height }) => height);
  if (right.length === 0 || right.length === samples.length) {
    throw new Error(
      `Of ${samples.length} boxes ${right.length} are right: a fit needs right and wrong ones.`,
    );
  }
  const heights = heightsOf(right);
  const logHeight = (height: number) => Math.log(Math.max(heights[0], Math.min(heights[1], height)));
  // Relative to the mean height the coefficients are nearly independent.
  const middle = mean(right.map(logHeight));
  const rows = samples.map(({ raw, height }) => {
    const share = Math.max(EDGE, Math.min(1 - EDGE, raw));
    const x = Math.log(share / (1 - share));
    const h = logHeight(height) - middle;
    return [1, x, h, x * h];
  });
  const [constant = 0, score = 0, byHeight = 0, both = 0] = logisticRegression(
    rows,
    samples.map((sample) => (sample.right ? 1 : 0)),
  );
  const rounded = (value: number) => Number(value.toPrecision(5));
  return {
    constant: rounded(constant - byHeight * middle),
    score: rounded(score - both * middle),
    height: rounded(byHeight),
    scoreByHeight: rounded(both),
    heights,
  };
}

function heightsOf(right: readonly number[]): [number, number] {
  const sorted = [...right].sort((a, b) => a - b);
  const beyond = Math.floor(TAIL * sorted.length);
  const low = Math.max(1, Math.floor(sorted[beyond]!));
  return [low, Math.max(low + 1, Math.ceil(sorted.at(-1 - beyond)!))];
}

/** @param rows features; the first is always 1 @param targets 0 or 1 for each row */
function logisticRegression(rows: readonly number[][], targets: readonly number[]): number[] {
  const count = rows[0]!.length;
  let weights = new Array<number>(count).fill(0);
  let loss = lossOf(weights, rows, targets);
  for (let step = 0; step < MOST_STEPS; step++) {
    const change = newtonStep(weights, rows, targets);
    // A whole step may go too far, so it is halved until the loss decreases.
    let size = 1;
    let next = weights;
    let nextLoss = Number.POSITIVE_INFINITY;
    for (; size > CONVERGED && !(nextLoss <= loss); size /= 2) {
      const length = size;
      next = weights.map((weight, k) => weight - length * change[k]!);
      nextLoss = lossOf(next, rows, targets);
    }
    if (!(nextLoss < loss - CONVERGED)) return weights;
    weights = next;
    loss = nextLoss;
  }
  return weights;
}

const dot = (a: readonly number[], b: readonly number[]): number => sum(a.map((value, k) => value * b[k]!));

function lossOf(weights: readonly number[], rows: readonly number[][], targets: readonly number[]): number {
  let loss = 0;
  for (const [i, row] of rows.entries()) {
    const z = dot(weights, row);
    // log(1 + e^z) without overflow.
    loss += Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - targets[i]! * z;
  }
  return loss + RIDGE * dot(weights.slice(1), weights.slice(1));
}

function newtonStep(
  weights: readonly number[],
  rows: readonly number[][],
  targets: readonly number[],
): number[] {
  const count = weights.length;
  const gradient = weights.map((weight, k) => (k === 0 ? 0 : 2 * RIDGE * weight));
  const curvature = weights.map((_, k) =>
    weights.map((__, l) => (k === l ? (k === 0 ? 1e-12 : 2 * RIDGE) : 0)),
  );
  for (const [i, row] of rows.entries()) {
    const p = 1 / (1 + Math.exp(-dot(weights, row)));
    for (let k = 0; k < count; k++) {
      gradient[k]! += (p - targets[i]!) * row[k]!;
      for (let l = 0; l < count; l++) curvature[k]![l]! += p * (1 - p) * row[k]! * row[l]!;
    }
  }
  return solve(curvature, gradient);
}

/** Gaussian elimination. The matrix is symmetric and positive definite, so it needs no pivoting. */
function solve(matrix: number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, k) => [...row, right[k]!]);
  for (const [k, pivot] of rows.entries()) {
    for (const row of rows.slice(k + 1)) {
      const factor = row[k]! / pivot[k]!;
      for (let l = k; l < row.length; l++) row[l]! -= factor * pivot[l]!;
    }
  }
  const result = new Array<number>(rows.length).fill(0);
  for (let k = rows.length - 1; k >= 0; k--) {
    const known = dot(rows[k]!.slice(k + 1, -1), result.slice(k + 1));
    result[k] = (rows[k]!.at(-1)! - known) / rows[k]![k]!;
  }
  return result;
}
