import { height, width } from '../geometry.ts';
import type { Box } from '../types.ts';

/** How objects move and how detectors err, relative to the size of the object's box. */
export interface MotionModel {
  /** Error of a detected position or size, one standard deviation, in box sizes. */
  readonly measurementNoise: number;
  /** Random change of position and size: box sizes per √second. */
  readonly positionNoise: number;
  /** Random change of the speed: box sizes per second per √second. */
  readonly velocityNoise: number;
  /** Time without a detection after which the predicted growth of the box has sunk to 1/e. Its speed stays. */
  readonly growthMemorySeconds: number;
  /** Speed of a new object, one standard deviation, in box sizes per second. */
  readonly birthSpeed: number;
  /** Degrees of freedom of the errors (Student's t): the smaller, the more often they are large. */
  readonly tailWeight: number;
}

/** The state of a filter, as plain data: four numbers each. */
export interface BoxFilterCheckpoint {
  readonly value: readonly number[];
  readonly speed: readonly number[];
  readonly vv: readonly number[];
  readonly vs: readonly number[];
  readonly ss: readonly number[];
}

const DIMENSIONS = 4;
const FIRST_SIZE = 2;
/** People grow and shrink in the frame more slowly than they walk across it. */
const GROWTH_TO_SPEED = 0.25;
const SMALLEST_SIZE = 1e-6;

/**
 * Kalman filter of one box: centre x, centre y, width, height, each with its speed per second. The noises are diagonal, so
 * the 8×8 problem is four filters of 2×2. x and width are measured in box widths, y and height in box heights, so the
 * aspect ratio of the frame does not matter.
 */
export class BoxFilter {
  readonly #model: MotionModel;
  readonly #value = new Float64Array(DIMENSIONS);
  readonly #speed = new Float64Array(DIMENSIONS);
  /** Covariance: value with value, value with speed, speed with speed. */
  readonly #vv = new Float64Array(DIMENSIONS);
  readonly #vs = new Float64Array(DIMENSIONS);
  readonly #ss = new Float64Array(DIMENSIONS);

