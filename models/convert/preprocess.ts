import type { DetectorCard } from '../../src/models/detector-card.ts';
import {
  FLOAT,
  makeNode,
  type OnnxGraph,
  shapeOf,
  tensorInfo,
  UINT8,
} from '../../src/models/onnx/onnx-graph.ts';

/** The grey of the letterbox, and therefore also the padding of a convolution at the edge of the image. */
const GREY = 114;

/**
 * Replaces the one float NCHW input of the graph by `image`, uint8 NHWC RGB, so that no pixel is handled outside the graph.
 * If the first operation is a convolution, colour order, mean and scale go into its weights and cost nothing.
 * @throws Error when the input of the graph is not the one of the card
 */
export function prependPreprocessing(graph: OnnxGraph, input: DetectorCard['input']): void {
  const { width, height } = input;
  const [fed, ...others] = graph.fedInputs();
  const shape = fed ? shapeOf(fed).map((size) => size || 1) : [];
  const expected = [1, 3, height, width];
  if (!fed?.name || others.length > 0 || String(shape) !== String(expected)) {
    const found = graph.fedInputs().map((info) => `${info.name} [${shapeOf(info).join(', ')}]`);
    throw new Error(`its input should be [${expected.join(', ')}], not ${found.join(' and ') || 'missing'}`);
  }
  if (fed.type?.tensorType?.elemType !== FLOAT) throw new Error('its input should be 32-bit floats');
  const name = fed.name === 'image' ? renamed(graph, 'image', 'pixels') : fed.name;
  const before = graph.nodes.length;
  const bytes = graph.node('Transpose', ['image'], { perm: [0, 3, 1, 2] });
  const convolution = foldable(graph, name);
  if (convolution) {
    const zero = graph.constant('image/zero', UINT8, { dims: [], data: Uint8Array.of(GREY) });
    const scale = graph.float('image/scale', [1], []);
    foldIntoWeights(graph, convolution, input);
    graph.node('DequantizeLinear', [bytes, scale, zero], { as: name });
  } else {
    normalise(graph, { bytes, name, input });
  }
  // The appended nodes run first.
  graph.nodes.unshift(...graph.nodes.splice(before));
  graph.inputs = [tensorInfo('image', UINT8, [1, height, width, 3])];
}

function renamed(graph: OnnxGraph, from: string, to: string): string {
  for (const node of graph.nodes) node.input = node.input.map((name) => (name === from ? to : name));
  return to;
}

function foldable(graph: OnnxGraph, name: string) {
  const [first, ...others] = graph.consumers(name);
  const folds = first?.opType === 'Conv' && others.length === 0 && graph.constants.has(first.input[1] ?? '');
  return folds ? first : undefined;
}

/** With x = pixel − GREY: (pixel − mean) / std = x / std + (GREY − mean) / std. */
function foldIntoWeights(
  graph: OnnxGraph,
  convolution: { input: string[] },
  { colour, mean, std }: DetectorCard['input'],
): void {
  const [pixels = '', weightName = '', biasName] = convolution.input;
  const { data, dims } = graph.floats(weightName);
  const [outputs = 0, inputs = 0, rows = 0, columns = 0] = dims;
  const cells = rows * columns;
  const weights = new Float32Array(data.length);
  const bias = biasName ? graph.floats(biasName).data : new Float32Array(outputs);
  for (let output = 0; output < outputs; output++)
    for (let channel = 0; channel < inputs; channel++) {
      const target = colour === 'bgr' ? inputs - 1 - channel : channel;
      for (let cell = 0; cell < cells; cell++) {
        const weight = data[(output * inputs + channel) * cells + cell]! / std[channel]!;
        weights[(output * inputs + target) * cells + cell] = weight;
        bias[output]! += weight * (GREY - mean[channel]!);
      }
    }
  convolution.input = [
    pixels,
    graph.float(`${weightName}/folded`, weights, dims),
    graph.float(`${biasName ?? weightName}/folded-bias`, bias, [outputs]),
  ];
}

function normalise(
  graph: OnnxGraph,
  { bytes, name, input }: { bytes: string; name: string; input: DetectorCard['input'] },
): void {
  const { colour, mean, std } = input;
  let at = bytes;
  if (colour === 'bgr') at = graph.node('Gather', [at, graph.int64('image/bgr', [2, 1, 0])], { axis: 1 });
  at = graph.node('Cast', [at], { to: FLOAT });
  if (mean.some((value) => value !== 0))
    at = graph.node('Sub', [at, graph.float('image/mean', mean, [3, 1, 1])]);
  if (std.some((value) => value !== 1))
    at = graph.node('Div', [at, graph.float('image/std', std, [3, 1, 1])]);
  graph.nodes.push(makeNode('Identity', { input: [at], output: [name] }));
}
