import { Command } from 'commander';
import { prepareModels, toStandardError } from '../models/prepare.ts';
import { DEFAULT_MODEL, type ModelCard, readAllCards, readCard, restrictionOf } from '../src/models/cards.ts';
import { isHere } from '../src/models/model-sources.ts';
import { requireUsable } from '../src/models/usable-models.ts';
import { loadConfig } from '../src/platform/config.ts';
import { acceptFile, askAtTerminal } from './models/accept.ts';
import { type BenchResult, benchModel } from './models/bench.ts';
import { benchGpus } from './models/bench-gpus.ts';
import { calibrateModel } from './models/calibrate.ts';
import { calibrateScores, writeScores } from './models/calibrate-scores.ts';
import { calibrationText } from './models/calibration-text.ts';
import { giveModel } from './models/give.ts';
import { pullModel } from './models/pull.ts';
import { recommendation } from './models/recommend.ts';
import { scoresOf, verifyModel } from './models/status.ts';
import { count, digest } from './support/options.ts';
import { printing, printMeasured } from './support/printing.ts';
import { main, parseCommands, table } from './support/terminal.ts';

const folders = () => {
  const { modelsDir, modelCacheDir: cacheDir } = loadConfig();
  return { modelsDir, cacheDir };
};

/** On standard error, because `--json` prints one document on standard output. */
function warnOf(card: ModelCard): void {
  const restriction = restrictionOf(card);
  if (restriction) process.stderr.write(`Warning: ${restriction}\n`);
}

function originOf({ source }: ModelCard): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'npm') return source.package;
  return source.kind === 'file' ? source.path : 'a file of yours';
}

const program = new Command('models').description(
  `Detectors and attribute networks: the cards of models/ and their files. The default detector is ${DEFAULT_MODEL}.`,
);

const command = (name: string, description: string): Command =>
  program.command(name).description(description);
const JSON_OPTION = ['--json', 'print one JSON document', false] as const;

async function listModels() {
  const cards = await readAllCards(folders().modelsDir);
  for (const card of cards) warnOf(card);
  const models = cards.map(async (card) => ({
    ...{ name: card.name, task: card.task, title: card.title, isDefault: card.name === DEFAULT_MODEL },
    isHere: await isHere(card, folders()),
    input: `${card.input.width}×${card.input.height}`,
    ...{ licence: card.licence, usage: card.usage },
    scores: card.task === 'detect' ? scoresOf(card) : '',
    source: originOf(card),
  }));
  return { models: await Promise.all(models) };
}

command('list', 'list all models: input, licence, and whether the file is here')
  .option(...JSON_OPTION)
  .action(
    printing(listModels, ({ models }) =>
      table([
        ['name', 'task', 'title', 'here', 'scores', 'usage', 'licence'],
        ...models.map(({ name, task, title, isHere: here, isDefault, scores, usage, licence }) => [
          ...[name, task, title, here ? (isDefault ? 'yes (default)' : 'yes') : 'no', scores],
          ...[usage === 'any' ? 'any' : 'research only', licence],
        ]),
      ]),
    ),
  );

interface PullOptions {
  readonly from?: string;
  readonly accept?: string;
  readonly yes: boolean;
}

command('pull', 'download a model, verify its sha256 and prepare it')
  .argument('<name>', 'a name of `models list`')
  .option('--from <file>', 'use this file instead of the address on the card')
  .option('--accept <sha256>', 'for a card without a sha256: take the file only if it has this one', digest)
  .option('--yes', 'for a card without a sha256: take the file whatever its sha256 is', false)
  .action(async (name: string, { from, accept, yes }: PullOptions) => {
    const card = await readCard(folders().modelsDir, name);
    requireUsable(card, loadConfig());
    warnOf(card);
    if (card.task === 'detect' && card.source.kind !== 'given') {
      const bytes = await pullModel({ card, from, ...folders() });
      process.stdout.write(`${name}: ${bytes} bytes, sha256 right; ready to use.\n`);
    } else {
      const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
      const given = await giveModel({
        ...{ card, from, ...folders() },
        accept: (file) => acceptFile(file, { accept, yes, ask: askAtTerminal() }, say),
      });
      process.stdout.write(`${name}: ${given.bytes} bytes, sha256 ${given.sha256}; ready to use.\n`);
    }
  });

command('prepare', 'make the ready files of models whose files are here')
  .argument('[names...]', 'names of `models list` (default: all that are here)')
  .action(async (names: string[]) => {
    const { modelsDir } = folders();
    const all = names.length === 0 ? await readAllCards(modelsDir) : [];
    const here = await Promise.all(all.map((card) => isHere(card, folders())));
    const named = await Promise.all(names.map((name) => readCard(modelsDir, name)));
    const cards = [...named, ...all.filter((_, at) => here[at])];
    await prepareModels(cards, folders(), toStandardError);
    process.stdout.write(`Ready to use: ${cards.map(({ name }) => name).join(', ')}.\n`);
  });

