import { height, iou } from '../../../src/vision/geometry.ts';
import { type AnalysisClass, type Box, CLASS_IDS, type Detection } from '../../../src/vision/types.ts';
import type { LabelledImage } from '../../support/footage/labelled-images.ts';
import { mean, sum } from '../../support/numbers.ts';

export interface AveragePrecision {
  /** At IoU .5, 0-1. */
  readonly ap50: number;
  /** Mean over IoU .5, .55 … .95, 0-1. */
  readonly ap: number;
}

/** Detections and truth of one image, all of one class (or of several classes treated as one). */
export interface ImageResult {
  readonly detections: readonly Detection[];
  readonly truth: readonly Box[];
}

/** The classes that are evaluated. */
export const CLASSES = ['person', 'vehicle'] as const satisfies readonly AnalysisClass[];

/** The detections and the truth of one class of objects. */
export function resultOf(
  name: AnalysisClass,
  detections: readonly Detection[],
  { truth }: Pick<LabelledImage, 'truth'>,
): ImageResult {
  const isOfClass = (item: { classId: number }) => CLASS_IDS[name].includes(item.classId);
  return { detections: detections.filter(isOfClass), truth: truth.filter(isOfClass).map(({ box }) => box) };
}

/** COCO uses at most this many detections of an image. */
const MOST_PER_IMAGE = 100;

/** Average precision as COCO computes it: 101 points of recall, precision made monotone. */
export function averagePrecision(images: readonly ImageResult[]): AveragePrecision {
  const thresholds = Array.from({ length: 10 }, (_, i) => 0.5 + 0.05 * i);
  const values = thresholds.map((threshold) => atThreshold(images, threshold));
  return { ap50: values[0]!, ap: mean(values) };
}

function atThreshold(images: readonly ImageResult[], threshold: number): number {
  const total = sum(images.map(({ truth }) => truth.length));
  return areaUnder(
    images.flatMap((image) => matchObjects(image, threshold)),
    total,
  );
}

/** Heights of objects as shares of the height of the image: from, below. */
export const HEIGHTS = {
  small: [0, 0.15],
  middle: [0.15, 0.35],
  large: [0.35, Number.POSITIVE_INFINITY],
} as const;

/**
 * Average precision at IoU .5 for the objects of one range of heights, as COCO does for ranges of areas: other objects, boxes
 * on them, and wrong boxes of other heights do not count.
 * @returns null without such objects
 */
export function averagePrecisionOf(
  range: readonly [from: number, below: number],
  images: readonly ImageResult[],
): number | null {
  const isInside = (box: Box) => height(box) >= range[0] && height(box) < range[1];
  const total = sum(images.map(({ truth }) => truth.filter(isInside).length));
  const matches = images.flatMap((image) => {
    const found = matchObjects({ ...image, truth: image.truth.filter(isInside) }, 0.5);
    const others = image.truth.filter((box) => !isInside(box));
    return found.filter(
      ({ object, box }) => object || (isInside(box) && !others.some((other) => iou(other, box) >= 0.5)),
    );
  });
  return total === 0 ? null : areaUnder(matches, total);
}

/** The area under the curve of precision over recall. @param total objects */
function areaUnder(all: readonly Match[], total: number): number {
  if (total === 0) return Number.NaN;
  const matches = all.toSorted((a, b) => b.score - a.score);
  let right = 0;
  const points = matches.map((detection, i) => {
    if (detection.object) right++;
    return { recall: right / total, precision: right / (i + 1) };
  });
  for (let i = points.length - 2; i >= 0; i--) {
    points[i]!.precision = Math.max(points[i]!.precision, points[i + 1]!.precision);
  }
  let precisions = 0;
  for (let i = 0, at = 0; i <= 100; i++) {
    while (at < points.length && points[at]!.recall < i / 100) at++;
    precisions += points[at]?.precision ?? 0;
  }
  return precisions / 101;
}

/** A detection and the object that it found, or none where it is wrong. */
export interface Match {
  readonly box: Box;
  readonly score: number;
  readonly object: Box | undefined;
}

/** Each detection, those with high scores first, gets the free truth box that it overlaps most. */
export function matchObjects({ detections, truth }: ImageResult, threshold: number): Match[] {
  const free = new Set(truth);
  const strongest = [...detections].sort((a, b) => b.score - a.score).slice(0, MOST_PER_IMAGE);
  return strongest.map(({ box, score }) => {
    let best: Box | undefined;
    let bestIou = threshold;
    for (const candidate of free) {
      const overlap = iou(box, candidate);
      if (overlap >= bestIou) {
        best = candidate;
        bestIou = overlap;
      }
    }
    if (best) free.delete(best);
    return { box, score, object: best };
  });
}
