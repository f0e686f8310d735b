import { Command } from 'commander';
import { loadConfig, MODELS_DIR } from '../src/config.ts';
import { DEFAULT_MODEL, type ModelCard, readAllCards, readCard, restrictionOf } from '../src/models/cards.ts';
import { requireUsable } from '../src/models/usable-models.ts';
import { type BenchResult, benchModel } from './models/bench.ts';
import { calibrateModel } from './models/calibrate.ts';
import { calibrateScores, writeScores } from './models/calibrate-scores.ts';
import { calibrationText } from './models/calibration-text.ts';
import { giveModel } from './models/give.ts';
import { pullModel } from './models/pull.ts';
import { isHere, scoresOf, verifyModel } from './models/status.ts';
import { printMeasured } from './support/printing.ts';
import { main, print, table } from './support/terminal.ts';

const places = () => ({ modelsDir: MODELS_DIR, cacheDir: loadConfig().modelCacheDir });
const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`"${text}" is not a whole number above 0.`);
  return value;
};

/** On standard error: `--json` stays one document. */
function warnOf(card: ModelCard): void {
  const restriction = restrictionOf(card);
  if (restriction) process.stderr.write(`Warning: ${restriction}\n`);
}

function originOf({ source }: ModelCard): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'npm') return source.package;
  return source.kind === 'file' ? source.path : 'a file of yours';
}

interface CalibrateOptions {
  readonly data: string;
  readonly dryRun: boolean;
  readonly json: boolean;
}

const program = new Command('models').description(
  `Detectors and attribute networks: the cards of models/ and the files behind them. The default detector is ${DEFAULT_MODEL}.`,
);

program
  .command('list')
  .description('every model: its input, licence, and whether it is here')
  .option('--json', 'one JSON document on standard output', false)
  .action(async ({ json }: { json: boolean }) => {
    const cards = await readAllCards(MODELS_DIR);
    const models = await Promise.all(
      cards.map(async (card) => ({
        name: card.name,
        task: card.task,
        title: card.title,
        isDefault: card.name === DEFAULT_MODEL,
        isHere: await isHere(card, places()),
        input: `${card.input.width}×${card.input.height}`,
        licence: card.licence,
        usage: card.usage,
        scores: card.task === 'detect' ? scoresOf(card) : '',
        source: originOf(card),
      })),
    );
    for (const card of cards) warnOf(card);
    print(json, { models }, () =>
      table([
        ['name', 'task', 'title', 'here', 'scores', 'usage', 'licence'],
        ...models.map(({ name, task, title, isHere: here, isDefault, scores, usage, licence }) => [
          name,
          task,
          title,
          here ? (isDefault ? 'yes (default)' : 'yes') : 'no',
          scores,
          usage === 'any' ? 'any' : 'research only',
          licence,
        ]),
      ]),
    );
  });

program
  .command('pull')
  .description('fetches a model, verifies its sha256 and prepares it')
  .argument('<name>', 'a name of `models list`')
  .option('--from <file>', 'take this file instead of the address on the card')
  .action(async (name: string, { from }: { from?: string }) => {
    const card = await readCard(MODELS_DIR, name);
    requireUsable(card, loadConfig());
    warnOf(card);
    if (card.task !== 'detect') {
      const { bytes, sha256 } = await giveModel({ card, from, ...places() });
      process.stdout.write(`${name}: ${bytes} bytes, sha256 ${sha256}; ready to use.\n`);
      return;
    }
    const bytes = await pullModel({ card, from, ...places() });
    process.stdout.write(`${name}: ${bytes} bytes, sha256 right; ready to use.\n`);
  });

program
  .command('verify')
  .description('compares every byte of the models that are here with the sha256 of their cards')
  .argument('[name]', 'one model; all by default')
  .option('--json', 'one JSON document on standard output', false)
  .action(async (name: string | undefined, { json }: { json: boolean }) => {
    const cards = name ? [await readCard(MODELS_DIR, name)] : await readAllCards(MODELS_DIR);
    const models = await Promise.all(cards.map((card) => verifyModel(card, places())));
    print(json, { models }, () =>
      table([['name', 'state', ''], ...models.map(({ name, state, message }) => [name, state, message])]),
    );
    const missing = name !== undefined && models.some(({ state }) => state === 'not pulled');
    if (missing || models.some(({ state }) => state === 'wrong')) process.exitCode = 1;
  });

program
  .command('bench')
  .description('milliseconds a frame; all models that are here unless named')
  .argument('[names...]', 'names of `models list`')
  .option('--frames <count>', 'frames per model', positive, 50)
  .option('--threads <count>', 'threads of one inference', positive, 1)
  .option('--json', 'one JSON document on standard output', false)
  .action(async (names: string[], options: { frames: number; threads: number; json: boolean }) => {
    const here = [];
    for (const card of names.length > 0 ? [] : await readAllCards(MODELS_DIR)) {
      if (card.task === 'detect' && (await isHere(card, places()))) here.push(card.name);
    }
    const models: BenchResult[] = [];
    for (const name of [...names, ...here]) models.push(await benchModel(name, { ...places(), ...options }));
    printMeasured(options.json, { threads: options.threads, models }, () =>
      table([
        ['name', 'input', 'scores', 'CPU ms/frame', 'ms/frame'],
        ...models.map(({ name, input, scores, cpuMsPerFrame, msPerFrame }) => [
          name,
          input,
          scores,
          Number(cpuMsPerFrame.toFixed(1)),
          Number(msPerFrame.toFixed(1)),
        ]),
      ]),
    );
  });

program
  .command('calibrate')
  .description('for developers: makes the table of ranges by which a model is quantised, from pictures')
  .argument('<name>', 'a model whose card has "quantise"')
  .argument('<images>', 'folder of JPEG or PNG pictures like those of cameras')
  .action(async (name: string, images: string) => {
    process.stdout.write(`${await calibrateModel(name, images, places())} written.\n`);
  });

program
  .command('calibrate-scores')
  .description(
    'makes probabilities of a detector’s scores: fits curves over raw score and height of the box on labelled pictures, ' +
      'checks them on held-out halves and puts them on the card',
  )
  .argument('<name>', 'a detector of `models list`')
  .argument('<images>', 'folder of JPEG or PNG pictures like those of cameras')
  .argument('<labels>', 'folder of <picture>.txt: class, centre x, centre y, width, height, as fractions')
  .option('--data <text>', 'what the pictures are: stands on the card', 'own pictures')
  .option('--dry-run', 'leave the card as it is', false)
  .option('--json', 'one JSON document on standard output', false)
  .action(async (name: string, images: string, labels: string, options: CalibrateOptions) => {
    const result = await calibrateScores(name, { images, labels, ...places() });
    const { data, dryRun, json } = options;
    const file = dryRun ? null : await writeScores(name, result, { modelsDir: MODELS_DIR, data });
    print(json, { ...result, file }, () => calibrationText(result, file));
  });

await main(() => program.parseAsync());
