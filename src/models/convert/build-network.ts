import type { AttributeCard } from '../attribute-card.ts';
import type { SourceBytes } from './build-model.ts';
import { channelsLastToOnnx } from './channels-last.ts';
import { prependCrop } from './crop-front.ts';
import { decodeOnnx, encodeOnnx, FLOAT, INT64, type OnnxGraph, shapeOf, tensorInfo } from './onnx-graph.ts';
import { readTfjs } from './tfjs-files.ts';

/** The output that holds an attribute network’s probabilities. */
export const SCORES = 'front/scores';

/** Whether its graph has the input `columns`. */
export const isMirrored = (card: AttributeCard): boolean => card.task === 'attributes' && card.mirrored;

/**
 * The graph of a card with the crop in front (`prependCrop`). Outputs: those the card names, or SCORES [attributes];
 * and CROP. Deterministic.
 * @throws saying what in the source does not fit the card
 */
export function buildNetwork(card: AttributeCard, source: SourceBytes): Uint8Array {
  const graph = readSource(card, source);
  if (card.task === 'attributes') pickScores(graph, card.outputs.length);
  const crop = prependCrop(graph, card.input, isMirrored(card));
  graph.outputs.push(tensorInfo(crop, FLOAT, [1, 3, card.input.height, card.input.width]));
  return encodeOnnx(graph);
}

function readSource(card: AttributeCard, source: SourceBytes): OnnxGraph {
  if (source.kind === 'onnx') return decodeOnnx(source.model);
  if (card.task === 'attributes') throw new Error('an attribute network is an ONNX file');
  const { input, outputs, ...trained } = card.graph;
  const tfjs = readTfjs(source.topology, source.weights);
  return channelsLastToOnnx(tfjs, { input, outputs, size: card.input, trained });
}

/** Keeps the one output that has a number for each attribute. */
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
