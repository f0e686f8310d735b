import { Command } from 'commander';
import { loadConfig, MODELS_DIR } from '../../../src/config.ts';
import { DEFAULT_MODEL } from '../../../src/models/card.ts';
import { loadDetector } from '../../../src/models/load-detector.ts';
import type { Detector } from '../../../src/vision/detect/detector.ts';
import type { AnalysisClass } from '../../../src/vision/types.ts';
import { letterboxImage } from '../../models/letterbox-image.ts';
import { labelledImages } from '../../support/labelled-images.ts';
import { printMeasured } from '../../support/print-measured.ts';
import { progress, table } from '../../support/terminal.ts';
import { averagePrecision, type PictureResult, resultOf } from './average-precision.ts';
import { QUALITY_HEADING, qualityCells, reliabilityRows, scoreQuality } from './score-quality.ts';

/** COCO's curves want nearly everything a detector has. */
const MIN_SCORE = 0.01;
const CLASSES = ['person', 'vehicle'] as const;

interface DetectorOptions {
  readonly model: string;
  readonly rawScores: boolean;
  readonly json: boolean;
}

export function detectorCommand(): Command {
  return new Command('detector')
    .description(
      'Average precision of a detector for persons and vehicles (car, motorcycle, bus, truck, bicycle as one class), ' +
        'as COCO computes it, and whether the scores are probabilities, on pictures with YOLO labels.',
    )
    .argument('<images>', 'folder of JPEG or PNG pictures')
    .argument('<labels>', 'folder of <picture>.txt: class, centre x, centre y, width, height, as fractions')
    .option('--model <name>', 'a card of models/', DEFAULT_MODEL)
    .option('--raw-scores', 'leave out the card’s curves from raw scores to probabilities', false)
    .option('--json', 'one JSON document on standard output', false)
    .action(async (images: string, labels: string, options: DetectorOptions) => {
      const result = await evaluateDetector(images, labels, options);
      printMeasured(options.json, result, () =>
        table([
          ['class', 'AP50', 'AP', ...QUALITY_HEADING],
          ...CLASSES.map((name) => [
            name,
            result[name].ap50.toFixed(3),
            result[name].ap.toFixed(3),
            ...qualityCells(result[name]),
          ]),
        ]).concat(
          ...CLASSES.map((name) => `\n\n${table(reliabilityRows(name, result[name]))}`),
          `\n\n${result.images} pictures, ${result.msPerImage.toFixed(1)} ms of one core each`,
        ),
      );
    });
}

async function evaluateDetector(
  images: string,
  labels: string,
  { model, rawScores }: { model: string; rawScores: boolean },
) {
  const pictures = await labelledImages(images, labels);
  const detector = await loadDetector({
    ...{ model, modelsDir: MODELS_DIR, cacheDir: loadConfig().modelCacheDir },
    ...(rawScores && { scores: {} }),
  });
  const results: Record<AnalysisClass, PictureResult[]> = { person: [], vehicle: [] };
  let cpuMicroseconds = 0;
  const bar = progress('detecting', pictures.length, 'pictures');
  try {
    for (const [i, picture] of pictures.entries()) {
      const { detections, microseconds } = await detect(detector, picture.file);
      cpuMicroseconds += microseconds;
      for (const name of CLASSES) results[name].push(resultOf(name, detections, picture));
      bar.update(i + 1);
    }
  } finally {
    bar.stop();
    await detector.dispose();
  }
  const judged = (name: AnalysisClass) => ({
    ...averagePrecision(results[name]),
    ...scoreQuality(results[name]),
  });
  return {
    model,
    images: pictures.length,
    person: judged('person'),
    vehicle: judged('vehicle'),
    msPerImage: cpuMicroseconds / pictures.length / 1000,
  };
}

/** The session blocks and has one thread, so the process's CPU time is the detector's. */
async function detect(detector: Detector, file: string) {
  const { pixels, letterbox } = await letterboxImage(file, detector);
  const before = process.cpuUsage();
  const detections = await detector.detect(pixels, letterbox, MIN_SCORE);
  const { user, system } = process.cpuUsage(before);
  return { detections, microseconds: user + system };
}
