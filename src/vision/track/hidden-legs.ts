import { area, height, intersection, width } from '../geometry.ts';
import type { Box, Detection } from '../types.ts';

/** Least score of a box that may stand before another's legs. */
const HIDING_SCORE = 0.3;
/** Least score of a box that ends there: a weaker one often holds parts of two people. */
const CUT_SCORE = 0.5;
/** The strip beneath a box that is looked at, in heights of the box … */
const STRIP = 0.2;
/** … and the part of it that somebody nearer covers where legs are hidden. */
const HIDDEN = 0.7;

/** Of one frame: detections that end where somebody nearer to the camera begins, so that they may go on behind. */
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

/** Of somebody cut, this part at least is seen, in expected heights; from the second one on they are whole. */
const LEAST_SEEN = 0.4;
const WHOLE = 0.92;
/** The head is where it was expected: so far off at most, in expected heights and widths. */
const HEAD_Y = 0.08;
const HEAD_X = 0.3;

/**
 * The box of somebody whose legs are hidden, down to where their feet must be.
 * @param box of a cut detection
 * @param expected the whole person
 * @returns `box` itself if it does not show that person's upper part
 */
export function withLegs(box: Box, expected: Box): Box {
  const whole = height(expected);
  const seen = height(box) / whole;
  const dx = (box.left + box.right - expected.left - expected.right) / 2;
  if (seen < LEAST_SEEN || seen > WHOLE) return box;
  if (Math.abs(box.top - expected.top) > HEAD_Y * whole || Math.abs(dx) > HEAD_X * width(expected))
    return box;
  return { ...box, bottom: box.top + whole };
}
