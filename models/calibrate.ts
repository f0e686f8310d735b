import { InferenceSession, Tensor } from 'onnxruntime-node';
import { readDetectorCard } from '../src/models/cards.ts';
import type { ModelFolders } from '../src/models/model-sources.ts';
import { encodeOnnx, FLOAT, tensorInfo } from '../src/models/onnx/onnx-graph.ts';
import { readGraph } from './convert/build-model.ts';
import { unifyDetector } from './convert/detector.ts';
import { quantisedTensors } from './convert/quantise.ts';
import type { Ranges } from './convert/ranges.ts';
import { readSource } from './sources.ts';

/**
 * Runs a detector in floats on images and measures the range of each activation. In the body this is the mean of the
 * lowest and highest values of the images, because one unusual image must not cost resolution for all. In the heads it is
 * the extreme, because high scores are rare and must not be clipped.
 * @param images uint8 NHWC RGB of the detector's input size
 */
export async function calibrate(
  model: string,
  folders: ModelFolders,
  images: AsyncIterable<Uint8Array>,
): Promise<Ranges> {
  const card = await readDetectorCard(folders.modelsDir, model);
  const graph = readGraph(card, await readSource(card, folders));
  unifyDetector(graph, card);
  const names = quantisedTensors(graph);
  const heads = new Set(
    names.filter((name) => graph.consumers(name).some(({ opType }) => opType === 'Transpose')),
  );
  graph.outputs = names.map((name) => tensorInfo(name, FLOAT));
  const session = await InferenceSession.create(encodeOnnx(graph), { graphOptimizationLevel: 'disabled' });
  const seen = new Map(names.map((name) => [name, { low: [] as number[], high: [] as number[] }]));
  let count = 0;
  for await (const pixels of images) {
    const image = new Tensor('uint8', pixels, [1, card.input.height, card.input.width, 3]);
    for (const [name, tensor] of Object.entries(await session.run({ image }))) {
      const { low, high } = extremes(tensor.data as Float32Array);
      seen.get(name)?.low.push(low);
      seen.get(name)?.high.push(high);
    }
    count++;
  }
  await session.release();
  const ranges = [...seen].map(([name, { low, high }]) => {
    const range = heads.has(name) ? [Math.min(...low), Math.max(...high)] : [mean(low), mean(high)];
    return [name, range.map((value) => Number(value.toPrecision(6)))];
  });
  return { model: card.name, pictures: count, ranges: Object.fromEntries(ranges) };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function extremes(values: Float32Array): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high };
}