async function verifyModels(name: string | undefined) {
  const cards = name ? [await readCard(folders().modelsDir, name)] : await readAllCards(folders().modelsDir);
  const models = await Promise.all(cards.map((card) => verifyModel(card, folders())));
  const isMissing = name !== undefined && models.some(({ state }) => state === 'not pulled');
  if (isMissing || models.some(({ state }) => state === 'wrong')) process.exitCode = 1;
  return { models };
}

command('verify', 'compare every byte of the models that are here with the sha256 of their cards')
  .argument('[name]', 'one model (default: all)')
  .option(...JSON_OPTION)
  .action(
    printing(verifyModels, ({ models }) =>
      table([['name', 'state', ''], ...models.map(({ name, state, message }) => [name, state, message])]),
    ),
  );

async function benchModels(names: string[], { frames, threads }: { frames: number; threads: number }) {
  const models: BenchResult[] = [];
  const cards = await readAllCards(folders().modelsDir);
  const here = cards.map(async (card) => card.task === 'detect' && (await isHere(card, folders())));
  const isMeasured = await Promise.all(here);
  const all = cards.filter((_, at) => isMeasured[at]).map(({ name }) => name);
  const chosen = names.length > 0 ? names : all;
  for (const name of chosen) models.push(await benchModel(name, { ...folders(), frames, threads }));
  const gpus = await benchGpus(chosen, folders());
  const detectors = cards.filter((card) => card.task === 'detect');
  const absent = detectors.filter((card) => card.usage === 'any' && !all.includes(card.name));
  const standard = detectors.find(({ name }) => name === DEFAULT_MODEL)!;
  return { threads, models, gpus, recommendation: recommendation(models, standard, absent) };
}

command('bench', 'measure milliseconds a frame on the CPU and on GPUs, and recommend a model')
  .argument('[names...]', 'names of `models list` (default: all detectors that are here)')
  .option('--frames <count>', 'frames for each model', count(1), 50)
  .option('--threads <count>', 'threads of one inference', count(1), 1)
  .option(...JSON_OPTION)
  .action(
    printing(
      benchModels,
      ({ models, gpus, recommendation: said }) =>
        [
          table([
            ['name', 'input', 'scores', 'runs on', 'person AP50', 'CPU ms/frame', 'ms/frame'],
            ...models.map(({ name, input, scores, accuracy, cpuMsPerFrame, msPerFrame }) => [
              ...[name, input, scores, 'cpu', accuracy?.personAp50 ?? 'unknown'],
              ...[Number(cpuMsPerFrame.toFixed(1)), Number(msPerFrame.toFixed(1))],
            ]),
            ...gpus.map(({ name, provider, adapter, msPerFrame, reason, batch }) => [
              ...[name, '', '', adapter === null ? provider : `${provider} (${adapter})`, '', ''],
              msPerFrame === null
                ? (reason ?? '')
                : `${msPerFrame.toFixed(1)}${batch ? `, ${batch.ms.toFixed(1)} in runs of ${batch.size}` : ''}`,
            ]),
          ]),
          said,
        ].join('\n'),
      printMeasured,
    ),
  );

command('calibrate', 'for developers: measure the ranges for the quantisation of a model on images')
  .argument('<name>', 'a model whose card has "quantise"')
  .argument('<images>', 'folder of JPEG or PNG images like those of cameras')
  .action(async (name: string, images: string) => {
    process.stdout.write(`${await calibrateModel(name, images, folders())} written.\n`);
  });

command(
  'calibrate-scores',
  'turn the scores of a detector into probabilities: fit curves over raw score and height of the box on labelled images, ' +
    'check them on held-out halves and write them to the card',
)
  .argument('<name>', 'a detector of `models list`')
  .argument('<images>', 'folder of JPEG or PNG images like those of cameras')
  .argument('<labels>', 'folder of <image>.txt: class, centre x, centre y, width, height, as fractions')
  .option('--data <text>', 'the origin of the images, for the card', 'own pictures')
  .option('--dry-run', 'do not change the card', false)
  .option(...JSON_OPTION)
  .action(
    printing(
      async (
        name: string,
        images: string,
        labels: string,
        { data, dryRun }: { readonly data: string; readonly dryRun: boolean },
      ) => {
        const result = await calibrateScores(name, { images, labels, ...folders() });
        const file = dryRun
          ? null
          : await writeScores(name, result, { modelsDir: folders().modelsDir, data });
        return { ...result, file };
      },
      (result) => calibrationText(result, result.file),
    ),
  );

await main(() => parseCommands(program));
