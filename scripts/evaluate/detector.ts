import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Command } from 'commander';
import { loadConfig, MODELS_DIR } from '../../src/config.ts';
import { DEFAULT_MODEL } from '../../src/vision/detect/card.ts';
import { type Detector, loadDetector } from '../../src/vision/detect/load-detector.ts';
import type { AnalysisClass, Box } from '../../src/vision/types.ts';
import { CLASS_IDS } from '../../src/vision/types.ts';
import { letterboxImage } from '../models/letterbox-image.ts';
import { printMeasured } from '../print-measured.ts';
import { progress, table } from '../terminal.ts';
import { averagePrecision, type PictureResult } from './average-precision.ts';

/** COCO's curves want nearly everything a detector has. */
const MIN_SCORE = 0.01;

export function detectorCommand(): Command {
  return new Command('detector')
    .description(
      'Average precision of a detector for persons and vehicles (car, motorcycle, bus, truck, bicycle as one class), ' +
        'as COCO computes it, on pictures with YOLO labels.',
    )
    .argument('<images>', 'folder of JPEG or PNG pictures')
    .argument('<labels>', 'folder of <picture>.txt: class, centre x, centre y, width, height, as fractions')
    .option('--model <name>', 'a card of models/', DEFAULT_MODEL)
    .option('--json', 'one JSON document on standard output', false)
    .action(async (images: string, labels: string, options: { model: string; json: boolean }) => {
      const result = await evaluateDetector(images, labels, options.model);
      printMeasured(options.json, result, () =>
        table([
          ['class', 'AP50', 'AP'],
          ...(['person', 'vehicle'] as const).map((name) => [
            name,
            result[name].ap50.toFixed(3),
            result[name].ap.toFixed(3),
          ]),
        ]).concat(`\n${result.images} pictures, ${result.msPerImage.toFixed(1)} ms of one core each`),
      );
    });
}

async function evaluateDetector(images: string, labels: string, model: string) {
  const files = (await readdir(images)).filter((file) => /\.(jpe?g|png)$/i.test(file)).sort();
  if (files.length === 0) throw new Error(`No JPEG or PNG pictures in ${images}.`);
  const detector = await loadDetector({ model, modelsDir: MODELS_DIR, cacheDir: loadConfig().modelCacheDir });
  const results: Record<AnalysisClass, PictureResult[]> = { person: [], vehicle: [] };
  let cpuMicroseconds = 0;
  const bar = progress('detecting', files.length, 'pictures');
  try {
    for (const [i, file] of files.entries()) {
      const truth = await readLabels(join(labels, `${basename(file, extname(file))}.txt`));
      const { detections, microseconds } = await detect(detector, join(images, file));
      cpuMicroseconds += microseconds;
      for (const name of ['person', 'vehicle'] as const) {
        const wanted = (item: { classId: number }) => CLASS_IDS[name].includes(item.classId);
        results[name].push({
          detections: detections.filter(wanted),
          truth: truth.filter(wanted).map(({ box }) => box),
        });
      }
      bar.update(i + 1);
    }
  } finally {
    bar.stop();
    await detector.dispose();
  }
  return {
    model,
    images: files.length,
    person: averagePrecision(results.person),
    vehicle: averagePrecision(results.vehicle),
    msPerImage: cpuMicroseconds / files.length / 1000,
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

async function readLabels(file: string): Promise<{ classId: number; box: Box }[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // a picture without objects has no label file in YOLO's convention
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      const [classId, x, y, width, height, ...rest] = line.trim().split(/\s+/).map(Number);
      const values = [classId, x, y, width, height];
      if (rest.length > 0 || values.some((value) => value === undefined || !Number.isFinite(value))) {
        throw new Error(`${file}, line ${i + 1}: expected "class x y width height".`);
      }
      const [left, top] = [x! - width! / 2, y! - height! / 2];
      return { classId: classId!, box: { left, top, right: left + width!, bottom: top + height! } };
    });
}
