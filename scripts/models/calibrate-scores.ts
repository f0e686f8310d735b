import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDetectorCard } from '../../src/models/cards.ts';
import { loadDetector } from '../../src/models/load-detector.ts';
import type { ModelFolders } from '../../src/models/model-sources.ts';
import type { Detector } from '../../src/vision/detect/detector.ts';
import { type ScoreCurve, ScoreCurveSchema, type ScoreCurves } from '../../src/vision/detect/score-curves.ts';
import { height, iou } from '../../src/vision/geometry.ts';
import type { AnalysisClass, Detection } from '../../src/vision/types.ts';
import { CLASSES, type ImageResult, matchObjects, resultOf } from '../evaluate/detector/average-precision.ts';
import { type Quality, qualityOf, type ScoreQuality } from '../evaluate/detector/score-quality.ts';
import { type LabelledImage, labelledImages } from '../support/labelled-images.ts';
import { progress } from '../support/terminal.ts';
import { fitScores, type ScoreSample } from './fit-scores.ts';
import { letterboxImage } from './letterbox-image.ts';

/** Right boxes, and wrong ones, that the four coefficients of a class want at least. */
export const LEAST_BOXES = 100;
/** Weaker boxes are wrong nearly always and would only cost time. */
const LEAST_RAW = 0.05;
/** Curves of precision and recall want weak boxes as well. */
const LEAST_SCORE = 0.01;

export interface ClassCalibration {
  readonly name: AnalysisClass;
  /** Boxes that the fit could learn from. */
  readonly right: number;
  readonly wrong: number;
  /** Null where there were too few boxes, or the raw scores are probabilities just as well. */
  readonly curve: ScoreCurve | null;
  readonly raw: Quality;
  /** Of pictures that the curve in use was not fitted on; null where there were too few boxes for a fit. */
  readonly heldOut: { readonly splits: readonly Quality[]; readonly pooled: Quality } | null;
}

export interface ScoreCalibration {
  readonly pictures: number;
  readonly classes: readonly ClassCalibration[];
}

/** Two ways to part pictures into halves. */
const SPLITS: readonly ((i: number, count: number) => boolean)[] = [
  (i) => i % 2 === 0,
  (i, count) => i < count / 2,
];

type Results = Record<AnalysisClass, ImageResult[]>;

interface Seen {
  readonly results: Results;
  readonly samples: Record<AnalysisClass, ScoreSample[][]>;
}

/**
 * Fits the curves that make probabilities of a model's raw scores, and measures such curves on pictures they were not
 * fitted on: twice the pictures are parted into halves, and each half is looked at with the curve of the other.
 */
export async function calibrateScores(
  model: string,
  { images, labels, ...places }: ModelFolders & { readonly images: string; readonly labels: string },
): Promise<ScoreCalibration> {
  const pictures = await labelledImages(images, labels);
  if (pictures.length < 2)
    throw new Error(`One picture in ${images} is too few: a fit is checked on others.`);
  const card = await readDetectorCard(places.modelsDir, model);
  const bar = progress(model, pictures.length * (1 + SPLITS.length), 'pictures');
  let done = 0;
  const onPicture = () => bar.update(++done);
  try {
    const look = (scores: ScoreCurves, part: readonly LabelledImage[]) =>
      withDetector({ model, ...places, scores }, (detector) =>
        seePictures(detector, part, { nmsIou: card.nmsIou, onPicture }),
      );
    const all = await look({}, pictures);
    const fitted = fitClasses(all.samples);
    const heldOut: Results[] = [];
    for (const isFirst of SPLITS) {
      const results: Results = { person: [], vehicle: [] };
      for (const side of [true, false]) {
        const inside = (_: unknown, i: number) => isFirst(i, pictures.length) === side;
        const curves = fitClasses(
          { person: all.samples.person.filter(inside), vehicle: all.samples.vehicle.filter(inside) },
          fitted,
        );
        const others = pictures.filter((picture, i) => !inside(picture, i));
        const seen = await look(curves, others);
        for (const name of CLASSES) results[name].push(...seen.results[name]);
      }
      heldOut.push(results);
    }
    return {
      pictures: pictures.length,
      classes: CLASSES.map((name) => {
        const raw = qualityOf(all.results[name]);
        const counts = countsOf(all.samples[name].flat());
        const curve = fitted[name];
        if (!curve) return { name, ...counts, curve: null, raw, heldOut: null };
        const splits = heldOut.map((results) => qualityOf(results[name]));
        const pooled = qualityOf(heldOut.flatMap((results) => results[name]));
        return {
          name,
          ...counts,
          curve: isBetter(pooled, raw) ? curve : null,
          raw,
          heldOut: { splits, pooled },
        };
      }),
    };
  } finally {
    bar.stop();
  }
}

