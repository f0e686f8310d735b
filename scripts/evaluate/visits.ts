import { Command } from 'commander';
import { DEFAULT_MODEL } from '../../src/vision/detect/card.ts';
import { TRACKER_DEFAULTS } from '../../src/vision/track/options.ts';
import { count, positive, share } from '../option-values.ts';
import { printMeasured } from '../print-measured.ts';
import { progress, table } from '../terminal.ts';
import { stays, type Thresholds } from './visits/dwell.ts';
import {
  type CameraKind,
  type Footage,
  type FootageFrame,
  findFootage,
  readFootage,
  sampled,
} from './visits/footage.ts';
import { figuresOf, judgeZone, sum, type VisitCounts, type VisitFigures } from './visits/judge.ts';
import { type Observer, plainDwell, product, trueIdentities } from './visits/observers.ts';
import { randomZones } from './visits/random-zone.ts';

interface VisitsOptions {
  readonly fps: number;
  readonly zones: number;
  readonly seed: number;
  readonly seeds: number;
  readonly entry: number;
  readonly confidence: number;
  readonly model: string;
  readonly plain: boolean;
  readonly oracle: boolean;
  readonly json: boolean;
}

/** A zone is judged if so many people really stay in it. */
const LEAST_VISITS = 5;
const EXIT_SECONDS = 1;
const MAX_AGE_SECONDS = 5;

export function visitsCommand(): Command {
  return new Command('visits')
    .description(
      'Runs the detections of real sequences through tracking and zones, and holds the visits of random zones against the ground truth.',
    )
    .argument('<mot-root>', 'folder of sequences: NAME/gt/gt.txt, and NAME/det/det.txt or NAME/video.mp4')
    .option('--fps <number>', 'frames a second to analyse', positive, 5)
    .option('--zones <number>', 'random queue zones for each sequence', count(1), 20)
    .option('--seed <number>', 'of the random zones', count(0), 1)
    .option('--seeds <number>', 'seeds from there on; their mean and range are printed', count(1), 1)
    .option('--entry <seconds>', 'entry threshold; the exit threshold is 1 s', positive, 1)
    .option('--confidence <share>', 'score a track begins with', share, TRACKER_DEFAULTS.confidenceThreshold)
    .option('--model <name>', 'detector of the videos, a card of models/', DEFAULT_MODEL)
    .option(
      '--plain',
      'instead of the product: its tracker with a plain debounced stay for each track',
      false,
    )
    .option('--oracle', 'instead of the product: the detections with their true identities, a limit', false)
    .option('--json', 'one JSON document on standard output', false)
    .action(async (root: string, options: VisitsOptions) => {
      if (options.plain && options.oracle) throw new Error('Choose one of --plain and --oracle.');
      const report = await evaluateVisits(root, options);
      printMeasured(options.json, report, () => visitsTable(report));
    });
}

interface SeedFigures {
  readonly sequences: Readonly<Record<string, VisitFigures>>;
  readonly static: VisitFigures;
  readonly moving: VisitFigures;
  readonly combined: VisitFigures;
}

interface VisitsReport extends SeedFigures {
  readonly fps: number;
  /** Of each seed; the figures above are those of all seeds together. */
  readonly seeds: readonly ({ readonly seed: number } & SeedFigures)[];
}

interface Counted {
  readonly name: string;
  readonly camera: CameraKind;
  readonly counts: VisitCounts;
}

async function evaluateVisits(root: string, options: VisitsOptions): Promise<VisitsReport> {
  const folders = await findFootage(root);
  const bar = progress('watching', folders.length * options.seeds, 'sequences');
  const perSeed = Array.from({ length: options.seeds }, (): Counted[] => []);
  try {
    for (const [at, folder] of folders.entries()) {
      const footage = await readFootage(folder, options.model);
      for (const [index, found] of perSeed.entries()) {
        const counts = countSequence(footage, options.seed + index, options);
        found.push({ name: footage.name, camera: footage.camera, counts });
        bar.update(at * options.seeds + index + 1);
      }
    }
  } finally {
    bar.stop();
  }
  return {
    fps: options.fps,
    ...figuresOfAll(perSeed.flat()),
    seeds: perSeed.map((counted, at) => ({ seed: options.seed + at, ...figuresOfAll(counted) })),
  };
}

