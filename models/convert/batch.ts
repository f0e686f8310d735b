import type { DetectorCard } from '../../src/models/detector-card.ts';
import { INT64, type OnnxGraph, tensorInfo, UINT8 } from '../../src/models/onnx/onnx-graph.ts';

/** The name that stands for the number of frames of a run. */
const FRAMES = 'frames';
/** Which input of an operation is the shape of its output. */
const SHAPES_OF: Readonly<Record<string, number>> = { Reshape: 1, Resize: 3 };

/**
 * Lets a graph that was made for one frame take any number of them: where a Reshape or a Resize writes the 1 of its first
 * dimension, it keeps what comes in. The input `image` is the one of `prependPreprocessing`.
 */
export function openBatch(graph: OnnxGraph, { width, height }: DetectorCard['input']): void {
  const ofFrames = new Set(['image']);
  for (const node of [...graph.nodes]) {
    const [from = ''] = node.input;
    if (!node.input.some((name) => ofFrames.has(name))) continue;
    for (const name of node.output) ofFrames.add(name);
    const at = SHAPES_OF[node.opType];
    const name = at === undefined || !ofFrames.has(from) ? '' : (node.input[at] ?? '');
    const [frames, ...others] = shapeIn(graph, name);
    if (frames !== 1) continue;
    // In a Reshape 0 copies the size that comes in.
    node.input[at!] =
      node.opType === 'Reshape'
        ? graph.int64(`${name}/${FRAMES}`, [0, ...others])
        : sizesOf(graph, from, others);
  }
  graph.inputs = [tensorInfo('image', UINT8, [FRAMES, height, width, 3])];
}

/** The sizes of a Resize that keeps the frames of `from`. */
function sizesOf(graph: OnnxGraph, from: string, others: readonly number[]): string {
  const before = graph.nodes.length;
  const shape = graph.node('Shape', [from]);
  const first = graph.node('Slice', [shape, graph.int64('frames/from', [0]), graph.int64('frames/to', [1])]);
  const sizes = graph.node('Concat', [first, graph.int64('frames/others', others)], { axis: 0 });
  const at = graph.nodes.findIndex(({ output }) => output.includes(from));
  graph.nodes.splice(at + 1, 0, ...graph.nodes.splice(before));
  return sizes;
}

/** The values of a constant of integers; none where it is no such constant. */
function shapeIn(graph: OnnxGraph, name: string): number[] {
  const tensor = graph.constants.get(name);
  if (tensor?.dataType !== INT64) return [];
  if (!tensor.rawData?.length) return (tensor.int64Data ?? []).map(Number);
  // A copy, because the bytes inside a file may not be aligned.
  return [...new BigInt64Array(Uint8Array.from(tensor.rawData).buffer)].map(Number);
}
