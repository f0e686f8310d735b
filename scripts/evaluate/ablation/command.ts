import type { Command } from 'commander';
import { TRACKER_DEFAULTS } from '../../../src/vision/track/options.ts';
import { count, positive } from '../../support/options.ts';
import { printing, printMeasured } from '../../support/printing.ts';
import { eachWithProgress } from '../../support/terminal.ts';
import { readFootage } from '../footage/footage.ts';
import { findSequences } from '../footage/mot-files.ts';
import { evaluation, FOOTAGE_ROOT, modelOption } from '../options.ts';
import { type SimulatedShop, simulateShop } from '../simulated/simulated-shop.ts';
import { type ScoredFootage, scoredFootage } from '../visits/scored-footage.ts';
import { type AblationFigures, type Material, measure } from './measure.ts';
import { type OptionVariants, optionVariants, UNLIMITED, type Variant } from './variants.ts';

interface Options {
  readonly zones: number;
  readonly seed: number;
  readonly minutes: number;
  readonly model: string;
}

interface MeasuredOption extends OptionVariants {
  readonly variants: readonly (Variant & { readonly figures: AblationFigures })[];
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

export const ablationCommand = (): Command =>
  evaluation(
    'ablation',
    'Measures the effect of each option of the tracker and of the identity stage: the visits of real sequences and of\n' +
      'simulated shops with the option at two thirds and at four thirds of its default, and off. Takes many minutes.',
  )
    .argument('<mot-root>', FOOTAGE_ROOT)
    .option('--zones <number>', 'random queue zones for each sequence', count(1), 6)
    .option('--seed <number>', 'seed of the random zones', count(0), 1)
    .option('--minutes <number>', 'length of each simulated shop', positive, 5)
    .addOption(modelOption())
    .action(
      printing(
        async (root: string, options: Options) => ablate(await materialOf(root, options)),
        ablationTable,
        printMeasured,
      ),
    );

async function materialOf(root: string, { zones, seed, minutes, model }: Options): Promise<Material> {
  const all: ScoredFootage[] = [];
  const slow: ScoredFootage[] = [];
  const settings = { zones, seed, entry: ENTRY_SECONDS, confidence: TRACKER_DEFAULTS.confidenceThreshold };
  for (const folder of await findSequences(root)) {
    const footage = await readFootage(folder, model);
    all.push(scoredFootage(footage, { ...settings, fps: FPS }));
    if (footage.camera === 'static') slow.push(scoredFootage(footage, { ...settings, fps: SLOW_FPS }));
  }
  const of = (kind: ScoredFootage['camera']) => all.filter(({ camera }) => camera === kind);
  return { static: of('static'), moving: of('moving'), slow, shops: shopsOf(minutes) };
}

function shopsOf(minutes: number): SimulatedShop[] {
  return (['classic', 'crowd'] as const).flatMap((scenario) =>
    (['mot17', 'pets'] as const).flatMap((detections) =>
      SHOP_SEEDS.map((seed) => simulateShop({ scenario, detections, seed, minutes, fps: FPS })),
    ),
  );
}

export async function ablate(material: Material): Promise<AblationReport> {
  const options = optionVariants();
  const tunings = [{}, ...options.flatMap(({ variants }) => variants.map(({ tuning }) => tuning))];
  const [defaults, ...figures] = await eachWithProgress('measuring', tunings, 'variants', (tuning) =>
    measure(material, tuning),
  );
  return {
    defaults: defaults!,
    options: options.map((option) => ({
      ...option,
      variants: option.variants.map((variant) => ({ ...variant, figures: figures.shift()! })),
    })),
  };
}

const HEADINGS: Record<keyof AblationFigures, string> = {
  static: `F1 static, ${FPS}/s`,
  moving: `F1 moving, ${FPS}/s`,
  slow: `F1 static, ${SLOW_FPS}/s`,
  invented: 'shop invented',
  matched: 'shop matched',
};
const COLUMNS = Object.keys(HEADINGS) as (keyof AblationFigures)[];

/** A Markdown table with a row for each option. A cell has the change by each value, in percentage points. */
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
    'Tried: two thirds and four thirds of the value (for a logarithm one less and one more), then off where that is possible.',
    'Changes are in percentage points.',
  ].join('\n');
}

function shown(value: number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value >= UNLIMITED) return '∞';
  return String(value < 0 ? `−${-value}` : value);
}

function changeOf(value: number | null, byDefault: number | null): string {
  if (value === null || byDefault === null) return '–';
  const change = (value - byDefault).toFixed(1);
  if (Number(change) === 0) return '0';
  return change.startsWith('-') ? change.replace('-', '−') : `+${change}`;
}
