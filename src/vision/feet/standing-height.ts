import { cameraGrid, ROWS, rowOf } from './camera-grid.ts';

/** How tall a standing person is in the picture: a logarithm in heights of the picture, and its standard deviation. */
export interface Expectation {
  readonly logHeight: number;
  readonly deviation: number;
}

/** The state of a model, as plain data. */
export interface StandingHeightCheckpoint {
  /** Logarithm of what the people seen say about each camera of the grid; as text rounded, to save space. */
  readonly evidence: readonly number[] | string;
  readonly people: number;
  /** People by row of the head; fading. */
  readonly seen: readonly number[];
  /** Logarithm of height over width of a person: mean, and variance. */
  readonly shape: readonly [mean: number, variance: number];
}

/** Error of a detected box and of how upright people are, one standard deviation of the logarithm of the height. */
const BOX_ERROR = 0.06;
/** The same while learning: larger, so that no camera is certain that is only nearest in the grid. */
const LEARNING_ERROR = 0.1;
/** After so many people with the head in one row the next one counts half. */
const ALIKE = 3;
/** Share of boxes that look whole and are. The others are anything between half of a person and more than one. */
const WHOLE_SHARE = 0.75;
const DENSITY_OF_OTHERS = 0.6;
/** The newest so many people count; older ones fade, so that the state follows a slow change. */
const REMEMBERED = 150;

/** Height over width of a standing person before any was seen. It counts like so many people. */
const USUAL_SHAPE = { mean: Math.log(2.6), variance: 0.2 ** 2, people: 12 };

/**
 * Learns from people who are seen from head to feet how tall a standing person is at each place of the picture: how
 * probable each possible camera is. Vague at first; where all heads are at one height it stays vague elsewhere.
 */
export class StandingHeight {
  readonly #grid = cameraGrid();
  readonly #evidence = new Float64Array(this.#grid.cameras);
  readonly #weight = new Float64Array(this.#grid.cameras);
  /** People learned from, by row; fading. */
  readonly #seen = new Float64Array(ROWS);
  #people = 0;
  #shapeMean = USUAL_SHAPE.mean;
  #shapeVariance = USUAL_SHAPE.variance;
  /** By row, computed on demand: NaN where it is not known. */
  readonly #mean = new Float64Array(ROWS);
  readonly #deviation = new Float64Array(ROWS).fill(-1);

