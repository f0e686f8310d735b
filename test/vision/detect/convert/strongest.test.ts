import { expect, test } from '@jest/globals';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { MODELS_DIR } from '../../../../src/config.ts';
import { readCard } from '../../../../src/vision/detect/card.ts';
import { outputShapes } from '../../../../src/vision/detect/convert/heads.ts';
import {
  encodeOnnx,
  FLOAT,
  OnnxGraph,
  tensorInfo,
} from '../../../../src/vision/detect/convert/onnx-graph.ts';
import { keepStrongest, ROWS, rowsOf } from '../../../../src/vision/detect/convert/strongest.ts';

test.each([
  ['nanodet-g', (row: readonly number[]) => Math.max(...row)],
  ['yolox-nano', (row: readonly number[]) => row[4]!],
])('%s keeps the rows of the strongest anchors, strongest first', async (name, strength) => {
  const card = await readCard(MODELS_DIR, name);
  const { anchors, columns } = outputShapes(card);
  const kept = rowsOf(card);
  expect(kept).toBeLessThan(anchors);
  const graph = new OnnxGraph();
  const feeds: Record<string, Tensor> = {};
  const rowsIn = (output: string) => (at: number) => {
    const size = columns[output]!;
    return [...(feeds[`all ${output}`]!.data as Float32Array).subarray(at * size, (at + 1) * size)];
  };
  for (const [output, size] of Object.entries(columns)) {
    const input = `all ${output}`;
    // few different values: of equal ones the first is taken
    const values = Float32Array.from({ length: anchors * size }, (_, at) => (at * 7919) % 401);
    feeds[input] = new Tensor('float32', values, [1, anchors, size]);
    graph.inputs.push(tensorInfo(input, FLOAT, [1, anchors, size]));
    graph.node('Identity', [input], { as: output });
    graph.outputs.push(tensorInfo(output, FLOAT, [1, anchors, size]));
  }
  keepStrongest(graph, card);
  const session = await InferenceSession.create(encodeOnnx(graph));
  const given = await session.run(feeds);
  await session.release();

  const [first = ''] = Object.keys(columns);
  const strengths = Array.from({ length: anchors }, (_, at) => strength(rowsIn(first)(at)));
  const order = strengths.map((_, at) => at).sort((a, b) => strengths[b]! - strengths[a]! || a - b);
  const expected = order.slice(0, kept);
  expect([...(given[ROWS]!.data as Int32Array)]).toEqual(expected);
  for (const output of Object.keys(columns)) {
    expect(given[output]!.dims).toEqual([1, kept, columns[output]]);
    expect([...(given[output]!.data as Float32Array)]).toEqual(expected.flatMap(rowsIn(output)));
  }
});
