import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadConfig, MODELS_DIR } from '../../../src/config.ts';
import { DEFAULT_MODEL } from '../../../src/models/card.ts';
import { loadAttributeModels } from '../../../src/models/load-attribute-models.ts';
import { EMBEDDED } from '../../../src/vision/attributes/attribute-model.ts';
import { ATTRIBUTE_CATEGORIES } from '../../../src/vision/attributes/keys.ts';
import { positive } from '../../support/options.ts';
import { print, table } from '../../support/terminal.ts';
import { DrawnTruth } from './drawn-people.ts';
import { type KeyScore, type KeyScores, summarise } from './key-scores.ts';
import { judgeCrops, readLabels } from './score-crops.ts';
import { BARE_LEGS, judgeShop } from './score-shop.ts';

interface Options {
  readonly models: string;
  readonly labels?: string;
  readonly model: string;
  readonly fps: number;
  readonly looks: number;
  readonly json: boolean;
}

export function attributesCommand(): Command {
  return new Command('attributes')
    .description(
      'Compares what is said about people with the truth: precision, recall and coverage of each key. DIR holds labelled crops; ' +
        'VIDEO with TRUTH.json is a simulated shop, sent through detector, tracker and attribute models.',
    )
    .argument('<input>', 'DIR of labelled crops, or VIDEO of `npm run simulate`')
    .argument('[truth]', 'TRUTH.json of the video')
    .option(
      '--models <names>',
      'attribute models, separated by commas: the first that knows a key owns it',
      EMBEDDED,
    )
    .option('--labels <file>', 'labels of the crops; labels.json in DIR where not given')
    .option('--model <name>', 'detector for a video, a card of models/', DEFAULT_MODEL)
    .option('--fps <count>', 'frames a second of a video that are looked at', positive, 5)
    .option(
      '--looks <count>',
      'looks at single people a second of a video; about the service’s budget',
      positive,
      4,
    )
    .option('--json', 'one JSON document on standard output', false)
    .action(async (input: string, truth: string | undefined, options: Options) => {
      const report = await evaluate(input, truth, options);
      print(options.json, report, () => show(report));
    });
}

interface Report {
  readonly models: readonly string[];
  readonly agreement: { readonly right: number; readonly of: number };
  readonly groups: Readonly<Record<string, { f1: number | null; coverage: number | null }>>;
  readonly keys: readonly KeyScore[];
}

async function evaluate(input: string, truthPath: string | undefined, options: Options): Promise<Report> {
  const found = await stat(input).catch(() => null);
  if (!found)
    throw new Error(`There is no ${input}: give a folder of labelled crops, or a video and its truth.`);
  const models = options.models.split(',').map((name) => name.trim());
  const place = { modelsDir: MODELS_DIR, cacheDir: loadConfig().modelCacheDir };
  const attributeModels = await loadAttributeModels(models, place);
  try {
    if (found.isDirectory()) {
      const labels = await readLabels(options.labels ?? join(input, 'labels.json'));
      return reportOf(models, await judgeCrops(input, labels, attributeModels.all));
    }
    if (!truthPath)
      throw new Error(`Give the truth of ${input} too: npm run simulate writes it beside the video.`);
    const truth = await readTruth(truthPath);
    const { model, fps, looks: looksPerSecond } = options;
    return reportOf(models, await judgeShop(input, truth, { attributeModels, model, fps, looksPerSecond }));
  } finally {
    await attributeModels.dispose();
  }
}

async function readTruth(path: string): Promise<DrawnTruth> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} cannot be read. A truth file is written by \`npm run simulate\`.`);
  });
  const parsed = DrawnTruth.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new Error(`${path} does not fit: ${issue.path.join('.')}: ${issue.message}.`);
}

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'upper colours': ATTRIBUTE_CATEGORIES.upperColour,
  orientation: ATTRIBUTE_CATEGORIES.orientation,
  'sleeve length': ['shortSleeve', 'longSleeve'],
  'leg length': ['trousers', BARE_LEGS],
  'legs by garment': ['trousers', 'shorts', 'skirtDress'],
};

function reportOf(models: readonly string[], scores: KeyScores): Report {
  const keys = scores.scores();
  const groups = Object.fromEntries(
    Object.entries(GROUPS).map(([name, members]) => [name, summarise(keys, members)]),
  );
  return { models, agreement: scores.agreement, groups, keys };
}

function show({ models, agreement, groups, keys }: Report): string {
  const shown = (share: number | null) => (share === null ? '–' : share.toFixed(3));
  const rows = keys.map(({ key, people, holds, coverage, precision, recall, f1 }) => [
    ...[key, people, holds],
    ...[coverage, precision, recall, f1].map(shown),
  ]);
  const groupRows = Object.entries(groups)
    .filter(([, { f1 }]) => f1 !== null)
    .map(([name, { f1, coverage }]) => [name, shown(f1), shown(coverage)]);
  return [
    table([['key', 'people', 'holds', 'coverage', 'precision', 'recall', 'F1'], ...rows]),
    ...(groupRows.length > 0 ? ['', table([['group', 'mean F1', 'least coverage'], ...groupRows])] : []),
    '',
    `${models.join(' + ')}: ${agreement.right} of ${agreement.of} sayings are right.`,
  ].join('\n');
}