  constructor(known: StandingHeightCheckpoint | null = null) {
    const evidence = known && evidenceOf(known);
    // Those of another release may have other cameras.
    if (known && evidence?.length === this.#grid.cameras) {
      this.#evidence.set(evidence);
      this.#people = known.people;
      this.#seen.set(known.seen);
      [this.#shapeMean, this.#shapeVariance] = known.shape;
    }
    this.#weigh();
  }

  /** @param isExact otherwise the evidence is rounded */
  checkpoint(isExact: boolean): StandingHeightCheckpoint {
    return {
      evidence: isExact ? [...this.#evidence] : asText(this.#evidence),
      people: this.#people,
      seen: isExact ? [...this.#seen] : [...this.#seen].map((people) => Math.round(people * 10) / 10),
      shape: [this.#shapeMean, this.#shapeVariance],
    };
  }

  /** So many people were learned from. */
  get people(): number {
    return this.#people;
  }

  /** Logarithm of height over width of a standing person. */
  get shape(): { readonly mean: number; readonly variance: number } {
    return { mean: this.#shapeMean, variance: this.#shapeVariance };
  }

  forget(): void {
    this.#evidence.fill(0);
    this.#seen.fill(0);
    this.#people = 0;
    this.#shapeMean = USUAL_SHAPE.mean;
    this.#shapeVariance = USUAL_SHAPE.variance;
    this.#weigh();
  }

  /**
   * @param top of the box of a person who may be seen whole, fraction of the picture; its height likewise
   * @param width of the box, in heights of the picture
   */
  learn(top: number, height: number, width: number): void {
    const { cameras, logHeight, deviation } = this.#grid;
    const row = rowOf(top);
    const seen = Math.log(height);
    const kept = 1 - 1 / REMEMBERED;
    // The errors of people with heads at one height are alike, so that many of them say little more than a few.
    const news = ALIKE / (ALIKE + this.#seen[row]!);
    for (let at = 0; at < ROWS; at++) this.#seen[at]! *= kept;
    this.#seen[row]!++;
    let whole = 0;
    for (let camera = 0; camera < cameras; camera++) {
      const density = densityOf(seen, logHeight[camera * ROWS + row]!, deviation[camera * ROWS + row]!);
      const likelihood = WHOLE_SHARE * density + (1 - WHOLE_SHARE) * DENSITY_OF_OTHERS;
      this.#evidence[camera] = kept * this.#evidence[camera]! + news * Math.log(likelihood);
      whole += (this.#weight[camera]! * WHOLE_SHARE * density) / likelihood;
    }
    this.#people = Math.min(REMEMBERED, this.#people + 1);
    this.#learnShape(seen - Math.log(width), whole);
    this.#weigh();
  }

  /** @param top of the head, fraction of the picture @returns null where no person can be */
  at(top: number): Expectation | null {
    const row = rowOf(top);
    if (this.#deviation[row] === -1) this.#expect(row);
    const deviation = this.#deviation[row]!;
    return Number.isNaN(deviation) ? null : { logHeight: this.#mean[row]!, deviation };
  }

  /** @param weight 0-1: the probability that the person was seen whole */
  #learnShape(shape: number, weight: number): void {
    const share = weight / (USUAL_SHAPE.people + this.#people);
    const error = shape - this.#shapeMean;
    this.#shapeMean += share * error;
    this.#shapeVariance += share * (error ** 2 - this.#shapeVariance);
  }

  /** Probabilities of the cameras, out of prior and evidence. */
  #weigh(): void {
    const { cameras, prior } = this.#grid;
    let most = Number.NEGATIVE_INFINITY;
    for (let camera = 0; camera < cameras; camera++) {
      const value = prior[camera]! + this.#evidence[camera]!;
      this.#weight[camera] = value;
      if (value > most) most = value;
    }
    let sum = 0;
    for (let camera = 0; camera < cameras; camera++) {
      const value = Math.exp(this.#weight[camera]! - most);
      this.#weight[camera] = value;
      sum += value;
    }
    for (let camera = 0; camera < cameras; camera++) this.#weight[camera]! /= sum;
    this.#deviation.fill(-1);
  }

  #expect(row: number): void {
    const { cameras, logHeight, deviation } = this.#grid;
    let [total, mean, square] = [0, 0, 0];
    for (let camera = 0; camera < cameras; camera++) {
      const value = logHeight[camera * ROWS + row]!;
      if (Number.isNaN(value)) continue;
      const weight = this.#weight[camera]!;
      total += weight;
      mean += weight * value;
      square += weight * (value ** 2 + deviation[camera * ROWS + row]! ** 2);
    }
    mean /= total;
    this.#mean[row] = mean;
    // Probable cameras without a head here make the others doubtful.
    this.#deviation[row] = total < 0.5 ? Number.NaN : Math.sqrt(square / total - mean ** 2 + BOX_ERROR ** 2);
  }
}

/** Of the logarithm of a height under a camera; 0 where that camera has no head there. */
function densityOf(seen: number, expected: number, deviation: number): number {
  if (Number.isNaN(expected)) return 0;
  const variance = LEARNING_ERROR ** 2 + deviation ** 2;
  return Math.exp(-((seen - expected) ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
}

/** Steps of the rounded evidence in a byte; cameras that are less probable than the least one by more than it holds are as good as impossible. */
const STEPS = 10;

function asText(evidence: Float64Array): string {
  const most = evidence.reduce((a, b) => Math.max(a, b));
  return Buffer.from(evidence.map((value) => Math.min(255, Math.round((most - value) * STEPS)))).toString(
    'base64',
  );
}

const evidenceOf = ({ evidence }: StandingHeightCheckpoint): readonly number[] =>
  typeof evidence === 'string' ? [...Buffer.from(evidence, 'base64')].map((byte) => -byte / STEPS) : evidence;