function countSequence(footage: Footage, seed: number, options: VisitsOptions): VisitCounts {
  const frames = sampled(footage, options.fps);
  const thresholds = { entryMs: options.entry * 1000, exitMs: EXIT_SECONDS * 1000 };
  const zones = randomZones(
    { seed, count: options.zones, sequence: footage.name },
    (zone) => footage.ways.filter((way) => stays(way, zone, thresholds).length > 0).length >= LEAST_VISITS,
  );
  const observe = observerOf(footage, { frames, thresholds, options });
  const timesMs = frames.map(({ timeMs }) => timeMs);
  return sum(
    zones.map((zone) => {
      const truth = footage.ways.flatMap((way) => stays(way, zone, thresholds));
      return judgeZone(truth, observe(zone), timesMs);
    }),
  );
}

function observerOf(
  footage: Footage,
  {
    frames,
    thresholds,
    options,
  }: { frames: readonly FootageFrame[]; thresholds: Thresholds; options: VisitsOptions },
): Observer {
  const parameters = {
    confidenceThreshold: options.confidence,
    entryThresholdSeconds: options.entry,
    exitThresholdSeconds: EXIT_SECONDS,
    trackingMaxAgeSeconds: MAX_AGE_SECONDS,
  };
  if (options.oracle) return trueIdentities(frames, footage, thresholds);
  return options.plain ? plainDwell(frames, parameters, thresholds) : product(frames, parameters);
}

function figuresOfAll(counted: readonly Counted[]): SeedFigures {
  const of = (wanted: (one: Counted) => boolean) =>
    figuresOf(sum(counted.filter(wanted).map(({ counts }) => counts)));
  const names = [...new Set(counted.map(({ name }) => name))];
  return {
    sequences: Object.fromEntries(names.map((name) => [name, of((one) => one.name === name)])),
    static: of(({ camera }) => camera === 'static'),
    moving: of(({ camera }) => camera === 'moving'),
    combined: of(() => true),
  };
}

const HEADING = [
  '',
  'true',
  'ours',
  'F1',
  'precision',
  'recall',
  'length error',
  'bias',
  'MAE',
  'dwell true',
  'dwell ours',
];

function visitsTable(report: VisitsReport): string {
  const number = (value: number | null, digits: number) => (value === null ? '-' : value.toFixed(digits));
  const row = (name: string, figures: VisitFigures): string[] => [
    ...[name, String(figures.truthVisits), String(figures.ourVisits)],
    ...[number(figures.f1, 3), number(figures.precision, 3), number(figures.recall, 3)],
    ...[`${number(figures.occupancyErrorPercent, 1)} %`, `${number(figures.biasPercent, 1)} %`],
    number(figures.meanAbsoluteError, 2),
    ...[`${number(figures.meanDwellTrueSeconds, 1)} s`, `${number(figures.meanDwellOursSeconds, 1)} s`],
  ];
  const groups = (['static', 'moving', 'combined'] as const).filter((group) => report[group].truthVisits > 0);
  const rows = [
    HEADING,
    ...Object.entries(report.sequences).map(([name, figures]) => row(name, figures)),
    ...groups.map((group) => row(group, report[group])),
  ];
  const ranges = groups.map((group) => {
    const values = report.seeds.map((seed) => seed[group].f1 ?? 0);
    const mean = values.reduce((total, value) => total + value, 0) / values.length;
    return `F1 of ${group} cameras over ${values.length} seeds: mean ${mean.toFixed(3)}, ${Math.min(...values).toFixed(3)}-${Math.max(...values).toFixed(3)}`;
  });
  return [table(rows), ...(report.seeds.length > 1 ? ranges : [])].join('\n');
}
