import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { prepareAttributeModels } from '../../../models/prepare.ts';
import { loadAttributeModels } from '../../../src/models/load-attribute-models.ts';
import { loadConfig, MODELS_DIR } from '../../../src/platform/config.ts';
import { EMBEDDED } from '../../../src/vision/attributes/attribute-model.ts';
import { ATTRIBUTE_CATEGORIES } from '../../../src/vision/attributes/keys.ts';
import { shown } from '../../support/numbers.ts';
import { positive } from '../../support/options.ts';
import { printing } from '../../support/printing.ts';
import { readJson } from '../../support/read-json.ts';
import { table } from '../../support/terminal.ts';
import { evaluation, modelOption } from '../options.ts';
import { DrawnTruth } from './drawn-people.ts';
import { type KeyScores, summarise } from './key-scores.ts';
import { readLabels, scoreCrops } from './score-crops.ts';
import { BARE_LEGS, scoreVideo } from './score-video.ts';

interface Options {
  readonly models: string;
  readonly labels?: string;
  readonly model: string;
  readonly fps: number;
  readonly looks: number;
}

export const attributesCommand = (): Command =>
  evaluation(
    'attributes',
    'Compares the answers of attribute models with the truth: precision, recall and coverage of each key. DIR holds labelled ' +
      'crops; VIDEO with TRUTH.json is a simulated shop, which goes through detector, tracker and attribute models.',
  )
    .argument('<input>', 'DIR of labelled crops, or VIDEO of `npm run simulate`')
    .argument('[truth]', 'TRUTH.json of the video')
    .option(
      '--models <names>',
      'attribute models, separated by commas; the first model that knows a key answers for it',
      EMBEDDED,
    )
    .option('--labels <file>', 'labels of the crops (default: labels.json in DIR)')
    .addOption(modelOption())
    .option('--fps <count>', 'frames a second of a video to analyse', positive, 5)
    .option(
      '--looks <count>',
      'crops of a video to classify a second; about the budget of the service',
      positive,
      4,
    )
    .action(printing(evaluate, describe));

async function evaluate(input: string, truthPath: string | undefined, options: Options) {
  const found = await stat(input).catch(() => null);
  if (!found)
    throw new Error(`There is no ${input}: give a folder of labelled crops, or a video and its truth.`);
  const models = options.models.split(',').map((name) => name.trim());
  const folders = { modelsDir: MODELS_DIR, cacheDir: loadConfig().modelCacheDir };
  await prepareAttributeModels(models, folders);
  const attributeModels = await loadAttributeModels(models, folders);
  try {
    if (found.isDirectory()) {
      const labels = await readLabels(options.labels ?? join(input, 'labels.json'));
      return reportOf(models, await scoreCrops(input, labels, attributeModels.all));
    }
    if (!truthPath)
      throw new Error(`Give the truth of ${input} too: npm run simulate writes it beside the video.`);
    const truth = await readJson(truthPath, DrawnTruth, {
      name: 'truth file',
      advice: 'give the file that `npm run simulate` wrote beside the video',
    });
    const { model, fps, looks: cropsPerSecond } = options;
    return reportOf(models, await scoreVideo(input, truth, { attributeModels, model, fps, cropsPerSecond }));
  } finally {
    await attributeModels.dispose();
  }
}

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'upper colours': ATTRIBUTE_CATEGORIES.upperColour,
  orientation: ATTRIBUTE_CATEGORIES.orientation,
  'sleeve length': ['shortSleeve', 'longSleeve'],
  'leg length': ['trousers', BARE_LEGS],
  'legs by garment': ['trousers', 'shorts', 'skirtDress'],
};

function reportOf(models: readonly string[], scores: KeyScores) {
  const keys = scores.scores();
  const groups = Object.fromEntries(
    Object.entries(GROUPS).map(([name, members]) => [name, summarise(keys, members)]),
  );
  return { models, agreement: scores.agreement, groups, keys };
}

function describe({ models, agreement, groups, keys }: Awaited<ReturnType<typeof evaluate>>): string {
  const rows = keys.map(({ key, people, holds, coverage, precision, recall, f1 }) => [
    ...[key, people, holds],
    ...[coverage, precision, recall, f1].map((value) => shown(value, 3)),
  ]);
  const groupRows = Object.entries(groups)
    .filter(([, { f1 }]) => f1 !== null)
    .map(([name, { f1, coverage }]) => [name, shown(f1, 3), shown(coverage, 3)]);
  return [
    table([['key', 'people', 'holds', 'coverage', 'precision', 'recall', 'F1'], ...rows]),
    ...(groupRows.length > 0 ? ['', table([['group', 'mean F1', 'least coverage'], ...groupRows])] : []),
    '',
    `${models.join(' + ')}: ${agreement.right} of ${agreement.of} answers are right.`,
  ].join('\n');
}