  /** @param known from `checkpoint()` of an earlier filter, which this one continues */
  constructor(model: MotionModel, box: Box, known: BoxFilterCheckpoint | null = null) {
    this.#model = model;
    if (known) {
      this.#value.set(known.value);
      this.#speed.set(known.speed);
      this.#vv.set(known.vv);
      this.#vs.set(known.vs);
      this.#ss.set(known.ss);
      return;
    }
    this.#value.set([
      (box.left + box.right) / 2,
      (box.top + box.bottom) / 2,
      Math.max(width(box), SMALLEST_SIZE),
      Math.max(height(box), SMALLEST_SIZE),
    ]);
    for (let d = 0; d < DIMENSIONS; d++) {
      this.#vv[d] = (2 * model.measurementNoise * this.#size(d)) ** 2;
      this.#ss[d] = (model.birthSpeed * this.#speedUnit(d)) ** 2;
    }
  }

  checkpoint(): BoxFilterCheckpoint {
    const [value, speed, vv, vs, ss] = [this.#value, this.#speed, this.#vv, this.#vs, this.#ss].map(
      (numbers) => [...numbers],
    ) as [number[], number[], number[], number[], number[]];
    return { value, speed, vv, vs, ss };
  }

  /** Writes the estimated box into `box`, without an allocation. */
  writeTo(box: { -readonly [side in keyof Box]: number }): void {
    const value = this.#value;
    box.left = value[0]! - value[2]! / 2;
    box.right = value[0]! + value[2]! / 2;
    box.top = value[1]! - value[3]! / 2;
    box.bottom = value[1]! + value[3]! / 2;
  }

  /**
   * Negative log likelihood of a detected box, up to a constant. Lengths are box sizes, so near and far objects compare.
   * Student's t instead of a Gaussian, because a box around two people has a large error.
   * @param noise factor on the variance of the measurement
   */
  surprise({ left, top, right, bottom }: Box, noise: number): number {
    return (
      this.#surprise(0, (left + right) / 2, noise) +
      this.#surprise(1, (top + bottom) / 2, noise) +
      this.#surprise(2, right - left, noise) +
      this.#surprise(3, bottom - top, noise)
    );
  }

  /** Changes the position and nothing else, for a camera that moved. */
  shift(dx: number, dy: number): void {
    this.#value[0]! += dx;
    this.#value[1]! += dy;
  }

  /** The object has not moved since. Nothing was measured, so that the value and its error stay as they are. */
  rest(): void {
    this.#speed.fill(0);
  }

  /** Speed to the right and down, in shares of the frame a second. */
  get velocity(): readonly [x: number, y: number] {
    return [this.#speed[0]!, this.#speed[1]!];
  }

  /** Predicts `seconds` > 0 ahead. */
  predict(seconds: number): void {
    const { growthMemorySeconds: memory, positionNoise, velocityNoise } = this.#model;
    const kept = Math.exp(-seconds / memory);
    for (let d = 0; d < DIMENSIONS; d++) {
      const keep = d < FIRST_SIZE ? 1 : kept;
      const reach = d < FIRST_SIZE ? seconds : memory * (1 - kept);
      const vs = this.#vs[d]!;
      const ss = this.#ss[d]!;
      const drift = (positionNoise * this.#size(d)) ** 2 * seconds;
      const push = (velocityNoise * this.#speedUnit(d)) ** 2 * seconds;
      this.#value[d]! += reach * this.#speed[d]!;
      this.#speed[d]! *= keep;
      this.#vv[d]! += 2 * reach * vs + reach * reach * ss + drift + (push * seconds * seconds) / 3;
      this.#vs[d] = keep * (vs + reach * ss) + (push * seconds) / 2;
      this.#ss[d] = keep * keep * ss + push;
    }
    this.#keepSize();
  }

  /** @param noise factor on the variance of the measurement */
  correct({ left, top, right, bottom }: Box, noise: number): void {
    this.#correct(0, (left + right) / 2, noise);
    this.#correct(1, (top + bottom) / 2, noise);
    this.#correct(2, right - left, noise);
    this.#correct(3, bottom - top, noise);
    this.#keepSize();
  }

  #surprise(d: number, measured: number, noise: number): number {
    const { measurementNoise, tailWeight } = this.#model;
    const size = this.#size(d);
    const variance = this.#vv[d]! / size ** 2 + measurementNoise ** 2 * noise;
    const error = (measured - this.#value[d]!) / size;
    return ((tailWeight + 1) * Math.log(1 + error ** 2 / (tailWeight * variance)) + Math.log(variance)) / 2;
  }

  #correct(d: number, measured: number, noise: number): void {
    const vv = this.#vv[d]!;
    const vs = this.#vs[d]!;
    const error = (this.#model.measurementNoise * this.#size(d)) ** 2 * noise;
    const total = vv + error;
    const surprise = measured - this.#value[d]!;
    this.#value[d]! += (vv / total) * surprise;
    this.#speed[d]! += (vs / total) * surprise;
    this.#vv[d] = (vv * error) / total;
    this.#vs[d] = (vs * error) / total;
    this.#ss[d]! -= (vs * vs) / total;
  }

  #keepSize(): void {
    for (let d = FIRST_SIZE; d < DIMENSIONS; d++) {
      if (this.#value[d]! < SMALLEST_SIZE) this.#value[d] = SMALLEST_SIZE;
    }
  }

  /** Width for x and width, height for y and height. */
  #size(d: number): number {
    return d % 2 === 0 ? this.#value[2]! : this.#value[3]!;
  }

  #speedUnit(d: number): number {
    return d < FIRST_SIZE ? this.#size(d) : GROWTH_TO_SPEED * this.#size(d);
  }
}
