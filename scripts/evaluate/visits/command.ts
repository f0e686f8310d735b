import { Command } from 'commander';
import { DEFAULT_MODEL } from '../../../src/models/card.ts';
import { TRACKER_DEFAULTS } from '../../../src/vision/track/options.ts';
import { count, positive, share } from '../../support/options.ts';
import { printMeasured } from '../../support/print-measured.ts';
import { progress } from '../../support/terminal.ts';
import { type CameraKind, type Footage, findFootage, readFootage } from '../footage/footage.ts';
import { figuresTable } from './figures-table.ts';
import { type Observer, plainDwell, product, trueIdentities } from './observers.ts';
import { evaluateOwnCamera, type OwnCameraOptions, ownCameraText } from './own-camera.ts';
import { figuresOf, sum, type VisitCounts, type VisitFigures } from './score-zone.ts';
import { countVisits, type JudgedFootage, judgedFootage } from './scored-footage.ts';

interface VisitsOptions {
  readonly fps: number;
  readonly zones: number;
  readonly seed: number;
  readonly seeds: number;
  readonly entry: number;
  readonly confidence: number;
  readonly model: string;
  readonly video?: string;
  readonly labels?: string;
  readonly scene?: string;
  readonly plain: boolean;
  readonly oracle: boolean;
  readonly json: boolean;
}

export function visitsCommand(): Command {
  return new Command('visits')
    .description(
      'Holds visits against the truth: of random zones on real sequences with ground truth, or with --video of your own camera against your labels.',
    )
    .argument('[mot-root]', 'folder of sequences: NAME/gt/gt.txt, and NAME/det/det.txt or NAME/video.mp4')
    .option('--fps <number>', 'frames a second to analyse', positive, 5)
    .option('--model <name>', 'detector of the videos, a card of models/', DEFAULT_MODEL)
    .option('--json', 'one JSON document on standard output', false)
    .optionsGroup('Your own camera:')
    .option('--video <file>', 'a recording, instead of sequences')
    .option('--labels <file.csv>', 'its true visits, a line each; columns below')
    .option(
      '--scene <file.json>',
      '{ "zones": …, "parameters": … } as in the API; without it the whole picture is the queue',
    )
    .optionsGroup('Sequences:')
    .option('--zones <number>', 'random queue zones for each sequence', count(1), 20)
    .option('--seed <number>', 'of the random zones', count(0), 1)
    .option('--seeds <number>', 'seeds from there on; their mean and range are printed', count(1), 1)
    .option('--entry <seconds>', 'entry threshold; the exit threshold is 1 s', positive, 1)
    .option('--confidence <share>', 'score a track begins with', share, TRACKER_DEFAULTS.confidenceThreshold)
    .option(
      '--plain',
      'instead of the product: its tracker with a plain debounced stay for each track',
      false,
    )
    .option('--oracle', 'instead of the product: the detections with their true identities, a limit', false)
    .addHelpText('after', LABELS_HELP)
    .action(async (root: string | undefined, options: VisitsOptions, command: Command) => {
      const own = ownCameraOptions(root, options, command);
      if (own) {
        const report = await evaluateOwnCamera(own);
        return printMeasured(options.json, report, () => ownCameraText(report));
      }
      if (root === undefined)
        throw new Error('Give a folder of sequences, or --video and --labels of your own camera.');
      if (options.plain && options.oracle) throw new Error('Choose one of --plain and --oracle.');
      const report = await evaluateVisits(root, options);
      printMeasured(options.json, report, () => visitsTable(report));
    });
}

const LABELS_HELP = `
Labels: CSV with the columns person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt and a line for each visit.
Times are seconds of the video or [h:]m:s, empty where there is none; an end is also empty where the video ends first.
Other columns are left out. A visit is matched by a temporal IoU of at least 0.5, queue and service each for itself.
The README tells how to label: "Label your own camera".

Examples:
  npm run -s evaluate -- visits shared/mot --seeds 5
  npm run -s evaluate -- visits --video till.mp4 --labels till.csv --scene scene.json`;

/** What the scene file says, or what needs more than labels. */
const OF_SEQUENCES = ['zones', 'seed', 'seeds', 'entry', 'confidence', 'plain', 'oracle'];

/** @returns null where sequences are judged. @throws Error where options of both are given, or one is missing */
function ownCameraOptions(
  root: string | undefined,
  { video, labels, scene, fps, model }: VisitsOptions,
  command: Command,
): OwnCameraOptions | null {
  if (video === undefined && labels === undefined && scene === undefined) return null;
  if (video === undefined || labels === undefined) throw new Error('Give --video and --labels together.');
  if (root !== undefined) throw new Error('Choose one of a folder of sequences and --video.');
  const foreign = OF_SEQUENCES.filter((name) => command.getOptionValueSource(name) === 'cli');
  if (foreign.length === 0) return { video, labels, scene, fps, model };
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
        const judged = judgedFootage(footage, { ...options, seed: options.seed + index });
        const counts = countVisits(judged, observerOf(footage, judged, options));
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

function observerOf(footage: Footage, judged: JudgedFootage, options: VisitsOptions): Observer {
  const { frames, thresholds, parameters } = judged;
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

function visitsTable(report: VisitsReport): string {
  const groups = (['static', 'moving', 'combined'] as const).filter((group) => report[group].truthVisits > 0);
  const figures = figuresTable([
    ...Object.entries(report.sequences),
    ...groups.map((group) => [group, report[group]] as const),
  ]);
  const ranges = groups.map((group) => {
    const values = report.seeds.map((seed) => seed[group].f1 ?? 0);
    const mean = values.reduce((total, value) => total + value, 0) / values.length;
    return `F1 of ${group} cameras over ${values.length} seeds: mean ${mean.toFixed(3)}, ${Math.min(...values).toFixed(3)}-${Math.max(...values).toFixed(3)}`;
  });
  return [figures, ...(report.seeds.length > 1 ? ranges : [])].join('\n');
}
