import type { DetectorCard } from '../../src/models/detector-card.ts';
import type { OnnxGraph } from '../../src/models/onnx/onnx-graph.ts';
import { takesBatches } from '../../src/models/ready-network.ts';
import { openBatch } from './batch.ts';
import { appendColours } from './colours.ts';
import { joinHeads } from './heads.ts';
import { poolFirst } from './pool-first.ts';
import { prependPreprocessing } from './preprocess.ts';
import { quantise } from './quantise.ts';
import type { Ranges } from './ranges.ts';
import { keepStrongest } from './strongest.ts';
import { widenFirstConvolution } from './widen-first.ts';

/**
 * Turns the graph of a detector, in place, into the one that every detector of this service runs in floats: the input is
 * uint8 NHWC RGB, the outputs are the rows of `outputShapes`.
 */
export function unifyDetector(graph: OnnxGraph, card: DetectorCard): void {
  prependPreprocessing(graph, card.input);
  joinHeads(graph, card);
  poolFirst(graph);
}

/**
 * Also quantises the graph, if there are ranges, lets it take several frames, if it can, keeps the rows of the strongest anchors and adds the output `colours`.
 */
export function buildDetector(graph: OnnxGraph, card: DetectorCard, ranges: Ranges | null): void {
  unifyDetector(graph, card);
  if (ranges) {
    widenFirstConvolution(graph, card.input);
    quantise(graph, ranges.ranges);
  }
  if (takesBatches(card)) openBatch(graph, card.input);
  keepStrongest(graph, card);
  appendColours(graph, card.input);
}
