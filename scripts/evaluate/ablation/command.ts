import { Command } from 'commander';
import { DEFAULT_MODEL } from '../../../src/models/card.ts';
import { TRACKER_DEFAULTS } from '../../../src/vision/track/options.ts';
import { count, positive } from '../../support/options.ts';
import { printMeasured } from '../../support/print-measured.ts';
import { progress } from '../../support/terminal.ts';
import { findFootage, readFootage } from '../footage/footage.ts';
import { type ShopBoxes, shopBoxes } from '../simulated/simulated-shop.ts';
import { type JudgedFootage, judgedFootage } from '../visits/scored-footage.ts';
import { type AblationFigures, type Material, measure } from './measure.ts';
import { type OptionVariants, optionVariants, UNLIMITED, type Variant } from './variants.ts';

interface Options {
  readonly zones: number;
  readonly seed: number;
  readonly minutes: number;
  readonly model: string;
  readonly json: boolean;
}

interface MeasuredVariant extends Variant {
  readonly figures: AblationFigures;
}

interface MeasuredOption extends OptionVariants {
  readonly variants: readonly MeasuredVariant[];
}

interface AblationReport {
  /** With every option at its default. */
  readonly defaults: AblationFigures;
  readonly options: readonly MeasuredOption[];
}

const FPS = 5;
const SLOW_FPS = 3;
const ENTRY_SECONDS = 1;
const SHOP_SEEDS = [1, 2];

export function ablationCommand(): Command {
  return new Command('ablation')
    .description(
      'Measures what each option of the tracker and of the identity stage is worth: the visits of real sequences and of\n' +
        'simulated shops with the option at two thirds and at four thirds of its default, and off. Takes many minutes.',
    )
    .argument('<mot-root>', 'folder of sequences: NAME/gt/gt.txt, and NAME/det/det.txt or NAME/video.mp4')
    .option('--zones <number>', 'random queue zones for each sequence', count(1), 6)
    .option('--seed <number>', 'of the random zones', count(0), 1)
    .option('--minutes <number>', 'of each simulated shop', positive, 5)
    .option('--model <name>', 'detector of the videos, a card of models/', DEFAULT_MODEL)
    .option('--json', 'one JSON document on standard output', false)
    .action(async (root: string, options: Options) => {
      const report = ablate(await materialOf(root, options));
      printMeasured(options.json, report, () => ablationTable(report));
    });
}

async function materialOf(root: string, { zones, seed, minutes, model }: Options): Promise<Material> {
  const judged: JudgedFootage[] = [];
  const slow: JudgedFootage[] = [];
  const settings = { zones, seed, entry: ENTRY_SECONDS, confidence: TRACKER_DEFAULTS.confidenceThreshold };
  for (const folder of await findFootage(root)) {
    const footage = await readFootage(folder, model);
    judged.push(judgedFootage(footage, { ...settings, fps: FPS }));
    if (footage.camera === 'static') slow.push(judgedFootage(footage, { ...settings, fps: SLOW_FPS }));
  }
  const of = (wanted: JudgedFootage['camera']) => judged.filter(({ camera }) => camera === wanted);
  return { static: of('static'), moving: of('moving'), slow, shops: shopsOf(minutes) };
}

function shopsOf(minutes: number): ShopBoxes[] {
  return (['classic', 'crowd'] as const).flatMap((scenario) =>
    (['mot17', 'pets'] as const).flatMap((detections) =>
      SHOP_SEEDS.map((seed) => shopBoxes({ scenario, detections, seed, minutes, fps: FPS })),
    ),
  );
}

export function ablate(material: Material): AblationReport {
  const options = optionVariants();
  const total = 1 + options.reduce((sum, { variants }) => sum + variants.length, 0);
  const bar = progress('measuring', total, 'variants');
  let done = 0;
  const measured = (tuning: Variant['tuning']) => {
    const figures = measure(material, tuning);
    bar.update(++done);
    return figures;
  };
  try {
    return {
      defaults: measured({}),
      options: options.map((option) => ({
        ...option,
        variants: option.variants.map((variant) => ({ ...variant, figures: measured(variant.tuning) })),
      })),
    };
  } finally {
    bar.stop();
  }
}

const HEADINGS: Record<keyof AblationFigures, string> = {
  static: `F1 static, ${FPS}/s`,
  moving: `F1 moving, ${FPS}/s`,
  slow: `F1 static, ${SLOW_FPS}/s`,
  invented: 'shop invented',
  matched: 'shop matched',
};
const COLUMNS = Object.keys(HEADINGS) as (keyof AblationFigures)[];

/** Markdown: a row for each option, in a cell the change by each of its values, in percentage points. */
export function ablationTable({ defaults, options }: AblationReport): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const percent = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} %`);
  return [
    row(['option', 'value', 'tried', ...COLUMNS.map((column) => HEADINGS[column])]),
    `|---|${'---:|'.repeat(COLUMNS.length + 2)}`,
    row(['all at their defaults', '', '', ...COLUMNS.map((column) => percent(defaults[column]))]),
    ...options.map(({ stage, option, value, variants }) =>
      row([
        `${stage} \`${option}\``,
        shown(value),
        variants.map((variant) => shown(variant.value)).join(' / '),
        ...COLUMNS.map((column) =>
          variants.map(({ figures }) => changeOf(figures[column], defaults[column])).join(' / '),
        ),
      ]),
    ),
    '',
    'Tried: two thirds and four thirds of the value (a logarithm: one less and one more), then off where that makes sense.',
    'Changes in percentage points.',
  ].join('\n');
}

function shown(value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value >= UNLIMITED) return '∞';
  return String(value < 0 ? `−${-value}` : value);
}

function changeOf(value: number | null, usual: number | null): string {
  if (value === null || usual === null) return '–';
  const change = (value - usual).toFixed(1);
  if (Number(change) === 0) return '0';
  return change.startsWith('-') ? change.replace('-', '−') : `+${change}`;
}
