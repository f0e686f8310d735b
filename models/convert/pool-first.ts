import type { OnnxGraph } from '../../src/models/onnx/onnx-graph.ts';

/**
 * Moves a pooling before the activation that precedes it. Both keep the order of values, so the result is the same, and the
 * activation has fewer values to compute.
 */
export function poolFirst(graph: OnnxGraph): void {
  for (const pool of graph.nodes.filter((node) => node.opType === 'MaxPool')) {
    const activation = graph.producer(pool.input[0]!);
    if (activation?.opType !== 'LeakyRelu' || graph.consumers(activation.output[0]!).length > 1) continue;
    pool.input = activation.input;
    [activation.output, pool.output] = [pool.output, activation.output];
    activation.input = [...pool.output];
    const [first, second] = [graph.nodes.indexOf(activation), graph.nodes.indexOf(pool)];
    [graph.nodes[first], graph.nodes[second]] = [pool, activation];
  }
}
