import { cameraGrid, ROWS, rowOf } from './camera-grid.ts';
import { CUT_WIDTH_ERROR, cutDensity, normalDensity } from './explanations.ts';

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
  /** Missing in those of earlier releases: the share of people who were seen whole, of so many, and the sums behind `shape`. */
  readonly whole?: Whole;
}

type ShapeSums = readonly [people: number, off: number, errors: number];
type Whole = readonly [share: number, people: number, ...sums: ShapeSums];

/** Error of a detected box and of how upright people are, one standard deviation of the logarithm of the height. */
const BOX_ERROR = 0.06;
/** The same while learning: larger, so that no camera is certain that is only nearest in the grid. */
const LEARNING_ERROR = 0.1;
/** After so many people with the head in one row the next one counts half. */
const ALIKE = 3;
/** Shares of boxes that look whole and are, and of those whose lower part is hidden; the rest is anything, with this density. */
const WHOLE_SHARE = 0.75;
const CUT_SHARE = 0.125;
const OTHERS = 0.075;
/** Logarithm of the evidence that a seen person gives for a camera for which nobody can stand there. */
const IMPOSSIBLE = Math.log(OTHERS);
/** A camera is left out whose probability is lower than that of the best one by so much, as a logarithm. */
const NONE = -30;
/** The newest so many people count; older ones fade, so that the state follows a slow change. */
const REMEMBERED = 150;
const KEPT = 1 - 1 / REMEMBERED;

/** The share of people who are seen whole counts like so many people before any was seen. */
const FIRST_PEOPLE = 1;

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
  /** Of people seen whole, fading: number, and sums of how far their shape is from the usual one and of its squared errors. */
  #shapeSums: ShapeSums = [0, 0, 0];
  #wholeShare = WHOLE_SHARE;
  /** So many people the share is of; fading. */
  #judged = 0;
  /** By row, computed on demand: undefined where that was not done since the last person. */
  readonly #expected = new Array<Expectation | null | undefined>(ROWS).fill(undefined);

  constructor(known: StandingHeightCheckpoint | null = null) {
    const evidence = known && evidenceOf(known);
    // Those of another release may have other cameras.
    if (known && evidence?.length === this.#grid.cameras) {
      this.#evidence.set(evidence);
      this.#people = known.people;
      this.#seen.set(known.seen);
      [this.#shapeMean, this.#shapeVariance] = known.shape;
      [this.#wholeShare, this.#judged, ...this.#shapeSums] = known.whole ?? wholeOf(known);
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
      whole: [this.#wholeShare, this.#judged, ...this.#shapeSums],
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

  /** Share of the people it learned from who were seen from head to feet. */
  get wholeShare(): number {
    return this.#wholeShare;
  }

  forget(): void {
    this.#evidence.fill(0);
    this.#seen.fill(0);
    this.#people = 0;
    this.#shapeMean = USUAL_SHAPE.mean;
    this.#shapeVariance = USUAL_SHAPE.variance;
    this.#shapeSums = [0, 0, 0];
    this.#wholeShare = WHOLE_SHARE;
    this.#judged = 0;
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
    const byWidth = Math.log(width) + this.#shapeMean;
    const shapely = normalDensity(seen - byWidth, this.#shapeVariance);
    const widthVariance = this.#shapeVariance + CUT_WIDTH_ERROR ** 2;
    // The errors of people with heads at one height are alike, so that many of them say little more than a few.
    const alike = this.#seen[row]!;
    const news = ALIKE / (ALIKE + alike);
    for (let at = 0; at < ROWS; at++) this.#seen[at]! *= KEPT;
    this.#seen[row] = KEPT * alike + 1;
    let whole = 0;
    for (let camera = 0, at = row * cameras; camera < cameras; camera++, at++) {
      const mean = logHeight[at]!;
      let said = IMPOSSIBLE;
      if (!Number.isNaN(mean)) {
        const variance = LEARNING_ERROR ** 2 + deviation[at]! ** 2;
        const asWhole = shapely * normalDensity(seen - mean, variance);
        const asCut = cutDensity(seen, byWidth, { mean, variance }, widthVariance);
        const likelihood = WHOLE_SHARE * asWhole + CUT_SHARE * asCut + OTHERS;
        said = Math.log(likelihood);
        whole += (this.#weight[camera]! * WHOLE_SHARE * asWhole) / likelihood;
      }
      this.#evidence[camera] = KEPT * this.#evidence[camera]! + news * said;
    }
    this.#people = Math.min(REMEMBERED, this.#people + 1);
    this.#learnShare(whole);
    this.#learnShape(seen - Math.log(width), whole);
    this.#weigh();
  }

  /** @param top of the head, fraction of the picture @returns null where no person can be */
  at(top: number): Expectation | null {
    const row = rowOf(top);
    const known = this.#expected[row];
    if (known !== undefined) return known;
    const expected = this.#expect(row);
    this.#expected[row] = expected;
    return expected;
  }

  /** Somebody whose lower part was hidden, so that nothing else is learned from them. */
  learnCut(): void {
    this.#learnShare(0);
  }

  #learnShare(whole: number): void {
    this.#judged = Math.min(REMEMBERED, this.#judged + 1);
    this.#wholeShare += (whole - this.#wholeShare) / (FIRST_PEOPLE + this.#judged);
  }

  /**
   * What is usual keeps its weight, so that a camera that sees only upper bodies never takes their shape for that of people.
   * @param weight 0-1: the probability that the person was seen whole
   */
  #learnShape(shape: number, weight: number): void {
    const squares = weight * (shape - this.#shapeMean) ** 2;
    const [ofPeople, ofOff, ofError] = this.#shapeSums;
    const people = KEPT * ofPeople + weight;
    const off = KEPT * ofOff + weight * (shape - USUAL_SHAPE.mean);
    const error = KEPT * ofError + squares;
    this.#shapeSums = [people, off, error];
    this.#shapeMean = USUAL_SHAPE.mean + off / (USUAL_SHAPE.people + people);
    this.#shapeVariance = (USUAL_SHAPE.people * USUAL_SHAPE.variance + error) / (USUAL_SHAPE.people + people);
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
      const below = this.#weight[camera]! - most;
      const value = below < NONE ? 0 : Math.exp(below);
      this.#weight[camera] = value;
      sum += value;
    }
    for (let camera = 0; camera < cameras; camera++) this.#weight[camera]! /= sum;
    this.#expected.fill(undefined);
  }

  #expect(row: number): Expectation | null {
    const { cameras, logHeight, deviation } = this.#grid;
    let [total, mean, square] = [0, 0, 0];
    for (let camera = 0, at = row * cameras; camera < cameras; camera++, at++) {
      const weight = this.#weight[camera]!;
      const value = logHeight[at]!;
      if (weight === 0 || Number.isNaN(value)) continue;
      total += weight;
      mean += weight * value;
      square += weight * (value ** 2 + deviation[at]! ** 2);
    }
    // Probable cameras without a head here make the others doubtful.
    if (total < 0.5) return null;
    mean /= total;
    return { logHeight: mean, deviation: Math.sqrt(square / total - mean ** 2 + BOX_ERROR ** 2) };
  }
}

/** Of a checkpoint of an earlier release: all people whom it learned from were taken for whole ones. */
function wholeOf({ people, shape: [mean, variance] }: StandingHeightCheckpoint): Whole {
  const all = USUAL_SHAPE.people + people;
  const squares = Math.max(0, variance * all - USUAL_SHAPE.people * USUAL_SHAPE.variance);
  return [WHOLE_SHARE, people, people, (mean - USUAL_SHAPE.mean) * all, squares];
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
