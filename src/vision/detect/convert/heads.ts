import type { ModelCard } from '../card.ts';
import { FLOAT, INT64, type OnnxGraph, shapeOf, tensorInfo } from './onnx-graph.ts';

/** Outputs of a prepared model: rows are anchors (all strides, row by row), columns as the decoder reads them. */
export interface OutputShapes {
  readonly anchors: number;
  /** Columns of each output by its name. */
  readonly columns: Readonly<Record<string, number>>;
}

/** What the prepared graph of this card gives out; decoders and preallocated outputs rely on it. */
export function outputShapes(card: Pick<ModelCard, 'input' | 'decoder' | 'classes'>): OutputShapes {
  const { width, height } = card.input;
  const cells = card.decoder.strides.map((stride) => Math.ceil(width / stride) * Math.ceil(height / stride));
  const anchors = cells.reduce((sum, count) => sum + count, 0);
  const kept = card.classes.keep.length;
  const columns =
    card.decoder.kind === 'nanodet'
      ? { scores: kept, distances: 4 * card.decoder.bins }
      : { predictions: 5 + kept };
  return { anchors, columns };
}

/**
 * Replaces the source's outputs by those of `outputShapes`: only the classes that are kept, all strides in
 * one tensor.
 * @throws when the tensors that the card names are not in the graph
 */
export function joinHeads(graph: OnnxGraph, card: ModelCard): void {
  const { anchors, columns } = outputShapes(card);
  const { heads, classes } = card;
  if (heads.kind === 'single') {
    const [output] = graph.outputs;
    const shape = output ? shapeOf(output) : [];
    if (graph.outputs.length !== 1 || shape.at(-1) !== 85 || shape.at(-2) !== anchors) {
      throw new Error(`its output should be [1, ${anchors}, 85], not ${describe(graph)}`);
    }
    const picked = [0, 1, 2, 3, 4, ...classes.keep.map((id) => 5 + id)];
    gather(graph, output!.name!, { picked, as: 'predictions' });
  } else if (heads.kind === 'split') {
    requireTensors(graph, [...heads.scores, ...heads.distances]);
    const scores = graph.node('Concat', heads.scores, { axis: 1 });
    gather(graph, scores, { picked: classes.keep, as: 'scores' });
    graph.node('Concat', heads.distances, { as: 'distances', axis: 1 });
  } else {
    const tensors = graph.outputs.map((output) => output.name ?? '');
    const sides = columns.distances ?? 0;
    const distances = Array.from({ length: sides }, (_, i) => 80 + i);
    for (const [as, channels] of [
      ['scores', classes.keep],
      ['distances', distances],
    ] as const) {
      const rows = tensors.map((head) => toRows(graph, sliceConvolution(graph, head, { channels, as })));
      graph.node('Concat', rows, { as, axis: 1 });
    }
  }
  graph.outputs = Object.entries(columns).map(([name, size]) => tensorInfo(name, FLOAT, [1, anchors, size]));
  graph.prune();
}

function gather(
  graph: OnnxGraph,
  from: string,
  { picked, as }: { picked: readonly number[]; as: string },
): void {
  graph.node('Gather', [from, graph.int64(`${as}/columns`, picked)], { as, axis: 2 });
}

/** [1, channels, h, w] → [1, h × w, channels] */
function toRows(graph: OnnxGraph, { name, channels }: { name: string; channels: number }): string {
  const rows = graph.node('Transpose', [name], { perm: [0, 2, 3, 1] });
  const shape = graph.constant('rows', INT64, {
    dims: [3],
    data: BigInt64Array.of(1n, -1n, BigInt(channels)),
  });
  return graph.node('Reshape', [rows, shape]);
}

/** A copy of the convolution behind `head` that computes only some of its channels. */
function sliceConvolution(
  graph: OnnxGraph,
  head: string,
  { channels, as }: { channels: readonly number[]; as: string },
): { name: string; channels: number } {
  const whole = graph.producer(head);
  if (whole?.opType !== 'Conv') throw new Error(`"${head}" does not come from a convolution`);
  const [input = '', ...parameters] = whole.input;
  const sliced = parameters.map((parameter) => {
    const { data, dims } = graph.floats(parameter);
    const size = data.length / dims[0]!;
    const rows = new Float32Array(channels.length * size);
    channels.forEach((channel, i) => {
      rows.set(data.subarray(channel * size, (channel + 1) * size), i * size);
    });
    return graph.float(`${parameter}/${as}`, rows, [channels.length, ...dims.slice(1)]);
  });
  const name = `${head}/${as}`;
  graph.nodes.push({ ...whole, name, input: [input, ...sliced], output: [name] });
  return { name, channels: channels.length };
}

function requireTensors(graph: OnnxGraph, names: readonly string[]): void {
  const made = new Set(graph.nodes.flatMap((node) => node.output));
  const missing = names.filter((name) => !made.has(name));
  if (missing.length > 0) throw new Error(`it has no "${missing.join('", "')}", but ${describe(graph)}`);
}

function describe(graph: OnnxGraph): string {
  return graph.outputs.map((output) => `${output.name} [${shapeOf(output).join(', ')}]`).join(', ');
}
