import { InferenceSession, Tensor } from 'onnxruntime-node';
import { readCard } from './card.ts';
import { buildGraph } from './convert/build-model.ts';
import { encodeOnnx, FLOAT, tensorInfo } from './convert/onnx-graph.ts';
import { quantisedTensors } from './convert/quantise.ts';
import type { Ranges } from './convert/ranges.ts';
import { type ModelPlace, readSource } from './model-store.ts';

/**
 * Runs the model in floats on pictures and notes what each activation reaches: the mean of the pictures'
 * lowest and highest values in the body, where one odd picture must not cost resolution for all; the utmost
 * in the heads, where a high score is rare by nature and must not be clipped.
 * @param pictures uint8 NHWC RGB frames of the model's input size
 */
export async function calibrate(
  place: Pick<ModelPlace, 'model' | 'modelsDir' | 'cacheDir'>,
  pictures: AsyncIterable<Uint8Array>,
): Promise<Ranges> {
  const card = await readCard(place.modelsDir, place.model);
  const graph = buildGraph(card, await readSource(card, place));
  const names = quantisedTensors(graph);
  const heads = new Set(
    names.filter((name) => graph.consumers(name).some(({ opType }) => opType === 'Transpose')),
  );
  graph.outputs = names.map((name) => tensorInfo(name, FLOAT));
  const session = await InferenceSession.create(encodeOnnx(graph), { graphOptimizationLevel: 'disabled' });
  const seen = new Map(names.map((name) => [name, { low: [] as number[], high: [] as number[] }]));
  let count = 0;
  for await (const pixels of pictures) {
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
