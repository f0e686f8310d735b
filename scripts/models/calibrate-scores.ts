import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDetector } from '../../models/prepare.ts';
import { readDetectorCard } from '../../src/models/cards.ts';
import { type DetectorOptions, loadDetector } from '../../src/models/load-detector.ts';
import type { ModelFolders } from '../../src/models/model-sources.ts';
import { type ScoreCurve, ScoreCurveSchema, type ScoreCurves } from '../../src/vision/detect/score-curves.ts';
import { height, iou } from '../../src/vision/geometry.ts';
import type { AnalysisClass, Detection } from '../../src/vision/types.ts';
import { CLASSES, type ImageResult, matchObjects, resultOf } from '../evaluate/detector/average-precision.ts';
import { type Quality, qualityOf, type ScoreQuality } from '../evaluate/detector/score-quality.ts';
import { type LabelledImage, labelledImages } from '../support/footage/labelled-images.ts';
import { type Progress, progress } from '../support/terminal.ts';
import { fitScores, type ScoreSample } from './fit-scores.ts';
import { letterboxImage } from './letterbox-image.ts';

/** The four coefficients of a class need at least this many right boxes, and as many wrong ones. */
export const LEAST_BOXES = 100;
/** Boxes with lower scores are nearly always wrong and would only cost time. */
const LEAST_RAW = 0.05;
/** Curves of precision and recall also need boxes with low scores. */
const LEAST_SCORE = 0.01;

export interface ClassCalibration {
  readonly name: AnalysisClass;
  /** Boxes of the fit. */
  readonly right: number;
  readonly wrong: number;
  /** Null where there were too few boxes, or the raw scores are as good as probabilities. */
  readonly curve: ScoreCurve | null;
  readonly raw: Quality;
  /** On images that the curve was not fitted on; null where there were too few boxes for a fit. */
  readonly heldOut: { readonly splits: readonly Quality[]; readonly pooled: Quality } | null;
}

export interface ScoreCalibration {
  readonly pictures: number;
  readonly classes: readonly ClassCalibration[];
}

/** Two ways to split the images into halves. */
const SPLITS: readonly ((i: number, count: number) => boolean)[] = [
  (i) => i % 2 === 0,
  (i, count) => i < count / 2,
];

type ByClass<T> = Record<AnalysisClass, T>;
const byClass = <T>(of: (name: AnalysisClass) => T): ByClass<T> => ({
  person: of('person'),
  vehicle: of('vehicle'),
});

interface ImageScores {
  readonly result: ImageResult;
  readonly samples: readonly ScoreSample[];
}

/**
 * Fits curves from the raw scores of a detector to probabilities, and measures such curves on images that they were not
 * fitted on: the images are split into halves twice, and each half is detected with the curve of the other.
 */
export async function calibrateScores(
  model: string,
  { images: folder, labels, ...folders }: ModelFolders & { readonly images: string; readonly labels: string },
): Promise<ScoreCalibration> {
  const images = await labelledImages(folder, labels);
  if (images.length < 2) throw new Error(`One image in ${folder} is too few: a fit is checked on others.`);
  await prepareDetector(model, folders);
  const { nmsIou } = await readDetectorCard(folders.modelsDir, model);
  const bar = progress(model, images.length * (1 + SPLITS.length), 'images');
  const detect = (scores: ScoreCurves, part: readonly LabelledImage[]) =>
    detectImages(part, { options: { model, ...folders, scores }, nmsIou, bar });
  try {
    const all = await detect({}, images);
    const fitted = fitClasses(all);
    const splits: (readonly ByClass<ImageScores>[])[] = [];
    for (const isFirst of SPLITS) {
      const halves = [];
      for (const side of [true, false]) {
        const isInside = (_: unknown, i: number) => isFirst(i, images.length) === side;
        const curves = fitClasses(all.filter(isInside), fitted);
        halves.push(
          ...(await detect(
            curves,
            images.filter((image, i) => !isInside(image, i)),
          )),
        );
      }
      splits.push(halves);
    }
    return {
      pictures: images.length,
      classes: CLASSES.map((name) => calibrationOf(name, all, splits, fitted)),
    };
  } finally {
    bar.stop();
  }
}

function calibrationOf(
  name: AnalysisClass,
  all: readonly ByClass<ImageScores>[],
  splits: readonly (readonly ByClass<ImageScores>[])[],
  fitted: ScoreCurves,
): ClassCalibration {
  const resultsOf = (images: readonly ByClass<ImageScores>[]) => images.map((image) => image[name].result);
  const raw = qualityOf(resultsOf(all));
  const counts = countsOf(samplesOfClass(name, all));
  const curve = fitted[name];
  if (!curve) return { name, ...counts, curve: null, raw, heldOut: null };
  const heldOut = {
    splits: splits.map((images) => qualityOf(resultsOf(images))),
    pooled: qualityOf(resultsOf(splits.flat())),
  };
  return { name, ...counts, curve: isBetter(heldOut.pooled, raw) ? curve : null, raw, heldOut };
}

