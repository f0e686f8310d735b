import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { frameOf } from '../../scripts/evaluate/attributes/frame-of-image.ts';
import { giveModel } from '../../scripts/models/give.ts';
import { readAttributeCard } from '../../src/models/cards.ts';
import { loadAttributeModels } from '../../src/models/load-attribute-models.ts';
import {
  decodeOnnx,
  encodeOnnx,
  FLOAT,
  INT8,
  OnnxGraph,
  tensorInfo,
} from '../../src/models/onnx/onnx-graph.ts';
import { readyModel } from '../../src/models/ready-models.ts';
import { loadConfig, MODELS_DIR } from '../../src/platform/config.ts';
import { randomCostume } from '../../src/simulator/draw/costume.ts';
import { drawPerson } from '../../src/simulator/draw/draw-person.ts';
import { createRandom } from '../../src/simulator/random.ts';
import type { CombinedAttributeModel } from '../../src/vision/attributes/combined-attribute-model.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'networks-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A network of the given shape that gives the mean of each of the first channels' pictures. */
function stub(outputs: number, { width, height }: { width: number; height: number }): Uint8Array {
  const graph = new OnnxGraph();
  graph.inputs = [tensorInfo('x', FLOAT, [1, 3, height, width])];
  const mean = graph.node('GlobalAveragePool', ['x']);
  const flat = graph.node('Flatten', [mean]);
  const weights = graph.float('w', new Float32Array(3 * outputs).fill(1), [3, outputs]);
  graph.node('Sigmoid', [graph.node('MatMul', [flat, weights])], { as: 'y' });
  graph.outputs = [tensorInfo('y', FLOAT, [1, outputs])];
  return encodeOnnx(graph);
}

describe('a model given by file', () => {
  const give = async (bytes: Uint8Array, name = 'pa100k-26') => {
    const from = join(folder, 'given.onnx');
    await writeFile(from, bytes);
    const card = await readAttributeCard(MODELS_DIR, name);
    return giveModel({ card, from, accept: async () => undefined, modelsDir: MODELS_DIR, cacheDir: folder });
  };

  test('of the family of 26 outputs is taken, and covers all but the colours', async () => {
    await give(stub(26, { width: 192, height: 256 }));
    const models = await loadAttributeModels(['pa100k-26'], { modelsDir: MODELS_DIR, cacheDir: folder });
    const grey = frameOf(new Uint8Array(64 * 128 * 3).fill(120), { width: 64, height: 128 });
    const classification = await models.classify({
      frame: grey,
      box: { left: 0, top: 0, right: 1, bottom: 1 },
    });
    expect(models.keys).toHaveLength(21);
    expect(Object.keys(classification).sort()).toEqual([...models.keys].sort());
    await models.dispose();
  });

  test.each([
    ['of another shape', () => stub(8, { width: 192, height: 256 }), /should have one output of 26 numbers/],
    ['of another size', () => stub(26, { width: 80, height: 160 }), /input should be \[1, 3, 256, 192\]/],
    ['no network at all', () => Buffer.from('not a model'), /is not the network its card describes/],
  ])('%s is refused with one sentence, and what was there stays', async (_, bytes, message) => {
    await give(stub(26, { width: 192, height: 256 }));
    await expect(give(bytes())).rejects.toThrow(message);
    const models = await loadAttributeModels(['pa100k-26'], { modelsDir: MODELS_DIR, cacheDir: folder });
    await models.dispose();
  });

  test('one that was not given says how to give it', async () => {
    await expect(
      loadAttributeModels(['person-attributes-0230'], { modelsDir: MODELS_DIR, cacheDir: folder }),
    ).rejects.toThrow(/npm run models -- pull person-attributes-0230 --from FILE/);
    await expect(
      loadAttributeModels(['nobody'], { modelsDir: MODELS_DIR, cacheDir: folder }),
    ).rejects.toThrow(/There is no attribute model "nobody"; known are embedded/);
  });
});

describe('the embedded models', () => {
  let models: CombinedAttributeModel;
  beforeAll(async () => {
    models = await loadAttributeModels(['embedded'], {
      modelsDir: MODELS_DIR,
      cacheDir: loadConfig().modelCacheDir,
    });
  });
  afterAll(() => models.dispose());

  test.each(['movenet-lightning', 'blazeface-front', 'faceres'])('%s has no 8-bit weights', async (name) => {
    const card = await readAttributeCard(MODELS_DIR, name);
    const place = { modelsDir: MODELS_DIR, cacheDir: loadConfig().modelCacheDir };
    const { constants } = decodeOnnx(await readyModel(card, place));
    expect(constants.size).toBeGreaterThan(0);
    expect([...constants.values()].filter(({ dataType }) => dataType === INT8)).toEqual([]);
  });

  test('see what a drawn person wears and which way it is turned', async () => {
    const costume = randomCostume(createRandom(7));
    const dressed = {
      ...costume,
      upper: '#b3282d',
      lower: '#2c3a58',
      attributes: {
        ...costume.attributes,
        ...{ sleeve: 'shortSleeve' as const, lower: 'trousers' as const, longCoat: false, boots: false },
        ...{ backpack: false, handBag: false, shoulderBag: false, holdObjectsInFront: false },
      },
    };
    const svg = drawPerson(dressed, 4, null);
    const drawn = await sharp(Buffer.from(svg), { density: 200 })
      .resize(240, 324)
      .flatten({ background: '#c8ccd0' })
      .extend({ top: 60, bottom: 60, left: 120, right: 120, background: '#c8ccd0' })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const frame = frameOf(drawn.data, drawn.info);
    const box = { left: 200 / 480, right: 280 / 480, top: 78 / 444, bottom: 378 / 444 };
    const classification = await models.classify({ frame, box });
    expect(classification).toMatchObject({ upperRed: 1, upperBlack: 0 });
    for (const key of ['front', 'shortSleeve', 'trousers'] as const) {
      expect([key, classification[key]! > 0.5]).toEqual([key, true]);
    }
    expect(classification.female).toBeUndefined();
  });
});
