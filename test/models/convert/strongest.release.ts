import { expect, test } from '@jest/globals';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { keepStrongest } from '../../../models/convert/strongest.ts';
import { readDetectorCard } from '../../../src/models/cards.ts';
import type { DetectorCard } from '../../../src/models/detector-card.ts';
import { encodeOnnx, FLOAT, OnnxGraph, tensorInfo } from '../../../src/models/onnx/onnx-graph.ts';
import { outputShapes, preparedColumns, ROWS, rowsOf } from '../../../src/models/ready-network.ts';
import { MODELS_DIR } from '../../../src/platform/config.ts';

test.each([
  ['nanodet-g', (row: readonly number[]) => Math.max(...row)],
  ['yolox-nano', (row: readonly number[]) => row[4]!],
])('%s keeps the rows of the strongest anchors, strongest first', async (name, strength) => {
  const card = await readDetectorCard(MODELS_DIR, name);
  const { anchors, columns } = outputShapes(card);
  const kept = rowsOf(card);
  expect(kept).toBeLessThan(anchors);
  // few different values: of equal ones the first is taken
  const heads = Object.fromEntries(
    Object.entries(columns).map(([output, size]) => [
      output,
      Float32Array.from({ length: anchors * size }, (_, at) => (at * 7919) % 401),
    ]),
  );
  const rowsIn = (output: string) => (at: number) => {
    const size = columns[output]!;
    return [...heads[output]!.subarray(at * size, (at + 1) * size)];
  };
  const given = await strongestOf(card, heads);

  const [first = ''] = Object.keys(columns);
  const strengths = Array.from({ length: anchors }, (_, at) => strength(rowsIn(first)(at)));
  const order = strengths.map((_, at) => at).sort((a, b) => strengths[b]! - strengths[a]! || a - b);
  const expected = order.slice(0, kept);
  expect([...(given[ROWS]!.data as Int32Array)]).toEqual(expected);
  for (const [output, size] of Object.entries(preparedColumns(card))) {
    const { dims, data } = given[output]!;
    expect(dims).toEqual([1, kept, size]);
    const wanted = expected.flatMap((at) => {
      const row = rowsIn(output)(at);
      return output === 'distances' ? meanOfEachSide(row) : row;
    });
    const apart = wanted.map((value, at) => Math.abs(value - (data as Float32Array)[at]!));
    expect(Math.max(...apart)).toBeLessThan(1e-4);
  }
});

test('distances: certain, even, split, and large enough to overflow', async () => {
  const card = await readDetectorCard(MODELS_DIR, 'nanodet-g');
  if (card.decoder.kind !== 'nanodet') throw new Error('it is another model now');
  const { bins } = card.decoder;
  const logits = (of: (bin: number) => number) => Array.from({ length: bins }, (_, bin) => of(bin));
  const { anchors, columns } = outputShapes(card);
  const distances = new Float32Array(anchors * columns.distances!);
  distances.set([
    ...logits((bin) => (bin === 1 ? 50 : -50)),
    ...logits(() => 0),
    ...logits((bin) => (bin === 0 || bin === 2 ? 50 : -50)),
    ...logits((bin) => (bin < 2 ? 3e38 : -3e38)),
  ]);
  const scores = new Float32Array(anchors * columns.scores!).fill(-6);
  scores[0] = 1;
  const given = await strongestOf(card, { scores, distances });
  const sides = [...(given.distances!.data as Float32Array).subarray(0, 4)];
  expect(sides.map((side) => Number(side.toFixed(4)))).toEqual([1, (bins - 1) / 2, 1, 0.5]);
});

/** Reference: of [4 × bins] the mean of softmax over 0 … bins − 1. */
function meanOfEachSide(row: readonly number[]): number[] {
  const bins = row.length / 4;
  return [0, 1, 2, 3].map((side) => {
    const logits = row.slice(side * bins, (side + 1) * bins);
    const weights = logits.map((logit) => Math.exp(logit - Math.max(...logits)));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return weights.reduce((total, weight, bin) => total + weight * bin, 0) / sum;
  });
}

/** What the graph gives for what the heads give, by the names of their outputs. */
async function strongestOf(card: DetectorCard, heads: Readonly<Record<string, Float32Array>>) {
  const { anchors, columns } = outputShapes(card);
  const graph = new OnnxGraph();
  const feeds: Record<string, Tensor> = {};
  for (const [output, size] of Object.entries(columns)) {
    const input = `all ${output}`;
    feeds[input] = new Tensor('float32', heads[output]!, [1, anchors, size]);
    graph.inputs.push(tensorInfo(input, FLOAT, [1, anchors, size]));
    graph.node('Identity', [input], { as: output });
    graph.outputs.push(tensorInfo(output, FLOAT, [1, anchors, size]));
  }
  keepStrongest(graph, card);
  const session = await InferenceSession.create(encodeOnnx(graph));
  const given = await session.run(feeds);
  await session.release();
  return given;
}
