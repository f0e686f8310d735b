import { type Command, Option } from 'commander';
import type { AnalysisAccuracy } from '../../../src/vision/region.ts';
import { mean } from '../../support/numbers.ts';
import { count, positive } from '../../support/options.ts';
import { printMeasured } from '../../support/printing.ts';
import { eachWithProgress } from '../../support/terminal.ts';
import { averagePrecision } from '../detector/average-precision.ts';
import { type CameraKind, type Footage, readFootage } from '../footage/footage.ts';
import { LIMITS, type Limit } from '../footage/limits.ts';
import { findSequences } from '../footage/mot-files.ts';
import {
  accuracyOption,
  confidenceOption,
  evaluation,
  FOOTAGE_ROOT,
  modelOption,
  shownSize,
} from '../options.ts';
import { figuresTable } from './figures-table.ts';
import { type Observer, plainDwell, product, trueBoxes, trueIdentities, withFeet } from './observers.ts';
import { evaluateOwnCamera, type OwnCameraOptions, ownCameraText } from './own-camera.ts';
import { type SeenPart, seenAround } from './part-of-picture.ts';
import { addVisits, figuresOf, type VisitCounts, type VisitFigures } from './score-zone.ts';
import { countVisits, type ScoredFootage, scoredFootage } from './scored-footage.ts';

interface VisitsOptions {
  readonly fps: number;
  readonly zones: number;
  readonly seed: number;
  readonly seeds: number;
  readonly entry: number;
  readonly confidence: number;
  readonly model: string;
  readonly accuracy: AnalysisAccuracy;
  readonly video?: string;
  readonly labels?: string;
  readonly scene?: string;
  readonly plain: boolean;
  readonly limit?: Limit;
  readonly region: boolean;
  readonly json: boolean;
}

export const visitsCommand = (): Command =>
  evaluation(
    'visits',
    'Compares visits with the truth: in random zones on real sequences with ground truth, or with --video on your own camera with your labels.',
  )
    .argument('[mot-root]', FOOTAGE_ROOT)
    .option('--fps <number>', 'frames a second to analyse', positive, 5)
    .addOption(modelOption())
    .addOption(accuracyOption())
    .optionsGroup('Your own camera:')
    .option('--video <file>', 'a recording, instead of sequences')
    .option('--labels <file.csv>', 'its true visits, one line each; columns below')
    .option(
      '--scene <file.json>',
      '{ "zones": …, "parameters": … } as in the API; without it the whole frame is the queue zone',
    )
    .optionsGroup('Sequences:')
    .option('--zones <number>', 'random queue zones for each sequence', count(1), 20)
    .option('--seed <number>', 'seed of the random zones', count(0), 1)
    .option('--seeds <number>', 'number of seeds from --seed on; prints their mean and range', count(1), 1)
    .option('--entry <seconds>', 'entry threshold; the exit threshold is 1 s', positive, 1)
    .addOption(confidenceOption())
    .option('--plain', 'instead of the product: its tracker with a debounced stay for each track', false)
    .addOption(
      new Option(
        '--limit <part>',
        'with the true feet, identities, both of them (misses), or boxes of everybody: what is left is not lost there',
      ).choices(LIMITS),
    )
    .option('--region', 'the detector sees only the part of the picture around the zone', false)
    .addHelpText('after', LABELS_HELP)
    .action(async (root: string | undefined, options: VisitsOptions, command: Command) => {
      const own = ownCameraOptions(root, options, command);
      if (own) {
        const report = await evaluateOwnCamera(own);
        return printMeasured(options.json, report, () => ownCameraText(report));
      }
      if (root === undefined)
        throw new Error('Give a folder of sequences, or --video and --labels of your own camera.');
      if (options.region && (options.plain || options.limit))
        throw new Error('Choose one of --region, --plain and --limit.');
      if (options.plain && options.limit) throw new Error('Choose one of --plain and --limit.');
      const report = await evaluateVisits(root, options);
      printMeasured(options.json, report, () => visitsTable(report));
    });

const LABELS_HELP = `
Labels: CSV with the columns person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt and a line for each visit.
Times are seconds of the video or [h:]m:s. A cell is empty where there is no such time, or where the video ends first.
Other columns are ignored. Visits are matched by a temporal IoU of at least 0.5, separately for queue and service.
scripts/evaluate/README.md explains how to label: "Label your own camera".

Examples:
  npm run -s evaluate -- visits shared/mot --seeds 5
  npm run -s evaluate -- visits --video till.mp4 --labels till.csv --scene scene.json`;

/** Options that the scene file replaces, or that need more than labels. */
const OF_SEQUENCES = ['zones', 'seed', 'seeds', 'entry', 'confidence', 'plain', 'limit'];

/** @returns null to evaluate sequences. @throws Error where options of both are mixed, or one is missing */
function ownCameraOptions(
  root: string | undefined,
  { video, labels, scene, fps, model, accuracy }: VisitsOptions,
  command: Command,
): OwnCameraOptions | null {
  if (video === undefined && labels === undefined && scene === undefined) return null;
  if (video === undefined || labels === undefined) throw new Error('Give --video and --labels together.');
  if (root !== undefined) throw new Error('Choose one of a folder of sequences and --video.');
  const foreign = OF_SEQUENCES.filter((name) => command.getOptionValueSource(name) === 'cli');
  if (foreign.length === 0) return { video, labels, scene, fps, model, accuracy };
  const names = foreign.map((name) => `--${name}`).join(', ');
  throw new Error(`${names} cannot go with --video: zones and thresholds are those of the scene file.`);
}

