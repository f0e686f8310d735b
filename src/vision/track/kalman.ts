import type { Box } from '../types.ts';

/** How objects move and how detectors err, relative to the object's own size. */
export interface MotionModel {
  /** Error of a detected edge, one standard deviation, in widths or heights. */
  readonly measurementNoise: number;
  /** Restlessness of the place, in sizes per √second. */
  readonly positionNoise: number;
  /** Restlessness of the speed, in sizes per second per √second. */
  readonly velocityNoise: number;
  /** After this long unobserved a speed has sunk to 1/e. */
  readonly velocityMemorySeconds: number;
  /** The same for the growth of width and height. */
  readonly growthMemorySeconds: number;
  /** Unknown speed of a new object, one standard deviation, in sizes per second. */
  readonly birthSpeed: number;
}

const DIMENSIONS = 4;

/**
 * Kalman filter of one box: centre x, centre y, width, height, each with its speed per second. The noises are
 * diagonal, so it is four filters of two states, each of them 2×2. x and width are measured in box widths, y and
 * height in box heights: the result does not depend on the picture's aspect.
 */
export class BoxFilter {
  readonly #model: MotionModel;
  readonly #value = new Float64Array(DIMENSIONS);
  readonly #speed = new Float64Array(DIMENSIONS);
  /** Covariance of value and speed: vv, vs, ss. */
  readonly #vv = new Float64Array(DIMENSIONS);
  readonly #vs = new Float64Array(DIMENSIONS);
  readonly #ss = new Float64Array(DIMENSIONS);

  constructor(model: MotionModel, box: Box) {
    this.#model = model;
    this.#value[0] = (box.left + box.right) / 2;
    this.#value[1] = (box.top + box.bottom) / 2;
    this.#value[2] = box.right - box.left;
    this.#value[3] = box.bottom - box.top;
    for (let d = 0; d < DIMENSIONS; d++) {
      const size = this.#size(d);
      const growing = d >= 2 ? 0.25 : 1;
      this.#vv[d] = (2 * model.measurementNoise * size) ** 2;
      this.#ss[d] = (model.birthSpeed * growing * size) ** 2;
    }
  }

  get x(): number {
    return this.#value[0]!;
  }
  get y(): number {
    return this.#value[1]!;
  }
  get width(): number {
    return this.#value[2]!;
  }
  get height(): number {
    return this.#value[3]!;
  }
  get speedX(): number {
    return this.#speed[0]!;
  }
  get speedY(): number {
    return this.#speed[1]!;
  }

  /** Standard deviation of the centre, in widths and heights. */
  get spreadX(): number {
    return Math.sqrt(this.#vv[0]!) / this.#size(0);
  }
  get spreadY(): number {
    return Math.sqrt(this.#vv[1]!) / this.#size(1);
  }

  copyFrom(other: BoxFilter): void {
    this.#value.set(other.#value);
    this.#speed.set(other.#speed);
    this.#vv.set(other.#vv);
    this.#vs.set(other.#vs);
    this.#ss.set(other.#ss);
  }

  /** Moves on by `seconds`. */
  predict(seconds: number): void {
    if (seconds <= 0) return;
    const model = this.#model;
    for (let d = 0; d < DIMENSIONS; d++) {
      const size = this.#size(d);
      const memory = d >= 2 ? model.growthMemorySeconds : model.velocityMemorySeconds;
      const keep = Math.exp(-seconds / memory);
      const way = memory * (1 - keep);
      const vv = this.#vv[d]!;
      const vs = this.#vs[d]!;
      const ss = this.#ss[d]!;
      this.#value[d]! += way * this.#speed[d]!;
      this.#speed[d]! *= keep;
      const place = (model.positionNoise * size) ** 2 * seconds;
      const push = (model.velocityNoise * size * (d >= 2 ? 0.25 : 1)) ** 2 * seconds;
      this.#vv[d] = vv + 2 * way * vs + way * way * ss + place + (push * seconds * seconds) / 3;
      this.#vs[d] = keep * (vs + way * ss) + (push * seconds) / 2;
      this.#ss[d] = keep * keep * ss + push;
    }
    const value = this.#value;
    value[2] = Math.max(value[2]!, 1e-6);
    value[3] = Math.max(value[3]!, 1e-6);
  }

  /** @param noise factor on the measurement's noise */
  correct(box: Box, noise: number): void {
    this.#correct(0, (box.left + box.right) / 2, noise);
    this.#correct(1, (box.top + box.bottom) / 2, noise);
    this.#correct(2, box.right - box.left, noise);
    this.#correct(3, box.bottom - box.top, noise);
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

  #size(d: number): number {
    return d % 2 === 0 ? this.#value[2]! : this.#value[3]!;
  }
}
