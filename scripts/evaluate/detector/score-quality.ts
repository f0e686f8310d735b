import { height } from '../../../src/vision/geometry.ts';
import { judge, type PictureResult } from './average-precision.ts';

/** What the scores of a detector are worth as probabilities. */
export interface ScoreQuality {
  /** Objects that take up at least 35 % of the picture's height, at the score that begins a track. */
  readonly near: {
    readonly objects: number;
    readonly recall: number | null;
    readonly precision: number | null;
  };
  /** Boxes by tenths of their score. */
  readonly bins: readonly ReliabilityBin[];
  /** Mean difference of score and precision over the bins with enough boxes, weighted by their boxes; null without one. */
  readonly error: number | null;
}

export interface ReliabilityBin {
  readonly from: number;
  readonly boxes: number;
  readonly meanScore: number;
  readonly precision: number;
}

/** Lower objects are far from the camera. */
const NEAR = 0.35;
/** The default `confidenceThreshold` of a scene. */
const BEGINS_TRACK = 0.6;
const BINS = 10;
/** The precision of fewer boxes says little. */
const LEAST_BOXES = 30;
/** The tracker looks at no weaker box. */
const LEAST_SCORE = 0.1;

/** A box is right if it overlaps a free object of its class by IoU ≥ 0.5. */
export function scoreQuality(pictures: readonly PictureResult[]): ScoreQuality {
  const boxes = pictures.flatMap((picture) => judge(picture, 0.5));
  const objects = pictures.flatMap(({ truth }) => truth).filter((box) => height(box) >= NEAR).length;
  const sure = boxes.filter(({ score }) => score >= BEGINS_TRACK);
  const found = sure.filter(({ object }) => object && height(object) >= NEAR).length;
  const near = sure.filter(({ box }) => height(box) >= NEAR);
  const bins = reliability(boxes.filter(({ score }) => score >= LEAST_SCORE));
  const judged = bins.filter((bin) => bin.boxes >= LEAST_BOXES);
  const off = judged.map((bin) => bin.boxes * Math.abs(bin.meanScore - bin.precision));
  return {
    near: {
      objects,
      recall: objects > 0 ? found / objects : null,
      precision: near.length > 0 ? near.filter(({ object }) => object).length / near.length : null,
    },
    bins,
    error: judged.length > 0 ? sum(off) / sum(judged.map((bin) => bin.boxes)) : null,
  };
}

function reliability(
  boxes: readonly { readonly score: number; readonly object: unknown }[],
): ReliabilityBin[] {
  return Array.from({ length: BINS }, (_, i) => {
    const inside = boxes.filter(({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)) === i);
    return {
      from: i / BINS,
      boxes: inside.length,
      meanScore: sum(inside.map(({ score }) => score)) / inside.length,
      precision: inside.filter(({ object }) => object).length / inside.length,
    };
  }).filter((bin) => bin.boxes > 0);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(2));

/** Rows of a table with their heading. */
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

/** Columns that go with `qualityCells`. */
export const QUALITY_HEADING = ['near: recall / precision at 0.6', 'error of the scores'];

export const qualityCells = ({ near, error }: ScoreQuality): string[] => [
  `${figure(near.recall)} / ${figure(near.precision)} of ${near.objects}`,
  error === null ? '–' : error.toFixed(3),
];
