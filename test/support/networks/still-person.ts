import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareModel } from '../../../models/prepare.ts';
import { readDetectorCard } from '../../../src/models/cards.ts';
import { sha256 } from '../../../src/models/model-sources.ts';
import { MODELS_DIR } from '../../../src/platform/config.ts';
import { tinyYolox } from './tiny-yolox.ts';

const SIDE = 64;
/** In 16:9 pictures the feet are at 0.64 and 0.58: in the queue of the simulated shop and in that of API tests. */
const BOX = [0.64, 0.214, 0.08, 0.225] as const;

/** The same for the environment of a worker program, which then asks ffmpeg for no hardware either. */
export async function stillPersonEnv(modelsDir: string): Promise<Record<string, string>> {
  const { model: MODEL, modelCacheDir: MODEL_CACHE_DIR } = await stillPerson(modelsDir);
  return {
    MODEL,
    MODELS_DIR: modelsDir,
    MODEL_CACHE_DIR,
    ATTRIBUTE_MODELS: 'none',
    EXECUTION_PROVIDER: 'cpu',
    HWACCEL: 'none',
  };
}

/**
 * Writes the card of a detector that finds one person, always at the same place, to a folder of model cards, and its ready file. It costs
 * nothing beside the default one: for tests that are not about what is in the picture.
 * @returns what a configuration needs to use it
 */
export async function stillPerson(
  modelsDir: string,
): Promise<{ model: string; modelsDir: string; modelCacheDir: string }> {
  const model = 'still-person';
  const bytes = tinyYolox(SIDE, BOX);
  const path = `${model}.onnx`;
  const card = {
    ...(await readDetectorCard(MODELS_DIR, 'yolox-nano')),
    ...{ name: model, decoder: { kind: 'yolox', strides: [SIDE] } },
    input: { width: SIDE, height: SIDE, layout: 'nchw', colour: 'bgr', mean: [0, 0, 0], std: [1, 1, 1] },
    source: { kind: 'file', format: 'onnx', path, sha256: sha256(bytes), bytes: bytes.length },
  };
  mkdirSync(modelsDir, { recursive: true });
  writeFileSync(join(modelsDir, path), bytes);
  writeFileSync(join(modelsDir, `${model}.json`), JSON.stringify(card));
  await prepareModel(await readDetectorCard(modelsDir, model), { modelsDir, cacheDir: modelsDir });
  return { model, modelsDir, modelCacheDir: modelsDir };
}
