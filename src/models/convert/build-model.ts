import type { ModelCard } from '../card.ts';
import { appendColours } from './colours.ts';
import { joinHeads } from './heads.ts';
import { decodeOnnx, encodeOnnx, type OnnxGraph } from './onnx-graph.ts';
import { poolFirst } from './pool-first.ts';
import { prependPreprocessing } from './preprocess.ts';
import { quantise } from './quantise.ts';
import type { Ranges } from './ranges.ts';
import { keepStrongest } from './strongest.ts';
import { readTfjs } from './tfjs-files.ts';
import { tfjsToOnnx } from './tfjs-graph.ts';
import { widenFirstConvolution } from './widen-first.ts';

/** The bytes a card's source names: a TensorFlow.js topology with its weights, or one ONNX file. */
export type SourceBytes =
  | { readonly kind: 'tfjs'; readonly topology: Uint8Array; readonly weights: Uint8Array }
  | { readonly kind: 'onnx'; readonly model: Uint8Array };

/**
 * The graph every detector of this service runs, in floats: in uint8 NHWC RGB, out the rows of `outputShapes`.
 * @throws saying what in the source does not fit the card
 */
export function buildGraph(card: ModelCard, source: SourceBytes): OnnxGraph {
  const graph = readSource(card, source);
  prependPreprocessing(graph, card.input);
  joinHeads(graph, card);
  poolFirst(graph);
  return graph;
}

/**
 * That graph with the rows of the strongest anchors only, and the output `colours` beside. Deterministic: the same card,
 * source and ranges give the same bytes.
 * @param ranges quantises to int8
 */
export function buildModel(card: ModelCard, source: SourceBytes, ranges: Ranges | null): Uint8Array {
  const graph = buildGraph(card, source);
  if (ranges) {
    widenFirstConvolution(graph, card.input);
    quantise(graph, ranges.ranges);
  }
  keepStrongest(graph, card);
  appendColours(graph, card.input);
  return encodeOnnx(graph);
}

function readSource(card: ModelCard, source: SourceBytes): OnnxGraph {
  if (source.kind === 'onnx') return decodeOnnx(source.model);
  if (card.heads.kind !== 'joined')
    throw new Error('a TensorFlow.js source wants heads of the kind "joined"');
  const { width, height } = card.input;
  return tfjsToOnnx(readTfjs(source.topology, source.weights), { heads: card.heads.tensors, width, height });
}
