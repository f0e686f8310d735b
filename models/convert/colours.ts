import { FLOAT, framesOf, type OnnxGraph, tensorInfo, UINT8 } from '../../src/models/onnx/onnx-graph.ts';
import { COLOUR_CELL, colourCells } from '../../src/models/ready-network.ts';

/** Adds the output `colours`: the input at a quarter of its size. The appearance of people is computed from it. */
export function appendColours(graph: OnnxGraph, input: { width: number; height: number }): void {
  const planes = graph.node('Transpose', ['image'], { perm: [0, 3, 1, 2] });
  const values = graph.node('Cast', [planes], { to: FLOAT });
  const cell = [COLOUR_CELL, COLOUR_CELL];
  const means = graph.node('AveragePool', [values], { kernel_shape: cell, strides: cell });
  // A cast truncates. Some files have an operator set that is too old for the operator Round.
  const rounded = graph.node('Add', [means, graph.float('colours/half', [0.5], [1])]);
  graph.node('Cast', [rounded], { as: 'colours', to: UINT8 });
  const { columns, rows } = colourCells(input);
  graph.outputs.push(tensorInfo('colours', UINT8, [framesOf(graph.inputs[0]), 3, rows, columns]));
}
