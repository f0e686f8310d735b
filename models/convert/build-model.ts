import type { AttributeCard } from '../../src/models/attribute-card.ts';
import type { DetectorCard } from '../../src/models/detector-card.ts';
import { decodeOnnx, encodeOnnx, type OnnxGraph } from '../../src/models/onnx/onnx-graph.ts';
import { buildAttributeNetwork } from './attribute-network.ts';
import { buildDetector } from './detector.ts';
import type { Ranges } from './ranges.ts';
import { readTfjs } from './tfjs-files.ts';
import { type TfjsOptions, tfjsToOnnx } from './tfjs-graph.ts';

/** The files of a card's source: a TensorFlow.js topology with its weights, or one ONNX file. */
export type SourceBytes =
  | { readonly kind: 'tfjs'; readonly topology: Uint8Array; readonly weights: Uint8Array }
  | { readonly kind: 'onnx'; readonly model: Uint8Array };

/**
 * Converts a source to the ONNX file that this service runs. The same card, source and ranges give the same bytes.
 * @param ranges of a detector that is quantised to int8
 * @throws Error that says how the source differs from the card
 */
export function buildModel(
  card: DetectorCard | AttributeCard,
  source: SourceBytes,
  ranges: Ranges | null = null,
): Uint8Array {
  const graph = readGraph(card, source);
  if (card.task === 'detect') buildDetector(graph, card, ranges);
  else buildAttributeNetwork(graph, card);
  return encodeOnnx(graph);
}

/** The graph of a source, before anything of ours is added. */
export const readGraph = (card: DetectorCard | AttributeCard, source: SourceBytes): OnnxGraph =>
  source.kind === 'onnx'
    ? decodeOnnx(source.model)
    : tfjsToOnnx(readTfjs(source.topology, source.weights), tfjsOptions(card));

function tfjsOptions(card: DetectorCard | AttributeCard): TfjsOptions {
  if (card.task === 'detect') {
    if (card.heads.kind !== 'joined')
      throw new Error('a TensorFlow.js source needs heads of the kind "joined"');
    return { size: card.input, outputs: card.heads.tensors.map((name) => [name, null]) };
  }
  if (card.task === 'attributes') throw new Error('an attribute network must be an ONNX file');
  const { input, outputs, ...trained } = card.graph;
  const named = Object.entries(outputs).map(([as, node]) => [node, as] as const);
  return { input, outputs: named, trained, size: card.input };
}
