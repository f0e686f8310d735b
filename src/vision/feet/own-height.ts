import { height, width } from '../geometry.ts';
import type { Box } from '../types.ts';

/** The state of an `OwnHeight`, as plain data. */
export type OwnHeightCheckpoint = readonly [
  logHeight: number,
  variance: number,
  shape: number,
  cut: number,
  seconds: number,
  top: number,
  bottom: number,
];

/** How fast the height of a person in the picture changes: a logarithm per √second. */
const GROWTH = 0.1;
/** Error of the height of a whole box, one standard deviation of the logarithm. */
const BOX_ERROR = 0.06;
/** Error of the height that follows from the width of the box, one standard deviation of the logarithm: arms and turns change the width. */
const WIDTH_ERROR = 0.15;
/** An arm or a turn changes the width for this long, so several frames within it say little more than one. */
const WIDTH_ERROR_SECONDS = 1;
/** Share of boxes that end above the feet, before anything else is known of them. */
const CUT_SHARE = 0.3;
/** After so long the last box says little about whether this one is cut off. */
const CUT_SECONDS = 2;
/** The shape of a person follows their boxes in so long: they turn, and put down what they carry. */
const SHAPE_SECONDS = 3;
/** Range of the hidden part, as a logarithm of the height: a box has at least .35 of the person. */
const MOST_HIDDEN = -Math.log(0.35);
/** A box counts as cut off from this probability on. */
const CERTAIN = 0.8;
/** Nothing is decided where the standard deviation of the feet is larger, in heights of the picture. */
const LARGEST_ERROR = 0.06;
/** A box that is higher than was expected by so many standard deviations shows that the boxes before were cut off. */
const HIGHER = 2.5;
/** Somebody who bends down has the head lower by more than this share of their height, and the feet where they were. */
const BENT = 0.1;

/**
 * How tall one person is in the picture, from their own boxes. It finds their feet where the place of the head says nothing, as with
 * a camera at eye level: the height of who was seen whole changes slowly, and the width of the box shows how they come
 * nearer. Its uncertainty grows while they are cut off.
 */
export class OwnHeight {
  #logHeight: number;
  #variance = BOX_ERROR ** 2;
  /** Logarithm of height over width. */
  #shape: number;
  /** Probability that the last box ended above the feet. */
  #cut = CUT_SHARE;
  /** Since the last box. */
  #seconds = 0;
  /** Where head and feet were while the person stood. */
  #top: number;
  #bottom: number;

  /** @param box the first one of the person */
  constructor(box: Box, known: OwnHeightCheckpoint | null = null) {
    this.#logHeight = Math.log(height(box));
    this.#shape = this.#logHeight - Math.log(width(box));
    this.#top = box.top;
    this.#bottom = box.bottom;
    if (!known) return;
    [this.#logHeight, this.#variance, this.#shape, this.#cut, this.#seconds, this.#top, this.#bottom] = known;
  }

  checkpoint(): OwnHeightCheckpoint {
    return [this.#logHeight, this.#variance, this.#shape, this.#cut, this.#seconds, this.#top, this.#bottom];
  }

  predict(seconds: number): void {
    this.#seconds += seconds;
    this.#variance += GROWTH ** 2 * seconds;
    this.#cut = CUT_SHARE + Math.exp(-seconds / CUT_SECONDS) * (this.#cut - CUT_SHARE);
  }

  /** For a camera that moved. */
  shift(dy: number): void {
    this.#top += dy;
    this.#bottom += dy;
  }

  /** @returns the box down to the feet; null where it shows them, or where nobody knows how far it is to them */
  whole(box: Box): Box | null {
    if (this.#cutProbability(box) < CERTAIN) return null;
    const { logHeight, variance } = this.#expected(box);
    const tall = Math.exp(logHeight);
    const isBent = box.top - this.#top > BENT * tall && Math.abs(box.bottom - this.#bottom) < BENT * tall;
    if (isBent) return null;
    if (tall <= height(box) || Math.sqrt(variance) * tall > LARGEST_ERROR) return null;
    return { ...box, bottom: box.top + tall };
  }

  /** @param isWhole whether something else says that this is the whole person */
  see(box: Box, isWhole: boolean): void {
    const seconds = this.#seconds;
    this.#seconds = 0;
    const seen = Math.log(height(box));
    const shape = seen - Math.log(width(box));
    const error = seen - this.#logHeight;
    this.#cut = isWhole ? 0 : this.#cutProbability(box);
    if (error > HIGHER * Math.sqrt(this.#variance + BOX_ERROR ** 2)) {
      [this.#logHeight, this.#variance, this.#shape] = [seen, BOX_ERROR ** 2, shape];
      this.#top = box.top;
      this.#bottom = box.bottom;
      return;
    }
    const widthVariance =
      WIDTH_ERROR ** 2 * Math.max(1, WIDTH_ERROR_SECONDS / Math.max(seconds, SHORTEST_SECONDS));
    const byWidth = (this.#cut * this.#variance) / (this.#variance + widthVariance);
    const byHeight = ((1 - this.#cut) * this.#variance) / (this.#variance + BOX_ERROR ** 2);
    this.#logHeight += byWidth * (seen - shape + this.#shape - this.#logHeight) + byHeight * error;
    this.#variance *= (1 - byWidth) * (1 - byHeight);
    const news = (1 - this.#cut) * (1 - Math.exp(-seconds / SHAPE_SECONDS));
    this.#shape += news * (shape - this.#shape);
    this.#top += news * (box.top - this.#top);
    this.#bottom += news * (box.bottom - this.#bottom);
  }

  /** Of the whole person, by what was seen before and by the width of this box. */
  #expected(box: Box): { readonly logHeight: number; readonly variance: number } {
    const byWidth = Math.log(width(box)) + this.#shape;
    const variance = 1 / (1 / this.#variance + 1 / WIDTH_ERROR ** 2);
    return {
      logHeight: variance * (this.#logHeight / this.#variance + byWidth / WIDTH_ERROR ** 2),
      variance,
    };
  }

  /** Compares two explanations: the whole person, and one of the known height whose lower part is hidden. */
  #cutProbability(box: Box): number {
    const seen = Math.log(height(box));
    const missing = this.#expected(box).logHeight - seen;
    if (missing <= 0 || missing >= MOST_HIDDEN) return 0;
    const byWidth = Math.log(width(box)) + this.#shape;
    const whole =
      density(seen - this.#logHeight, this.#variance + BOX_ERROR ** 2) *
      density(byWidth - seen, WIDTH_ERROR ** 2);
    const cut = density(byWidth - this.#logHeight, WIDTH_ERROR ** 2 + this.#variance) / MOST_HIDDEN;
    const share = this.#cut * cut;
    return share > 0 ? share / (share + (1 - this.#cut) * whole) : 0;
  }
}

const SHORTEST_SECONDS = 0.001;

const density = (error: number, variance: number): number =>
  Math.exp(-(error ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
