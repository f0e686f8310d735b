import { area, height, intersection, middleOffset, width } from '../geometry.ts';
import type { Box, Detection } from '../types.ts';

/** Least score of a box that may cover the legs of another person. */
const HIDING_SCORE = 0.3;
/** Least score of a box without legs: a weaker one often holds parts of two people. */
const CUT_SCORE = 0.5;
/** Height of the strip below a box, in heights of the box … */
const STRIP = 0.2;
/** … and the share of it that a nearer box must cover for the legs to be hidden there. */
const HIDDEN = 0.7;

/** The detections of one frame that may lack their legs: they end where a nearer person begins. */
export function cutDetections(detections: readonly Detection[]): Set<Detection> {
  const cut = new Set<Detection>();
  for (const detection of detections) {
    const { box, score } = detection;
    if (score < CUT_SCORE) continue;
    const strip = { ...box, top: box.bottom, bottom: box.bottom + STRIP * height(box) };
    const isHidden = detections.some(
      (other) =>
        other.score >= HIDING_SCORE &&
        other.box.bottom > strip.bottom &&
        intersection(other.box, strip) >= HIDDEN * area(strip),
    );
    if (isHidden) cut.add(detection);
  }
  return cut;
}

/** A cut box has at least the first share of the expected height; from the second one on it is whole. */
const LEAST_SEEN = 0.4;
const WHOLE = 0.92;
/** Largest distance of the head from where it is expected, in expected heights and widths. */
const HEAD_Y = 0.08;
const HEAD_X = 0.3;

/**
 * Extends the box of a person with hidden legs down to the foot point.
 * @param box of a cut detection
 * @param expected the whole person
 * @returns `box` itself if it does not show the upper part of that person
 */
export function withLegs(box: Box, expected: Box): Box {
  const whole = height(expected);
  const seen = height(box) / whole;
  if (seen < LEAST_SEEN || seen > WHOLE) return box;
  const isHeadThere =
    Math.abs(box.top - expected.top) <= HEAD_Y * whole &&
    Math.abs(middleOffset(expected, box)) <= HEAD_X * width(expected);
  return isHeadThere ? { ...box, bottom: box.top + whole } : box;
}
