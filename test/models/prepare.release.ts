import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { prepareModel, prepareModels } from '../../models/prepare.ts';
import type { AttributeCard } from '../../src/models/attribute-card.ts';
import { cardsOfNetworks } from '../../src/models/load-attribute-models.ts';
import type { ModelFolders } from '../../src/models/model-sources.ts';
import { findReady, isReady, readyModel, requireReady } from '../../src/models/ready-models.ts';
import { MODELS_DIR } from '../../src/platform/config.ts';

let folders: ModelFolders;
let cards: AttributeCard[];
beforeEach(async () => {
  folders = { modelsDir: MODELS_DIR, cacheDir: await mkdtemp(join(tmpdir(), 'models-')) };
  // Names of their own, because the real ones are ready.
  cards = (await cardsOfNetworks(['embedded'], MODELS_DIR)).map((card) => ({
    ...card,
    name: `own-${card.name}`,
  }));
});
afterEach(() => rm(folders.cacheDir, { recursive: true }));

const cached = () => readdir(folders.cacheDir);

test('models are prepared with a counter, and a run that was cut short goes on where it was', async () => {
  const [first] = cards;
  await prepareModel(first!, folders);
  const steps: string[] = [];
  const prepare = () => prepareModels(cards, folders, (step) => void steps.push(step));
  await prepare();
  expect(steps).toEqual([
    'Preparing the model own-blazeface-front (2 of 3) …',
    'Preparing the model own-faceres (3 of 3) …',
  ]);
  expect(await Promise.all(cards.map((card) => isReady(card, folders)))).toEqual([true, true, true]);
  await prepare();
  expect(steps).toHaveLength(2);
});

test('a damaged file is not opened, and is made anew', async () => {
  const card = cards[1]!;
  const whole = await prepareModel(card, folders);
  const [file = ''] = await cached();
  await writeFile(join(folders.cacheDir, file), whole.subarray(0, whole.length / 2));
  expect(await findReady(card, folders)).toBeNull();
  await expect(readyModel(card, folders)).rejects.toThrow(
    'The model own-blazeface-front is not ready for 128×128: run `npm run models -- prepare own-blazeface-front`.',
  );
  await prepareModels([card], folders);
  expect(await cached()).toEqual([file]);
  expect(await readFile(join(folders.cacheDir, file))).toEqual(Buffer.from(whole));
});

test('two runs at once leave one file each, and what a killed run left goes after an hour', async () => {
  const [old, recent] = ['old.partial', 'recent.partial'].map((name) => join(folders.cacheDir, name));
  await writeFile(old!, 'a part');
  await writeFile(recent!, 'a part');
  const then = Date.now() / 1000 - 3700;
  await utimes(old!, then, then);
  await Promise.all([prepareModels(cards, folders), prepareModels(cards, folders)]);
  const names = await cached();
  expect(names.filter((name) => name.endsWith('.onnx'))).toHaveLength(3);
  expect(names.filter((name) => !name.endsWith('.onnx'))).toEqual(['recent.partial']);
});

test('a model that is not ready is named before anything is opened', async () => {
  await prepareModel(cards[0]!, folders);
  await expect(requireReady(cards, folders)).rejects.toThrow(/^The model own-blazeface-front is not ready/);
});

test('a cache that cannot be written is told', async () => {
  const cacheDir = join(folders.cacheDir, 'a-file');
  await writeFile(cacheDir, '');
  expect((await stat(cacheDir)).isFile()).toBe(true);
  await expect(prepareModel(cards[1]!, { ...folders, cacheDir })).rejects.toThrow(
    /does not take \d+ MB \((EEXIST|ENOTDIR)\): .*MODEL_CACHE_DIR/,
  );
});
