import { encodeOnnx, FLOAT, OnnxGraph, tensorInfo } from '../../../src/models/onnx/onnx-graph.ts';

/** Centre and size, as parts of the square input. */
type Box = readonly [x: number, y: number, width: number, height: number];

/** As small as a YOLOX can be: one anchor, whose row is a constant: a person, by default over the whole input. */
export function tinyYolox(side = 32, [x, y, width, height]: Box = [0.5, 0.5, 1, 1]): Uint8Array {
  const graph = new OnnxGraph();
  graph.inputs = [tensorInfo('images', FLOAT, [1, 3, side, side])];
  const row = [x, y, Math.log(width), Math.log(height), 0.8, 1, ...new Array(79).fill(0)];
  const mean = graph.node('ReduceMean', ['images'], { axes: [1, 2, 3], keepdims: 0 });
  const nothing = graph.node('Mul', [mean, graph.float('zero', [0], [1])]);
  graph.node('Add', [graph.float('row', row, [1, 1, 85]), nothing], { as: 'output' });
  graph.outputs = [tensorInfo('output', FLOAT, [1, 1, 85])];
  return encodeOnnx(graph);
}
