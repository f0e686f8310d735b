import { AT_EDGE, height, width } from '../geometry.ts';
import type { Box } from '../types.ts';
import { CUT_WIDTH_ERROR, combined, cutDensity, normalDensity } from './explanations.ts';
import type { StandingHeight } from './standing-height.ts';

/** What the model says about a box: its feet are in it, or the whole person is larger. */
export type Judgement =
  | { readonly feet: 'seen'; readonly isSure: boolean }
  | { readonly feet: 'estimated'; readonly whole: Box };

const SEEN: Judgement = { feet: 'seen', isSure: false };
const SURELY_SEEN: Judgement = { feet: 'seen', isSure: true };

/** Share of boxes that end above the feet, before anything else is known of them. */
const CUT_SHARE = 0.3;
/** Share of people who are small, and of those who sit or bend down: their whole box may be half of the usual height. */
const SMALL_SHARE = 0.15;
/** Density of all that is neither, as a head alone: nothing is said of it. */
const OTHER = 0.002;
/** A box counts as cut off from this probability on. */
const CERTAIN = 0.8;
/** A box is surely whole from this probability on. */
const SURE = 0.9;
/** The model decides nothing where the standard deviation of the feet is larger, in heights of the picture. */
const LARGEST_ERROR = 0.06;
/** Where fewer people than this share are seen whole, the camera sees only heads or upper bodies, or looks down too steeply. */
const LEAST_WHOLE = 0.2;
/** Whole people are 2.5 to 2.6 times as high as wide in real footage. Where those who seem whole are wider than this, they are not. */
const LEAST_SHAPE = Math.log(2);

/** Whether the camera sees whole people. */
export const seesWholePeople = ({ wholeShare, shape }: StandingHeight): boolean =>
  wholeShare >= LEAST_WHOLE && shape.mean >= LEAST_SHAPE;

/**
 * Decides whether a box ends above the feet, and where the feet are then. Two explanations are compared: a whole person, who
 * may be small, and a person of the expected height whose lower part is hidden. The height follows from the place of the head
 * and from the width, each weighed by its certainty.
 * @param aspect width over height of the picture
 * @returns null where the model does not know
 */
export function judgeBox(model: StandingHeight, box: Box, aspect: number): Judgement | null {
  if (box.bottom >= 1 - AT_EDGE || box.top <= AT_EDGE) return null;
  const plane = model.at(box.top);
  if (!plane) return null;
  const seen = Math.log(height(box));
  const { shape } = model;
  const byWidth = Math.log(width(box) * aspect) + shape.mean;
  const byPlace = { mean: plane.logHeight, variance: plane.deviation ** 2 };
  const widthVariance = shape.variance + CUT_WIDTH_ERROR ** 2;
  const expected = combined(byPlace, { mean: byWidth, variance: widthVariance });
  const tall = Math.exp(expected.mean);
  if (Math.sqrt(expected.variance) * tall > LARGEST_ERROR) return null;
  const whole =
    normalDensity(seen - byWidth, shape.variance) *
    ((1 - SMALL_SHARE) * normalDensity(seen - byPlace.mean, byPlace.variance) + SMALL_SHARE);
  const cut = cutDensity(seen, byWidth, byPlace, widthVariance);
  const asCut = CUT_SHARE * cut;
  const asWhole = (1 - CUT_SHARE) * whole;
  const all = asCut + asWhole + OTHER;
  if (OTHER > all / 2) return null;
  if (asWhole > SURE * all) return SURELY_SEEN;
  if (asCut < CERTAIN * all || expected.mean <= seen) return SEEN;
  return { feet: 'estimated', whole: { ...box, bottom: box.top + tall } };
}

/** Somebody who sits looks as if cut off at the hip. Who has not walked yet may sit, so that the feet move by no more than this. */
const MOST_MOVED = 0.1;

/** The box down to the feet. @param hasWalked whether the person surely stands, because they walked so */
export function downToFeet(box: Box, whole: Box, hasWalked: boolean): Box {
  return hasWalked || whole.bottom <= box.bottom + MOST_MOVED
    ? whole
    : { ...whole, bottom: box.bottom + MOST_MOVED };
}
