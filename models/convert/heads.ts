import type { DetectorCard } from '../../src/models/detector-card.ts';
import { FLOAT, INT64, type OnnxGraph, shapeOf, tensorInfo } from '../../src/models/onnx/onnx-graph.ts';
import { cellCounts, outputShapes } from '../../src/models/ready-network.ts';

/** The classes of COCO. */
const TRAINED_CLASSES = 80;
/** The labels of COCO go to 90, and 0 is the background. */
const COCO_91_SLOTS = 91;
/** Labels of COCO that no picture has. */
const UNUSED_LABELS = [12, 26, 29, 30, 45, 66, 68, 69, 71, 83];

/** The label in the files of COCO of a class of `coco-80`. */
function labelOfCoco(id: number): number {
  return UNUSED_LABELS.reduce((label, unused) => (label >= unused ? label + 1 : label), id + 1);
}

/**
 * Replaces the outputs of the source by those of `outputShapes`: only the classes to keep, all strides in one tensor.
 * @throws Error when the outputs of the source are not those of the card
 */
export function joinHeads(graph: OnnxGraph, card: DetectorCard): void {
  const { anchors, columns } = outputShapes(card);
  const { heads, classes } = card;
  if (heads.kind === 'single') {
    const [output] = graph.outputs;
    const shape = output ? shapeOf(output) : [];
    if (graph.outputs.length !== 1 || shape.at(-1) !== 5 + TRAINED_CLASSES || shape.at(-2) !== anchors) {
      throw new Error(`its output should be [1, ${anchors}, ${5 + TRAINED_CLASSES}], not ${describe(graph)}`);
    }
    const picked = [0, 1, 2, 3, 4, ...classes.keep.map((id) => 5 + id)];
    gather(graph, output!.name!, { picked, as: 'predictions' });
  } else if (heads.kind === 'queries') {
    const slots = classes.trained === 'coco-91' ? COCO_91_SLOTS : TRAINED_CLASSES;
    requireOutput(graph, heads.logits, [1, anchors, slots]);
    requireOutput(graph, heads.boxes, [1, anchors, 4]);
    const picked = classes.keep.map((id) => (classes.trained === 'coco-91' ? labelOfCoco(id) : id));
    gather(graph, heads.logits, { picked, as: 'scores' });
    graph.node('Identity', [heads.boxes], { as: 'boxes' });
  } else if (heads.kind === 'split') {
    const cells = cellCounts(card);
    const scores = graph.node('Concat', outputsOfShape(graph, { cells, columns: TRAINED_CLASSES }), {
      axis: 1,
    });
    gather(graph, scores, { picked: classes.keep, as: 'scores' });
    const distances = outputsOfShape(graph, { cells, columns: columns.distances ?? 0 });
    graph.node('Concat', distances, { as: 'distances', axis: 1 });
  } else {
    const tensors = graph.outputs.map((output) => output.name ?? '');
    const sides = columns.distances ?? 0;
    const distances = Array.from({ length: sides }, (_, i) => TRAINED_CLASSES + i);
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

/** [frames, channels, h, w] → [frames, h × w, channels] */
function toRows(graph: OnnxGraph, { name, channels }: { name: string; channels: number }): string {
  const rows = graph.node('Transpose', [name], { perm: [0, 2, 3, 1] });
  const shape = graph.constant('rows', INT64, {
    dims: [3],
    data: BigInt64Array.of(0n, -1n, BigInt(channels)),
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

/** The outputs [1, cells, columns], one for each number of cells, in that order. */
function outputsOfShape(
  graph: OnnxGraph,
  { cells, columns }: { cells: readonly number[]; columns: number },
): string[] {
  return cells.map((count) => {
    const expected = `1,${count},${columns}`;
    const output = graph.outputs.find((info) => String(shapeOf(info)) === expected);
    if (!output?.name) throw new Error(`it should have an output [${expected}], but has ${describe(graph)}`);
    return output.name;
  });
}

/** A size that the source leaves open counts as right. */
function requireOutput(graph: OnnxGraph, name: string, expected: readonly number[]): void {
  const output = graph.outputs.find((info) => info.name === name);
  const shape = output ? shapeOf(output) : [];
  if (shape.length === expected.length && shape.every((size, at) => !size || size === expected[at])) return;
  throw new Error(`it should have the output ${name} [${expected.join(', ')}], but has ${describe(graph)}`);
}

function describe(graph: OnnxGraph): string {
  return graph.outputs.map((output) => `${output.name} [${shapeOf(output).join(', ')}]`).join(', ');
}
