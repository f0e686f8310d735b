import { height } from '../../../src/vision/geometry.ts';
import { mean, shown, sum } from '../../support/numbers.ts';
import {
  type AveragePrecision,
  averagePrecision,
  type ImageResult,
  type Match,
  matchObjects,
} from './average-precision.ts';

/** How good the scores of a detector are as probabilities. */
export type ScoreQuality = ReturnType<typeof scoreQuality>;

/** Objects of less height are far from the camera. */
const NEAR = 0.35;
/** The default `confidenceThreshold` of a scene. */
const STARTS_TRACK = 0.6;
const BINS = 10;
/** With fewer boxes the precision is not reliable. */
const LEAST_BOXES = 30;
/** The tracker ignores boxes with lower scores. */
const LEAST_SCORE = 0.1;

/** A box is right if it overlaps a free object of its class with an IoU of at least 0.5. */
export function scoreQuality(images: readonly ImageResult[]) {
  const boxes = images.flatMap((image) => matchObjects(image, 0.5));
  const objects = images.flatMap(({ truth }) => truth).filter((box) => height(box) >= NEAR).length;
  const sure = boxes.filter(({ score }) => score >= STARTS_TRACK);
  const found = sure.filter(({ object }) => object && height(object) >= NEAR).length;
  const near = sure.filter(({ box }) => height(box) >= NEAR);
  const bins = reliability(boxes.filter(({ score }) => score >= LEAST_SCORE));
  const counted = bins.filter((bin) => bin.boxes >= LEAST_BOXES);
  const off = counted.map((bin) => bin.boxes * Math.abs(bin.meanScore - bin.precision));
  const share = (part: number, whole: number) => (whole > 0 ? part / whole : null);
  return {
    /** Objects of at least 35 % of the image's height, at the score that starts a track. */
    near: {
      objects,
      recall: share(found, objects),
      precision: share(near.filter(({ object }) => object).length, near.length),
    },
    /** Boxes grouped by tenths of their score. */
    bins,
    /** Mean difference of score and precision over the bins with enough boxes, weighted by boxes. */
    error: share(sum(off), sum(counted.map((bin) => bin.boxes))),
  };
}

function reliability(boxes: readonly Match[]) {
  return Array.from({ length: BINS }, (_, i) => {
    const inside = boxes.filter(({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)) === i);
    return {
      from: i / BINS,
      boxes: inside.length,
      meanScore: mean(inside.map(({ score }) => score)),
      precision: inside.filter(({ object }) => object).length / inside.length,
    };
  }).filter((bin) => bin.boxes > 0);
}

/** Rows of a table with the heading. */
export function reliabilityRows(name: string, { bins }: ScoreQuality): (string | number)[][] {
  return [
    [`${name}: score`, 'boxes', 'mean score', 'precision'],
    ...bins.map(({ from, boxes, meanScore, precision }) => [
      `${from.toFixed(1)}-${(from + 1 / BINS).toFixed(1)}`,
      boxes,
      meanScore.toFixed(2),
      boxes < LEAST_BOXES ? `${precision.toFixed(2)} (few)` : precision.toFixed(2),
    ]),
  ];
}

/** Average precision and the quality of the scores. */
export type Quality = AveragePrecision & ScoreQuality;

export const qualityOf = (results: readonly ImageResult[]): Quality => ({
  ...averagePrecision(results),
  ...scoreQuality(results),
});

/** The headings of `qualityCells`. */
export const QUALITY_HEADING = ['AP50', 'AP', 'near: recall / precision at 0.6', 'error of the scores'];

export const qualityCells = ({ ap50, ap, near, error }: Quality): string[] => [
  ...[ap50.toFixed(3), ap.toFixed(3)],
  `${shown(near.recall, 2)} / ${shown(near.precision, 2)} of ${near.objects}`,
  shown(error, 3),
];
