import { makeNode, type Node, type OnnxGraph } from '../../src/models/onnx/onnx-graph.ts';

/** Neighbouring pixels that are treated as one: their 12 channels are a multiple of 4, as 8-bit kernels need. */
const PIXELS = 4;

/**
 * The fast 8-bit convolution of ONNX Runtime needs a multiple of four channels, and an image has three: the first
 * convolution alone took a seventh of the time. Here four neighbouring pixels become one cell of 12 channels, and the 3 × 3
 * convolution of stride 2 becomes a 3 × 2 convolution that computes two columns at once. Both regroupings are views of
 * channels-last memory and cost nothing. Graphs with another first convolution stay as they are.
 */
export function widenFirstConvolution(
  graph: OnnxGraph,
  { width, height }: { width: number; height: number },
): void {
  const transpose = graph.consumers('image')[0];
  const dequantise = transpose && graph.consumers(transpose.output[0]!)[0];
  const convolution = dequantise && graph.consumers(dequantise.output[0]!)[0];
  if (dequantise?.opType !== 'DequantizeLinear' || convolution?.opType !== 'Conv' || width % PIXELS > 0)
    return;
  const { data, dims } = graph.floats(convolution.input[1]!);
  const [outputs = 0, channels = 0, rows = 0, columns = 0] = dims;
  if (rows !== 3 || columns !== 3 || ints(convolution, 'strides') !== '2,2') return;
  if (ints(convolution, 'pads') !== '1,1,1,1') return;

  const name = convolution.output[0]!;
  const wide = makeNode('Conv', {
    input: [
      dequantise.output[0]!,
      graph.float(`${name}/wide-weights`, widen(data, { outputs, channels }), [
        2 * outputs,
        PIXELS * channels,
        3,
        2,
      ]),
      graph.float(`${name}/wide-bias`, twice(graph.floats(convolution.input[2]!).data), [2 * outputs]),
    ],
    output: [`${name}/wide`],
    attributes: { kernel_shape: [3, 2], strides: [2, 1], pads: [1, 1, 1, 0] },
  });
  const cells = graph.int64('image/cells', [1, height, width / PIXELS, PIXELS * channels]);
  const shape = graph.int64(`${name}/shape`, [1, height / 2, width / 2, outputs]);
  const view = makeNode('Reshape', { input: ['image', cells], output: ['image/wide'] });
  transpose!.input = ['image/wide'];
  const at = graph.nodes.indexOf(convolution);
  graph.nodes.splice(
    at,
    1,
    wide,
    makeNode('Transpose', {
      input: [`${name}/wide`],
      output: [`${name}/rows`],
      attributes: { perm: [0, 2, 3, 1] },
    }),
    makeNode('Reshape', { input: [`${name}/rows`, shape], output: [`${name}/columns`] }),
    makeNode('Transpose', { input: [`${name}/columns`], output: [name], attributes: { perm: [0, 3, 1, 2] } }),
  );
  graph.nodes.unshift(view);
}

/** [out, channel, 3, 3] → [(column, out), (pixel, channel), 3, 2] */
function widen(
  data: Float32Array,
  { outputs, channels }: { outputs: number; channels: number },
): Float32Array {
  const wide = new Float32Array(2 * outputs * PIXELS * channels * 6);
  for (let column = 0; column < 2; column++)
    for (let output = 0; output < outputs; output++)
      for (let channel = 0; channel < channels; channel++)
        for (let row = 0; row < 3; row++)
          for (let x = 0; x < 3; x++) {
            // The pixel relative to the left edge of the cell; −1 is in the previous cell.
            const offset = 2 * column - 1 + x;
            const cell = offset < 0 ? 0 : 1;
            const pixel = (offset + PIXELS) % PIXELS;
            const to = (column * outputs + output) * PIXELS * channels + pixel * channels + channel;
            wide[(to * 3 + row) * 2 + cell] = data[((output * channels + channel) * 3 + row) * 3 + x]!;
          }
  return wide;
}

const twice = (bias: Float32Array): Float32Array => Float32Array.of(...bias, ...bias);

const ints = (node: Node, name: string): string =>
  String((node.attribute?.find((attribute) => attribute.name === name)?.ints ?? []).map(Number));