/** The card gets a curve only if it improves the scores of images that it was not fitted on. */
const isBetter = (heldOut: ScoreQuality, raw: ScoreQuality): boolean =>
  heldOut.error !== null && raw.error !== null && heldOut.error < raw.error;

const samplesOfClass = (name: AnalysisClass, images: readonly ByClass<ImageScores>[]): ScoreSample[] =>
  images.flatMap((image) => image[name].samples);

const countsOf = (samples: readonly ScoreSample[]): { right: number; wrong: number } => {
  const right = samples.filter((sample) => sample.right).length;
  return { right, wrong: samples.length - right };
};

/** @param like a half of the images gets a fit for the same classes as all of them */
function fitClasses(images: readonly ByClass<ImageScores>[], like?: ScoreCurves): ScoreCurves {
  const curves: { [name in AnalysisClass]?: ScoreCurve } = {};
  for (const name of CLASSES) {
    const boxes = samplesOfClass(name, images);
    const { right, wrong } = countsOf(boxes);
    const isEnough = like ? like[name] !== undefined : Math.min(right, wrong) >= LEAST_BOXES;
    if (isEnough) curves[name] = checked(name, fitScores(boxes));
  }
  return curves;
}

function checked(name: AnalysisClass, curve: ScoreCurve): ScoreCurve {
  const { error } = ScoreCurveSchema.safeParse(curve);
  if (!error) return curve;
  const { path, message } = error.issues[0]!;
  throw new Error(
    `The fit for ${name} cannot be used: "${path.join('.')}" ${message}. ` +
      'Give more images, or others: do the labels belong to them?',
  );
}

async function detectImages(
  images: readonly LabelledImage[],
  { options, nmsIou, bar }: { options: DetectorOptions; nmsIou: number; bar: Progress },
): Promise<ByClass<ImageScores>[]> {
  const detector = await loadDetector(options);
  const found: ByClass<ImageScores>[] = [];
  try {
    for (const image of images) {
      const { pixels, letterbox } = await letterboxImage(image.file, detector);
      const detections = await detector.detect(pixels, letterbox, LEAST_SCORE);
      const settings = { contentHeight: letterbox.contentHeight, nmsIou };
      found.push(
        byClass((name) => {
          const result = resultOf(name, detections, image);
          return { result, samples: samplesOf(result, settings) };
        }),
      );
      bar.step();
    }
    return found;
  } finally {
    await detector.dispose();
  }
}

/**
 * The boxes of a fit. Boxes that overlap one with a higher score are left out, because their score is already reduced; so
 * are boxes with scores too low to be used.
 */
function samplesOf(
  result: ImageResult,
  { contentHeight, nmsIou }: { readonly contentHeight: number; readonly nmsIou: number },
): ScoreSample[] {
  const higher: Detection['box'][] = [];
  return matchObjects(result, 0.5).flatMap(({ box, score, object }) => {
    const isReduced = higher.some((other) => iou(other, box) > nmsIou);
    higher.push(box);
    if (isReduced || score < LEAST_RAW) return [];
    return [{ raw: score, height: height(box) * contentHeight, right: object !== undefined }];
  });
}

/** Writes the curves to the card of the model, with the data of the fit. @returns the path of the card */
export async function writeScores(
  model: string,
  { pictures, classes }: ScoreCalibration,
  { modelsDir, data }: { readonly modelsDir: string; readonly data: string },
): Promise<string> {
  const curves = classes.flatMap(({ name, curve }) => (curve ? [[name, curve] as const] : []));
  const file = join(modelsDir, `${model}.json`);
  const { scores: _, ...card } = JSON.parse(await readFile(file, 'utf8'));
  const fitted = {
    data,
    pictures,
    date: new Date().toISOString().slice(0, 10),
    command: `npm run models -- calibrate-scores ${model} IMAGES LABELS`,
  };
  const scores = curves.length > 0 ? { ...Object.fromEntries(curves), fitted } : undefined;
  // Lists of numbers stay on one line, as in all cards.
  const text = JSON.stringify({ ...card, scores }, null, 2).replace(
    /\[\s+([^[\]{}]+?)\s+\]/g,
    (_list, items: string) => `[${items.replace(/\s*\n\s*/g, ' ')}]`,
  );
  await writeFile(file, `${text}\n`);
  await readDetectorCard(modelsDir, model);
  return file;
}
