import type { onnx } from 'onnx-proto';
import { INT8, type Node, type OnnxGraph } from './onnx-graph.ts';

/**
 * The largest absolute value of an 8-bit weight. x64 processors without VNNI multiply bytes 0-255 with weights and add pairs
 * of products in signed 16 bits. 255 × (64 + 64) = 32,640 never exceeds their maximum of 32,767.
 */
export const LARGEST_WEIGHT = 64;

/**
 * Whether an x64 processor without VNNI may compute wrong sums, because an operation multiplies unsigned bytes with signed
 * 8-bit weights beyond LARGEST_WEIGHT. Signed activations are safe. The answer is true when the graph does not tell.
 */
export function canSaturate(graph: OnnxGraph): boolean {
  return graph.nodes.some((node) => {
    if (node.opType !== 'DequantizeLinear')
      return node.input.some((name) => hasLargeWeights(graph, name)) && !hasSignedZero(graph, node);
    const [[bytes = ''], [values = '']] = [node.input, node.output];
    const isLarge = graph.constants.has(bytes) ? hasLargeWeights(graph, bytes) : hasSignedZero(graph, node);
    return isLarge && graph.consumers(values).some((user) => isSecondFactor(graph, user, node));
  });
}

/** ONNX Runtime replaces an operation between DequantizeLinear and QuantizeLinear by its 8-bit version. */
function isSecondFactor(graph: OnnxGraph, user: Node, weights: Node): boolean {
  const [first = '', second] = user.input;
  if (second !== weights.output[0]) return false;
  const activation = graph.producer(first);
  return !(activation?.opType === 'DequantizeLinear' && hasSignedZero(graph, activation));
}

/** The third input of all 8-bit operations of ONNX is a zero point. It has the type of its bytes. */
function hasSignedZero(graph: OnnxGraph, { input: [, , zero = ''] }: Node): boolean {
  return graph.constants.get(zero)?.dataType === INT8;
}

function hasLargeWeights(graph: OnnxGraph, name: string): boolean {
  const tensor = graph.constants.get(name);
  // Zero points are int8 too, but have at most one dimension.
  if (tensor?.dataType !== INT8 || (tensor.dims?.length ?? 0) < 2) return false;
  // Millions of values at each start: a loop takes a tenth of the time of `some`.
  for (const value of int8Values(tensor)) if (value > LARGEST_WEIGHT || value < -LARGEST_WEIGHT) return true;
  return false;
}

function int8Values({ rawData, int32Data }: onnx.ITensorProto): Int8Array {
  if (!rawData?.length) return Int8Array.from(int32Data ?? []);
  return new Int8Array(rawData.buffer, rawData.byteOffset, rawData.byteLength);
}

// DequantizeLinear alone is no sign: it also reads the bytes of the picture.
const QUANTISED = /^(QLinear\w+|QuantizeLinear|DynamicQuantizeLinear|ConvInteger|MatMulInteger)$/;

/** Whether a network computes with 8-bit integers. */
export const isQuantised = (graph: OnnxGraph): boolean =>
  graph.nodes.some(({ opType }) => QUANTISED.test(opType));
