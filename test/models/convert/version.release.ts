import { expect, test } from '@jest/globals';
import { buildModel } from '../../../models/convert/build-model.ts';
import { convert, rangesOf } from '../../../models/prepare.ts';
import { readSource } from '../../../models/sources.ts';
import { type ModelCard, readAttributeCard, readCard, readDetectorCard } from '../../../src/models/cards.ts';
import { cardAt } from '../../../src/models/detector-card.ts';
import { sha256 } from '../../../src/models/model-sources.ts';
import { encodeOnnx, FLOAT, OnnxGraph, tensorInfo } from '../../../src/models/onnx/onnx-graph.ts';
import { CONVERTER_VERSION } from '../../../src/models/ready-models.ts';
import { MODELS_DIR } from '../../../src/platform/config.ts';

/** A graph that multiplies its input with 1 and gives constants of the wanted shapes. */
function tinyOnnx(size: readonly [height: number, width: number], outputs: readonly (readonly number[])[]) {
  const graph = new OnnxGraph();
  graph.inputs = [tensorInfo('x', FLOAT, [1, 3, ...size])];
  const mean = graph.node('ReduceMean', ['x'], { axes: [1, 2, 3], keepdims: 0 });
  for (const [at, shape] of outputs.entries()) {
    const count = shape.reduce((product, length) => product * length, 1);
    const values = graph.float(`values${at}`, new Float32Array(count).fill(0.25), shape);
    graph.node('Mul', [mean, values], { as: `out${at}` });
  }
  graph.outputs = outputs.map((shape, at) => tensorInfo(`out${at}`, FLOAT, shape));
  return { kind: 'onnx' as const, model: encodeOnnx(graph) };
}

const small = { width: 32, height: 32 };

/** What the converter makes of the npm packages, and of tiny ONNX files. */
async function converted(): Promise<Record<string, string>> {
  const folders = { modelsDir: MODELS_DIR, cacheDir: MODELS_DIR };
  const made = async (card: ModelCard) =>
    convert(card, await readSource(card, folders), await rangesOf(card, folders));
  const found: Record<string, Uint8Array> = {};
  const names = ['nanodet-g', 'nanodet-g-int8', 'movenet-lightning', 'blazeface-front', 'faceres'];
  for (const name of names) found[name] = await made(await readCard(MODELS_DIR, name));
  const smallest = cardAt(await readDetectorCard(MODELS_DIR, 'nanodet-g-int8'), { width: 256, height: 192 });
  found['nanodet-g-int8 at 256×192'] = await made(smallest);
  const yolox = await readDetectorCard(MODELS_DIR, 'yolox-nano');
  found.single = buildModel(
    { ...yolox, input: { ...yolox.input, ...small } },
    tinyOnnx([32, 32], [[1, 21, 85]]),
    null,
  );
  const nanodet = await readDetectorCard(MODELS_DIR, 'nanodet-m');
  const heads = [16, 4, 1].flatMap((cells) => [
    [1, cells, 80],
    [1, cells, 32],
  ]);
  found.split = buildModel(
    { ...nanodet, input: { ...nanodet.input, ...small } },
    tinyOnnx([32, 32], heads),
    null,
  );
  const attributes = await readAttributeCard(MODELS_DIR, 'person-attributes-0230');
  found.attributes = buildModel(attributes, tinyOnnx([160, 80], [[1, 8]]));
  return Object.fromEntries(Object.entries(found).map(([name, bytes]) => [name, sha256(bytes).slice(0, 16)]));
}

/**
 * Where this fails because the converter was changed, raise CONVERTER_VERSION and put the new digests here: caches would
 * serve the old models otherwise. Where only a card was changed, put the new digest: the card is a part of the key.
 */
test('the same source and card give the same bytes as long as CONVERTER_VERSION stays the same', async () => {
  expect({ version: CONVERTER_VERSION, ...(await converted()) }).toEqual({
    version: 3,
    'nanodet-g': '6b0b4a1f5d02e0b1',
    'nanodet-g-int8': '4e2bfa9a227f6b1a',
    'nanodet-g-int8 at 256×192': '65bb5d6c6d9e719c',
    'movenet-lightning': '9186ba8ed2dd1646',
    'blazeface-front': '7a53715f7a3115bb',
    faceres: '32283da0da1cfb0a',
    single: 'ebf8096c414ec922',
    split: '47832cce5c32ff83',
    attributes: 'c9915f861b0d3f38',
  });
});
