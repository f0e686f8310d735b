import type { DetectorCard } from '../../src/models/detector-card.ts';
import {
  FLOAT,
  framesOf,
  INT32,
  INT64,
  makeNode,
  type OnnxGraph,
  tensorInfo,
} from '../../src/models/onnx/onnx-graph.ts';
import { outputShapes, preparedColumns, ROWS, rowsOf } from '../../src/models/ready-network.ts';

/**
 * Keeps only the rows of the strongest anchors in each output, the strongest first; of equal ones the first. Nearly all
 * anchors are background, and the runtime copies its outputs for every frame. Distances become one number for each side.
 */
export function keepStrongest(graph: OnnxGraph, card: DetectorCard): void {
  const { columns, anchors } = outputShapes(card);
  const kept = rowsOf(card);
  for (const node of graph.nodes.filter(({ output: [name = ''] }) => name in columns)) {
    node.name = all(node.output[0]!);
    node.output = [node.name];
  }
  const best =
    card.decoder.kind !== 'yolox'
      ? // the strongest class of each; unlike ReduceMax the same in all versions of the operators
        graph.node('MaxPool', [all('scores')], {
          kernel_shape: [columns.scores!],
          strides: [columns.scores!],
        })
      : graph.node('Gather', [all('predictions'), graph.int64('anchors/objectness', [4])], { axis: 2 });
  const flat = graph.node('Reshape', [best, graph.int64('anchors/flat', [-1, anchors])]);
  const [values, indices] = [graph.fresh('anchors/values'), graph.fresh('anchors/indices')];
  const input = [flat, graph.int64('anchors/kept', [kept])];
  graph.nodes.push(makeNode('TopK', { input, output: [values, indices] }));
  const rows = rowsOfAllFrames(graph, { flat, indices, anchors });
  for (const [name, size] of Object.entries(columns)) {
    const isBinned = name === 'distances';
    const ofAllFrames = graph.node('Reshape', [all(name), graph.int64(`${name}/flat`, [-1, size])]);
    const strongest = graph.node(
      'Gather',
      [ofAllFrames, rows],
      isBinned ? { axis: 0 } : { as: name, axis: 0 },
    );
    if (isBinned) meanDistances(graph, strongest, { rows: kept, bins: size / 4 });
  }
  graph.node('Cast', [indices], { as: ROWS, to: INT32 });
  const frames = framesOf(graph.inputs[0]);
  graph.outputs = [
    ...Object.entries(preparedColumns(card)).map(([name, size]) =>
      tensorInfo(name, FLOAT, [frames, kept, size]),
    ),
    tensorInfo(ROWS, INT32, [frames, kept]),
  ];
}

/** The rows of the anchors in a list of the anchors of all frames, one frame after the other: [frames, rows]. */
function rowsOfAllFrames(
  graph: OnnxGraph,
  { flat, indices, anchors }: { flat: string; indices: string; anchors: number },
): string {
  const scalar = (name: string, value: number) =>
    graph.constant(name, INT64, { dims: [], data: BigInt64Array.of(BigInt(value)) });
  const frames = graph.node('Gather', [graph.node('Shape', [flat]), scalar('frames/axis', 0)], { axis: 0 });
  const each = graph.node('Range', [scalar('frames/first', 0), frames, scalar('frames/step', 1)]);
  const firsts = graph.node('Mul', [each, scalar('frames/anchors', anchors)]);
  const column = graph.node('Reshape', [firsts, graph.int64('frames/column', [-1, 1])]);
  return graph.node('Add', [indices, column]);
}

/**
 * The distance of a side is the mean of the distribution over its bins: [frames, rows, 4 × bins] logits become `distances`
 * [frames, rows, 4] in strides. Source: RangiLyu/nanodet, `Integral`.
 */
function meanDistances(
  graph: OnnxGraph,
  logits: string,
  { rows, bins }: { rows: number; bins: number },
): void {
  const sides = graph.node('Reshape', [logits, graph.int64('distances/sides', [-1, bins])]);
  const shares = graph.node('Softmax', [sides], { axis: 1 });
  const steps = graph.float(
    'distances/steps',
    Array.from({ length: bins }, (_, step) => step),
    [bins, 1],
  );
  const means = graph.node('MatMul', [shares, steps]);
  graph.node('Reshape', [means, graph.int64('distances/rows', [-1, rows, 4])], { as: 'distances' });
}

const all = (name: string): string => `${name}/all`;
