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

/** People grow and shrink in the frame more slowly than they walk across it. */
const GROWTH_TO_SPEED = 0.25;
const SMALLEST_SIZE = 1e-6;
const NUMBERS = ['value', 'speed', 'vv', 'vs', 'ss'] as const;
type OfAxes = readonly [x: number, y: number, width: number, height: number];

/** The state of a filter, as plain data. */
export type BoxFilterCheckpoint = Readonly<Record<(typeof NUMBERS)[number], OfAxes>>;

const UNKNOWN = { value: 0, speed: 0, vv: 0, vs: 0, ss: 0 };

/** One of the four numbers, and how sure it is. */
interface Axis {
  readonly isSize: boolean;
  /** Measured in box widths, and not in box heights. */
  readonly isAcross: boolean;
  value: number;
  speed: number;
  /** Covariance: value with value, value with speed, speed with speed. */
  vv: number;
  vs: number;
  ss: number;
}

/**
 * Kalman filter of one box: centre x, centre y, width, height, each with its speed per second. The noises are diagonal, so
 * the 8×8 problem is four filters of 2×2. x and width are measured in box widths, y and height in box heights, so the
 * aspect ratio of the frame does not matter.
 */
export class BoxFilter {
  readonly #model: MotionModel;
  readonly #x: Axis = { isSize: false, isAcross: true, ...UNKNOWN };
  readonly #y: Axis = { isSize: false, isAcross: false, ...UNKNOWN };
  readonly #width: Axis = { isSize: true, isAcross: true, ...UNKNOWN };
  readonly #height: Axis = { isSize: true, isAcross: false, ...UNKNOWN };
  readonly #axes = [this.#x, this.#y, this.#width, this.#height] as const;

  /** @param known from `checkpoint()` of an earlier filter, which this one continues */
  constructor(model: MotionModel, box: Box, known: BoxFilterCheckpoint | null = null) {
    this.#model = model;
    if (known) {
      for (const name of NUMBERS)
        [this.#x[name], this.#y[name], this.#width[name], this.#height[name]] = known[name];
      return;
    }
    this.#x.value = (box.left + box.right) / 2;
    this.#y.value = (box.top + box.bottom) / 2;
    this.#width.value = Math.max(width(box), SMALLEST_SIZE);
    this.#height.value = Math.max(height(box), SMALLEST_SIZE);
    for (const axis of this.#axes) {
      axis.vv = (2 * model.measurementNoise * this.#size(axis)) ** 2;
      axis.ss = (model.birthSpeed * this.#speedUnit(axis)) ** 2;
    }
  }

  checkpoint(): BoxFilterCheckpoint {
    const all = (name: (typeof NUMBERS)[number]): OfAxes => [
      this.#x[name],
      this.#y[name],
      this.#width[name],
      this.#height[name],
    ];
    return { value: all('value'), speed: all('speed'), vv: all('vv'), vs: all('vs'), ss: all('ss') };
  }

  /** Writes the estimated box into `box`, without an allocation. */
  writeTo(box: { -readonly [side in keyof Box]: number }): void {
    box.left = this.#x.value - this.#width.value / 2;
    box.right = this.#x.value + this.#width.value / 2;
    box.top = this.#y.value - this.#height.value / 2;
    box.bottom = this.#y.value + this.#height.value / 2;
  }

  /**
   * Negative log likelihood of a detected box, up to a constant. Lengths are box sizes, so near and far objects compare.
   * Student's t instead of a Gaussian, because a box around two people has a large error.
   * @param noise factor on the variance of the measurement
   */
  surprise({ left, top, right, bottom }: Box, noise: number): number {
    return (
      this.#surprise(this.#x, (left + right) / 2, noise) +
      this.#surprise(this.#y, (top + bottom) / 2, noise) +
      this.#surprise(this.#width, right - left, noise) +
      this.#surprise(this.#height, bottom - top, noise)
    );
  }

  /** Changes the position and nothing else, for a camera that moved. */
  shift(dx: number, dy: number): void {
    this.#x.value += dx;
    this.#y.value += dy;
  }

  /** The object has not moved since. Nothing was measured, so that the value and its error stay as they are. */
  rest(): void {
    for (const axis of this.#axes) axis.speed = 0;
  }

  /** Speed to the right and down, in shares of the frame a second. */
  get velocity(): readonly [x: number, y: number] {
    return [this.#x.speed, this.#y.speed];
  }

  /** Predicts `seconds` > 0 ahead. */
  predict(seconds: number): void {
    const { growthMemorySeconds: memory, positionNoise, velocityNoise } = this.#model;
    const kept = Math.exp(-seconds / memory);
    for (const axis of this.#axes) {
      const keep = axis.isSize ? kept : 1;
      const reach = axis.isSize ? memory * (1 - kept) : seconds;
      const { vs, ss } = axis;
      const drift = (positionNoise * this.#size(axis)) ** 2 * seconds;
      const push = (velocityNoise * this.#speedUnit(axis)) ** 2 * seconds;
      axis.value += reach * axis.speed;
      axis.speed *= keep;
      axis.vv += 2 * reach * vs + reach * reach * ss + drift + (push * seconds * seconds) / 3;
      axis.vs = keep * (vs + reach * ss) + (push * seconds) / 2;
      axis.ss = keep * keep * ss + push;
    }
    this.#keepSize();
  }

  /** @param noise factor on the variance of the measurement */
  correct({ left, top, right, bottom }: Box, noise: number): void {
    this.#correct(this.#x, (left + right) / 2, noise);
    this.#correct(this.#y, (top + bottom) / 2, noise);
    this.#correct(this.#width, right - left, noise);
    this.#correct(this.#height, bottom - top, noise);
    this.#keepSize();
  }

  #surprise(axis: Axis, measured: number, noise: number): number {
    const { measurementNoise, tailWeight } = this.#model;
    const size = this.#size(axis);
    const variance = axis.vv / size ** 2 + measurementNoise ** 2 * noise;
    const error = (measured - axis.value) / size;
    return ((tailWeight + 1) * Math.log(1 + error ** 2 / (tailWeight * variance)) + Math.log(variance)) / 2;
  }

  #correct(axis: Axis, measured: number, noise: number): void {
    const { vv, vs } = axis;
    const error = (this.#model.measurementNoise * this.#size(axis)) ** 2 * noise;
    const total = vv + error;
    const surprise = measured - axis.value;
    axis.value += (vv / total) * surprise;
    axis.speed += (vs / total) * surprise;
    axis.vv = (vv * error) / total;
    axis.vs = (vs * error) / total;
    axis.ss -= (vs * vs) / total;
  }

  #keepSize(): void {
    this.#width.value = Math.max(this.#width.value, SMALLEST_SIZE);
    this.#height.value = Math.max(this.#height.value, SMALLEST_SIZE);
  }

  #size({ isAcross }: Axis): number {
    return isAcross ? this.#width.value : this.#height.value;
  }

  #speedUnit(axis: Axis): number {
    return axis.isSize ? GROWTH_TO_SPEED * this.#size(axis) : this.#size(axis);
  }
}
