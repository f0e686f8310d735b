import { iou } from '../../../src/vision/geometry.ts';
import { type AnalysisClass, type Box, CLASS_IDS, type Detection } from '../../../src/vision/types.ts';
import type { LabelledImage } from '../../support/labelled-images.ts';

export interface AveragePrecision {
  /** At IoU .5, 0-1. */
  readonly ap50: number;
  /** Mean over IoU .5, .55 … .95, 0-1. */
  readonly ap: number;
}

/** Detections and truth of one picture, all of one class (or of classes pooled as one). */
export interface PictureResult {
  readonly detections: readonly Detection[];
  readonly truth: readonly Box[];
}

/** The part of what was found and of what is there that belongs to one class of objects. */
export function resultOf(
  name: AnalysisClass,
  detections: readonly Detection[],
  { truth }: Pick<LabelledImage, 'truth'>,
): PictureResult {
  const wanted = (item: { classId: number }) => CLASS_IDS[name].includes(item.classId);
  return { detections: detections.filter(wanted), truth: truth.filter(wanted).map(({ box }) => box) };
}

/** COCO's bound on what one picture may bring. */
const MOST_PER_PICTURE = 100;

/** Average precision as COCO computes it: 101 points of recall, precision made monotone. */
export function averagePrecision(pictures: readonly PictureResult[]): AveragePrecision {
  const thresholds = Array.from({ length: 10 }, (_, i) => 0.5 + 0.05 * i);
  const values = thresholds.map((threshold) => atThreshold(pictures, threshold));
  return { ap50: values[0]!, ap: values.reduce((sum, value) => sum + value, 0) / values.length };
}

function atThreshold(pictures: readonly PictureResult[], threshold: number): number {
  const total = pictures.reduce((sum, { truth }) => sum + truth.length, 0);
  if (total === 0) return Number.NaN;
  const judged = pictures.flatMap((picture) => judge(picture, threshold)).sort((a, b) => b.score - a.score);
  let right = 0;
  const points = judged.map((detection, i) => {
    if (detection.object) right++;
    return { recall: right / total, precision: right / (i + 1) };
  });
  for (let i = points.length - 2; i >= 0; i--) {
    points[i]!.precision = Math.max(points[i]!.precision, points[i + 1]!.precision);
  }
  let sum = 0;
  for (let i = 0, at = 0; i <= 100; i++) {
    while (at < points.length && points[at]!.recall < i / 100) at++;
    sum += points[at]?.precision ?? 0;
  }
  return sum / 101;
}

/** A detection and the object it found; none, where it is wrong. */
export interface Judged {
  readonly box: Box;
  readonly score: number;
  readonly object: Box | undefined;
}

/** Each detection, strongest first, takes the free truth box it overlaps most. */
export function judge({ detections, truth }: PictureResult, threshold: number): Judged[] {
  const free = new Set(truth);
  const strongest = [...detections].sort((a, b) => b.score - a.score).slice(0, MOST_PER_PICTURE);
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
