import { expect, test } from '@jest/globals';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { poolFirst } from '../../../models/convert/pool-first.ts';
import { prependPreprocessing } from '../../../models/convert/preprocess.ts';
import { quantise } from '../../../models/convert/quantise.ts';
import { widenFirstConvolution } from '../../../models/convert/widen-first.ts';
import { encodeOnnx, FLOAT, OnnxGraph, tensorInfo } from '../../../src/models/onnx/onnx-graph.ts';
import { largestPairs } from '../../support/rows/weight-pairs.ts';

const SIZE = { width: 16, height: 8 };
const INPUT = {
  ...SIZE,
  layout: 'nchw' as const,
  colour: 'bgr' as const,
  mean: [103, 116, 124] as [number, number, number],
  std: [57, 58, 59] as [number, number, number],
};

/** Deterministic values in −1…1. */
const values = (count: number, seed: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(seed + i * 12.9898));

/** Picture → 3×3 convolution of stride 2 (8 channels) → LeakyRelu → max-pool → `y` [1, 8, 2, 4]. */
function network(): OnnxGraph {
  const graph = new OnnxGraph();
  graph.inputs = [tensorInfo('x', FLOAT, [1, 3, SIZE.height, SIZE.width])];
  const weights = [graph.float('w', values(8 * 3 * 9, 1), [8, 3, 3, 3]), graph.float('b', values(8, 2), [8])];
  const shape = { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] };
  graph.node('Conv', ['x', ...weights], { as: 'conv', ...shape });
  graph.node('LeakyRelu', ['conv'], { as: 'relu', alpha: { float: 0.1 } });
  graph.node('MaxPool', ['relu'], { as: 'pool', ...shape });
  graph.node('Transpose', ['pool'], { as: 'y', perm: [0, 2, 3, 1] });
  graph.outputs = [tensorInfo('y', FLOAT, [1, 2, 4, 8])];
  return graph;
}

const image = Uint8Array.from(values(SIZE.width * SIZE.height * 3, 3), (value) => 127 + 120 * value);

async function run(graph: OnnxGraph, name: string, input: Tensor): Promise<Float32Array> {
  const session = await InferenceSession.create(encodeOnnx(graph), { logSeverityLevel: 3 });
  const outputs = await session.run({ [name]: input });
  await session.release();
  return outputs.y!.data as Float32Array;
}
const runImage = (graph: OnnxGraph) =>
  run(graph, 'image', new Tensor('uint8', image, [1, SIZE.height, SIZE.width, 3]));

function largestDifference(a: Float32Array, b: Float32Array): number {
  return Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
}

/** What the network gives when colour order, mean and scale are applied outside, as its authors do. */
async function reference(): Promise<Float32Array> {
  const { width, height } = SIZE;
  const planes = new Float32Array(3 * width * height);
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++) {
      planes[c * width * height + i] = (image[3 * i + 2 - c]! - INPUT.mean[c]!) / INPUT.std[c]!;
    }
  return run(network(), 'x', new Tensor('float32', planes, [1, 3, height, width]));
}

/** The inner cells: at the edge a folded convolution sees grey where the original sees zero. */
const inner = (output: Float32Array): Float32Array => output.subarray(5 * 8, 8 * 8);

test('preprocessing that is folded into the first convolution changes nothing inside the picture', async () => {
  const folded = network();
  prependPreprocessing(folded, INPUT);
  expect(folded.nodes.map((node) => node.opType).slice(0, 3)).toEqual([
    'Transpose',
    'DequantizeLinear',
    'Conv',
  ]);
  expect(largestDifference(inner(await runImage(folded)), inner(await reference()))).toBeLessThan(1e-4);
});

test('preprocessing in front of any other operation is exact', async () => {
  const graph = network();
  graph.nodes[0]!.input[0] = 'same';
  graph.node('Identity', ['x'], { as: 'same' });
  graph.nodes.unshift(graph.nodes.pop()!);
  prependPreprocessing(graph, INPUT);
  expect(graph.nodes.map((node) => node.opType)).toContain('Gather');
  expect(largestDifference(await runImage(graph), await reference())).toBeLessThan(1e-4);
});

test('pooling first and the wide first convolution give the same numbers', async () => {
  const plain = network();
  prependPreprocessing(plain, INPUT);
  const changed = network();
  prependPreprocessing(changed, INPUT);
  poolFirst(changed);
  widenFirstConvolution(changed, SIZE);
  expect(changed.nodes.map((node) => node.opType)).toContain('Reshape');
  const names = changed.nodes.map((node) => node.opType);
  expect(names.indexOf('MaxPool')).toBeLessThan(names.indexOf('LeakyRelu'));
  expect(largestDifference(await runImage(changed), await runImage(plain))).toBeLessThan(1e-4);
});

test('8 bits stay within a step or two of the floats, on processors without VNNI too', async () => {
  const floats = network();
  prependPreprocessing(floats, INPUT);
  poolFirst(floats);
  const expected = await runImage(floats);
  const range: [number, number] = [-12, 12];
  const bytes = network();
  prependPreprocessing(bytes, INPUT);
  poolFirst(bytes);
  widenFirstConvolution(bytes, SIZE);
  quantise(bytes, { conv: range, pool: range });
  const pairs = largestPairs(bytes);
  expect(pairs.size).toBe(1);
  // processors that add pairs of products in 16 bits must not saturate
  for (const largest of pairs.values()) expect(largest).toBeLessThanOrEqual(32_767);
  expect(largestDifference(await runImage(bytes), expected)).toBeLessThan((2.5 * 24) / 255);
});

test('ranges of another network are refused', () => {
  const graph = network();
  prependPreprocessing(graph, INPUT);
  expect(() => quantise(graph, { other: [0, 1] })).toThrow(/the table of ranges has nothing for "conv"/);
});
