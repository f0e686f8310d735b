import type { AttributeCard } from '../../src/models/attribute-card.ts';
import { FLOAT, INT64, type OnnxGraph, shapeOf, tensorInfo } from '../../src/models/onnx/onnx-graph.ts';
import { isMirrored, SCORES } from '../../src/models/ready-network.ts';
import { prependCrop } from './crop-front.ts';

/**
 * Puts the crop (`prependCrop`) in front of the graph of a card, in place. The outputs are those that the card names, or
 * SCORES [attributes]; and CROP.
 * @throws Error that says how the graph differs from the card
 */
export function buildAttributeNetwork(graph: OnnxGraph, card: AttributeCard): void {
  if (card.task === 'attributes') pickScores(graph, card.outputs.length);
  const crop = prependCrop(graph, card.input, isMirrored(card));
  graph.outputs.push(tensorInfo(crop, FLOAT, [1, 3, card.input.height, card.input.width]));
}

/** Keeps the one output that has one number for each attribute. */
function pickScores(graph: OnnxGraph, count: number): void {
  const sizeOf = (output: (typeof graph.outputs)[number]) =>
    shapeOf(output).reduce((product, size) => product * (size || 1), 1);
  const fitting = graph.outputs.filter((output) => sizeOf(output) === count);
  if (fitting.length !== 1) {
    const found = graph.outputs.map((output) => `${output.name} [${shapeOf(output).join(', ')}]`).join(', ');
    throw new Error(`it should have one output of ${count} numbers, but has ${found}`);
  }
  const flat = graph.constant('scores/shape', INT64, { dims: [1], data: BigInt64Array.of(-1n) });
  graph.node('Reshape', [fitting[0]!.name ?? '', flat], { as: SCORES });
  graph.outputs = [tensorInfo(SCORES, FLOAT, [count])];
  graph.prune();
}
