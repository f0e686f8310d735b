import { INT8, type OnnxGraph } from '../../../src/models/onnx/onnx-graph.ts';

/**
 * The largest sum that two products of one output channel can reach where unsigned bytes are multiplied with the
 * 8-bit weights of a graph, whichever two meet: 255 × (|w1| + |w2|).
 * @returns by the name of the weights; the first dimension of weights is the output channel
 */
export function largestPairs(graph: OnnxGraph): Map<string, number> {
  const pairs = new Map<string, number>();
  for (const [name, { dataType, dims = [], rawData }] of graph.constants) {
    if (dataType !== INT8 || dims!.length < 2) continue;
    const weights = new Int8Array(Uint8Array.from(rawData!).buffer);
    const size = weights.length / Number(dims![0]);
    let largest = 0;
    for (let from = 0; from < weights.length; from += size) {
      const [first = 0, second = 0] = [...weights.subarray(from, from + size)]
        .map(Math.abs)
        .sort((a, b) => b - a);
      largest = Math.max(largest, 255 * (first + second));
    }
    pairs.set(name, largest);
  }
  return pairs;
}
