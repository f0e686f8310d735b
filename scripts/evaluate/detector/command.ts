import type { Command } from 'commander';
import { prepareDetector } from '../../../models/prepare.ts';
import { loadDetector } from '../../../src/models/load-detector.ts';
import { loadConfig, MODELS_DIR } from '../../../src/platform/config.ts';
import type { AnalysisClass } from '../../../src/vision/types.ts';
import { letterboxImage } from '../../models/letterbox-image.ts';
import { labelledImages } from '../../support/footage/labelled-images.ts';
import { shown } from '../../support/numbers.ts';
import { printing, printMeasured } from '../../support/printing.ts';
import { eachWithProgress, table } from '../../support/terminal.ts';
import { evaluation, modelOption, sizeOf, sizeOption } from '../options.ts';
import { averagePrecisionOf, CLASSES, HEIGHTS, type ImageResult, resultOf } from './average-precision.ts';
import { QUALITY_HEADING, qualityCells, qualityOf, reliabilityRows } from './score-quality.ts';

/** The precision-recall curves of COCO need nearly all detections. */
const MIN_SCORE = 0.01;

interface DetectorOptions {
  readonly model: string;
  readonly rawScores: boolean;
  readonly size?: string;
}

export const detectorCommand = (): Command =>
  evaluation(
    'detector',
    'Average precision of a detector for persons and vehicles (car, motorcycle, bus, truck, bicycle as one class), as COCO ' +
      'computes it, and whether its scores are probabilities, on images with YOLO labels.',
  )
    .argument('<images>', 'folder of JPEG or PNG images')
    .argument('<labels>', 'folder of <image>.txt: class, centre x, centre y, width, height, as fractions')
    .addOption(modelOption())
    .addOption(sizeOption())
    .option('--raw-scores', 'without the curves of the card that turn raw scores into probabilities', false)
    .action(printing(evaluateDetector, describe, printMeasured));

async function evaluateDetector(
  folder: string,
  labels: string,
  { model, rawScores, size: wanted }: DetectorOptions,
) {
  const images = await labelledImages(folder, labels);
  const folders = { modelsDir: MODELS_DIR, cacheDir: loadConfig().modelCacheDir };
  await prepareDetector(model, folders);
  const detector = await loadDetector({
    ...{ model, ...folders },
    ...(rawScores && { scores: {} }),
  });
  const size = sizeOf(detector, wanted);
  const frames = { inputWidth: size.width, inputHeight: size.height };
  const results: Record<AnalysisClass, ImageResult[]> = { person: [], vehicle: [] };
  let cpuMicroseconds = 0;
  try {
    await detector.prepare(size);
    await eachWithProgress('detecting', images, 'images', async (image) => {
      const { pixels, letterbox } = await letterboxImage(image.file, frames);
      // The session blocks and has one thread, so the CPU time of the process is that of the detector.
      const before = process.cpuUsage();
      const detections = await detector.detect(pixels, letterbox, MIN_SCORE);
      const { user, system } = process.cpuUsage(before);
      cpuMicroseconds += user + system;
      for (const name of CLASSES) results[name].push(resultOf(name, detections, image));
    });
  } finally {
    await detector.dispose();
  }
  const [person, vehicle] = [qualityOf(results.person), qualityOf(results.vehicle)];
  const { width, height } = size;
  return {
    model,
    size: { width, height },
    images: images.length,
    person,
    vehicle,
    /** AP50 of people by their height: below 15 %, 15-35 %, from 35 % of the height of the image. */
    personByHeight: byHeightOf(results.person),
    msPerImage: cpuMicroseconds / images.length / 1000,
  };
}

function describe(report: Awaited<ReturnType<typeof evaluateDetector>>): string {
  return [
    table([['class', ...QUALITY_HEADING], ...CLASSES.map((name) => [name, ...qualityCells(report[name])])]),
    ...CLASSES.map((name) => table(reliabilityRows(name, report[name]))),
    byHeight(report.personByHeight),
    `${report.images} images at ${report.size.width}×${report.size.height}, ${report.msPerImage.toFixed(1)} ms of one core each`,
  ].join('\n\n');
}

const byHeight = ({ small, middle, large }: Record<keyof typeof HEIGHTS, number | null>): string =>
  `AP50 of people by their share of the image's height: below 15 % ${shown(small, 3)}, 15-35 % ${shown(middle, 3)}, from 35 % ${shown(large, 3)}`;

const byHeightOf = (images: readonly ImageResult[]) => ({
  small: averagePrecisionOf(HEIGHTS.small, images),
  middle: averagePrecisionOf(HEIGHTS.middle, images),
  large: averagePrecisionOf(HEIGHTS.large, images),
});