interface SeedFigures {
  readonly sequences: Readonly<Record<string, VisitFigures>>;
  readonly static: VisitFigures;
  readonly moving: VisitFigures;
  readonly combined: VisitFigures;
}

interface VisitsReport extends SeedFigures {
  readonly fps: number;
  /** The figures above are those of all seeds together. */
  readonly seeds: readonly ({ readonly seed: number } & SeedFigures)[];
  /** With --region: the mean share of the picture that was analysed, how many zones had which size, and how well people in the zones are found. */
  readonly parts?: ReturnType<typeof sharesOf>;
}

interface Counted {
  readonly name: string;
  readonly camera: CameraKind;
  readonly seed: number;
  readonly counts: VisitCounts;
}

async function evaluateVisits(root: string, options: VisitsOptions): Promise<VisitsReport> {
  const folders = await findSequences(root);
  const seeds = Array.from({ length: options.seeds }, (_, at) => options.seed + at);
  const parts: SeenPart[] = [];
  const perFolder = await eachWithProgress('watching', folders, 'sequences', async (folder) => {
    const footage = await readFootage(folder, options.model, options.accuracy);
    const counted: Counted[] = [];
    for (const seed of seeds) {
      const scored = scoredFootage(footage, { ...options, seed });
      const counts = options.region
        ? await countInParts(footage, scored, options, parts)
        : countVisits(scored, observerOf(footage, scored, options));
      counted.push({ name: footage.name, camera: footage.camera, seed, counts });
    }
    return counted;
  });
  const all = perFolder.flat();
  const ofSeed = (seed: number) => figuresOfAll(all.filter((one) => one.seed === seed));
  return {
    fps: options.fps,
    ...figuresOfAll(all),
    seeds: seeds.map((seed) => ({ seed, ...ofSeed(seed) })),
    ...(options.region && { parts: sharesOf(parts) }),
  };
}

/** Each zone with the detections of the part of the picture around it. */
async function countInParts(
  footage: Footage,
  scored: ScoredFootage,
  { fps, model }: VisitsOptions,
  parts: SeenPart[],
): Promise<VisitCounts> {
  const counts: VisitCounts[] = [];
  for (const one of scored.zones) {
    const part = await seenAround(footage, one.zone, { fps, model });
    parts.push(part);
    const { frames } = part;
    counts.push(countVisits({ ...scored, frames, zones: [one] }, product(frames, scored.parameters)));
  }
  return addVisits(counts);
}

/** The mean share of the picture that was analysed, how often each size, and AP50 of the people in the zones. */
function sharesOf(parts: readonly SeenPart[]) {
  const sizes: Record<string, number> = {};
  for (const { size } of parts) sizes[shownSize(size)] = (sizes[shownSize(size)] ?? 0) + 1;
  const ap50 = (of: 'part' | 'whole') => averagePrecision(parts.flatMap(({ inZone }) => inZone[of])).ap50;
  return {
    meanShare: mean(parts.map(({ region }) => region.width * region.height)),
    sizes,
    personAp50: { whole: ap50('whole'), part: ap50('part') },
  };
}

function observerOf(footage: Footage, scored: ScoredFootage, options: VisitsOptions): Observer {
  const { thresholds, parameters } = scored;
  const knowsFeet = options.limit === 'feet' || options.limit === 'misses';
  const frames = knowsFeet ? withFeet(scored.frames, footage) : scored.frames;
  if (options.limit === 'identities' || options.limit === 'misses')
    return trueIdentities(frames, footage, thresholds);
  if (options.limit === 'detection') return trueBoxes(frames, footage, parameters);
  return options.plain ? plainDwell(frames, parameters, thresholds) : product(frames, parameters);
}

function figuresOfAll(counted: readonly Counted[]): SeedFigures {
  const of = (isPart: (one: Counted) => boolean) =>
    figuresOf(addVisits(counted.filter(isPart).map(({ counts }) => counts)));
  const names = [...new Set(counted.map(({ name }) => name))];
  return {
    sequences: Object.fromEntries(names.map((name) => [name, of((one) => one.name === name)])),
    static: of(({ camera }) => camera === 'static'),
    moving: of(({ camera }) => camera === 'moving'),
    combined: of(() => true),
  };
}

function visitsTable(report: VisitsReport): string {
  const groups = (['static', 'moving', 'combined'] as const).filter((group) => report[group].truthVisits > 0);
  const figures = figuresTable([
    ...Object.entries(report.sequences),
    ...groups.map((group) => [group, report[group]] as const),
  ]);
  const ranges = groups.map((group) => {
    const values = report.seeds.map((seed) => seed[group].f1 ?? 0);
    return `F1 of ${group} cameras over ${values.length} seeds: mean ${mean(values).toFixed(3)}, ${Math.min(...values).toFixed(3)}-${Math.max(...values).toFixed(3)}`;
  });
  return [figures, ...(report.seeds.length > 1 ? ranges : [])].join('\n');
}