/** A curve is worth its place on a card if it makes the scores of pictures it has not seen truer. */
const isBetter = (heldOut: ScoreQuality, raw: ScoreQuality): boolean =>
  heldOut.error !== null && raw.error !== null && heldOut.error < raw.error;

const countsOf = (samples: readonly ScoreSample[]): { right: number; wrong: number } => {
  const right = samples.filter((sample) => sample.right).length;
  return { right, wrong: samples.length - right };
};

/** @param like a half of the pictures is fitted where all of them were enough */
function fitClasses(samples: Seen['samples'], like?: ScoreCurves): ScoreCurves {
  const curves: { [name in AnalysisClass]?: ScoreCurve } = {};
  for (const name of CLASSES) {
    const boxes = samples[name].flat();
    const { right, wrong } = countsOf(boxes);
    const enough = like ? like[name] !== undefined : Math.min(right, wrong) >= LEAST_BOXES;
    if (enough) curves[name] = proved(name, fitScores(boxes));
  }
  return curves;
}

function proved(name: AnalysisClass, curve: ScoreCurve): ScoreCurve {
  const { error } = ScoreCurveSchema.safeParse(curve);
  if (!error) return curve;
  throw new Error(
    `The fit for ${name} cannot be used: "${error.issues[0]!.path.join('.')}" ${error.issues[0]!.message}. ` +
      'Give more pictures, or others: do the labels belong to them?',
  );
}

async function withDetector<T>(
  options: Parameters<typeof loadDetector>[0],
  work: (detector: Detector) => Promise<T>,
): Promise<T> {
  const detector = await loadDetector(options);
  try {
    return await work(detector);
  } finally {
    await detector.dispose();
  }
}

async function seePictures(
  detector: Detector,
  pictures: readonly LabelledImage[],
  { nmsIou, onPicture }: { readonly nmsIou: number; readonly onPicture: () => void },
): Promise<Seen> {
  const seen: Seen = { results: { person: [], vehicle: [] }, samples: { person: [], vehicle: [] } };
  for (const picture of pictures) {
    const { pixels, letterbox } = await letterboxImage(picture.file, detector);
    const detections = await detector.detect(pixels, letterbox, LEAST_SCORE);
    for (const name of CLASSES) {
      const result = resultOf(name, detections, picture);
      seen.results[name].push(result);
      seen.samples[name].push(samplesOf(result, { contentHeight: letterbox.contentHeight, nmsIou }));
    }
    onPicture();
  }
  return seen;
}

/**
 * What a fit learns from. Boxes that overlap a stronger one have lost score to it already and are left out, as is
 * whatever is so weak that nobody asks for it.
 */
function samplesOf(
  result: ImageResult,
  { contentHeight, nmsIou }: { readonly contentHeight: number; readonly nmsIou: number },
): ScoreSample[] {
  const stronger: Detection['box'][] = [];
  return matchObjects(result, 0.5).flatMap(({ box, score, object }) => {
    const isDoubted = stronger.some((other) => iou(other, box) > nmsIou);
    stronger.push(box);
    if (isDoubted || score < LEAST_RAW) return [];
    return [{ raw: score, height: height(box) * contentHeight, right: object !== undefined }];
  });
}

/** Puts the curves on the model's card, with what they were fitted on. */
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
  // lists of numbers stay on one line, as cards have them
  const text = JSON.stringify({ ...card, scores }, null, 2).replace(
    /\[\s+([^[\]{}]+?)\s+\]/g,
    (_list, items: string) => `[${items.replace(/\s*\n\s*/g, ' ')}]`,
  );
  await writeFile(file, `${text}\n`);
  await readDetectorCard(modelsDir, model);
  return file;
}
