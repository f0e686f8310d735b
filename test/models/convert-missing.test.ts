import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cardsOfNetworks } from '../../src/models/load-attribute-models.ts';
import { convertMissing, isPrepared, prepareModel } from '../../src/models/model-store.ts';
import { MODELS_DIR } from '../../src/platform/config.ts';

let cacheDir: string;
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'models-'));
});
afterAll(() => rm(cacheDir, { recursive: true }));

test('models are converted with a counter, and a start that was cut short goes on where it was', async () => {
  const folders = { modelsDir: MODELS_DIR, cacheDir };
  const cards = await cardsOfNetworks(['embedded'], MODELS_DIR);
  await prepareModel(cards[0]!, folders);
  const steps: string[] = [];
  const convert = () => convertMissing(cards, { ...folders, onProgress: (step) => void steps.push(step) });
  await convert();
  expect(steps).toEqual([
    'Preparing the model 2 of 3 (blazeface-front, 128×128) for its first use',
    'Preparing the model 3 of 3 (faceres, 224×224) for its first use',
  ]);
  expect(await Promise.all(cards.map((card) => isPrepared(card, folders)))).toEqual([true, true, true]);
  await convert();
  expect(steps).toHaveLength(2);
});
