import { Command, Option } from 'commander';
import { DEFAULT_MODEL } from '../../src/models/cards.ts';
import type { Detector, NetworkSize } from '../../src/vision/detect/detector.ts';
import type { AnalysisAccuracy } from '../../src/vision/region.ts';
import { TRACKER_DEFAULTS } from '../../src/vision/track/options.ts';
import { count, share } from '../support/options.ts';
import type { ShopLimit } from './simulated/simulated-shop.ts';

/** A command of `evaluate`, which prints its report as text or with `--json` as one JSON document. */
export const evaluation = (name: string, description: string): Command =>
  new Command(name).description(description).option('--json', 'print one JSON document', false);

/** The argument of commands that read sequences with or without detections. */
export const FOOTAGE_ROOT =
  'folder of sequences: NAME/gt/gt.txt, and NAME/det/det.txt with NAME/seqinfo.ini or NAME/video.mp4';

export const modelOption = (): Option =>
  new Option('--model <name>', 'detector for videos: the name of a card in models/').default(DEFAULT_MODEL);

export const accuracyOption = (): Option =>
  new Option('--accuracy <accuracy>', 'size of the frames of videos, as `analysisAccuracy` of a device')
    .choices(['standard', 'high'] satisfies AnalysisAccuracy[])
    .default('standard');

export const shownSize = ({ width, height }: NetworkSize): string => `${width}x${height}`;

export const sizeOption = (): Option =>
  new Option(
    '--size <width>x<height>',
    'size of the network, one that the card offers (default: that of most frames)',
  );

/** @throws Error where the detector does not have the size */
export function sizeOf(
  { name, sizes, inputWidth: width, inputHeight: height }: Detector,
  wanted: string = shownSize({ width, height }),
): NetworkSize {
  const found = sizes.find((size) => shownSize(size) === wanted);
  if (found) return found;
  throw new Error(`The model ${name} has the sizes ${sizes.map(shownSize).join(', ')}, not ${wanted}.`);
}

export const confidenceOption = (): Option =>
  new Option('--confidence <share>', 'least score of a detection that starts a track, 0-1')
    .argParser(share)
    .default(TRACKER_DEFAULTS.confidenceThreshold);

/** Seeds of simulated shops. */
export const seedsOption = (seeds: readonly number[]): Option =>
  new Option('--seeds <n,…>', 'seeds of the shops: one shop for each')
    .argParser((text) => text.split(',').map(count(0)))
    .default(seeds);

/** A part of the product that a simulated shop replaces by the truth. */
export const shopLimitOption = (): Option =>
  new Option(
    '--limit <part>',
    'with the true feet, identities, or both, so that only misses are left: what is left is not lost there',
  ).choices(['feet', 'identities', 'misses'] satisfies ShopLimit[]);
