import { INT8, INT32, makeNode, type Node, type OnnxGraph, UINT8 } from '../../src/models/onnx/onnx-graph.ts';
import type { Ranges } from './ranges.ts';
import { roundWeights } from './round-weights.ts';

/** The mapping of an activation to a byte: real = scale × (byte − zero). */
interface Step {
  readonly scale: number;
  readonly zero: number;
}

/** Operations that ONNX Runtime can compute in 8 bits. All other tensors stay floats. */
const QUANTISED = new Set(['Conv', 'LeakyRelu', 'Add', 'Concat', 'Resize']);
/** Operations that only move values. With the same scale on both sides they copy bytes without arithmetic. */
const MOVES = new Set(['Resize', 'Concat']);

/** Operations that work directly on the bytes. */
const ON_BYTES = new Set(['Transpose', 'Reshape', 'MaxPool']);

/** Names of the tensors whose ranges `quantise` needs. The outputs stay floats. */
export function quantisedTensors(graph: OnnxGraph): string[] {
  const outputs = new Set(graph.outputs.map((output) => output.name));
  const nodes = graph.nodes.filter((node) => QUANTISED.has(node.opType));
  return nodes.map((node) => node.output[0]!).filter((name) => !outputs.has(name));
}

/**
 * Static quantisation to 8 bits, in place. Every activation of the convolutional part is converted to uint8 and back
 * (QuantizeLinear, DequantizeLinear). ONNX Runtime fuses these into 8-bit operations where both sides of an operation have
 * them. Weights become int8 per output channel, biases int32.
 * @throws Error when the ranges are those of another network
 */
export function quantise(graph: OnnxGraph, ranges: Ranges['ranges']): void {
  const wanted = new Set(quantisedTensors(graph));
  const steps = makeSteps(graph, ranges);
  const bytesOf = new Map<string, string>();
  const realOf = new Map<string, string>();
  const outputs = new Set(graph.outputs.map((output) => output.name));
  for (const node of graph.nodes.splice(0)) {
    // The image already consists of bytes.
    if (node.opType === 'DequantizeLinear') steps.set(node.output[0]!, { scale: 1, zero: 0 });
    if (node.opType === 'Conv') quantiseWeights(graph, node, steps.get(node.input[0]!)!.scale);
    const name = node.output[0]!;
    const source = node.input[0]!;
    const moved = ON_BYTES.has(node.opType) && bytesOf.has(source) && !outputs.has(name);
    if (moved) {
      node.input[0] = bytesOf.get(source)!;
      node.output = [`${name}/bytes`];
      steps.set(name, steps.get(source)!);
    }
    node.input = node.input.map((input) => realOf.get(input) ?? input);
    graph.nodes.push(node);
    if (!moved && !wanted.has(name)) continue;
    const step = stepConstants(graph, name, steps.get(name)!);
    if (!moved) graph.node('QuantizeLinear', [name, ...step], { as: `${name}/bytes` });
    bytesOf.set(name, `${name}/bytes`);
    realOf.set(name, graph.node('DequantizeLinear', [`${name}/bytes`, ...step], { as: `${name}/real` }));
  }
  graph.prune();
}

function makeSteps(graph: OnnxGraph, ranges: Ranges['ranges']): Map<string, Step> {
  const wide = new Map<string, { low: number; high: number }>();
  for (const name of quantisedTensors(graph)) {
    const range = ranges[name.replace(/\/wide$/, '')];
    if (!range)
      throw new Error(`the table of ranges has nothing for "${name}"; \`models calibrate\` makes it`);
    wide.set(name, { low: Math.min(0, range[0]), high: Math.max(0, range[1]) });
  }
  shareRanges(graph, wide);
  return new Map([...wide].map(([name, range]) => [name, toStep(range)]));
}

/** Tensors between which values only move get the union of their ranges. */
function shareRanges(graph: OnnxGraph, wide: Map<string, { low: number; high: number }>): void {
  for (const node of graph.nodes.filter(({ opType, output }) => MOVES.has(opType) && wide.has(output[0]!))) {
    const group = [...(node.opType === 'Concat' ? node.input : node.input.slice(0, 1)), node.output[0]!];
    const ranges = group.map((name) => wide.get(name)).filter((range) => range !== undefined);
    const union = {
      low: Math.min(...ranges.map(({ low }) => low)),
      high: Math.max(...ranges.map(({ high }) => high)),
    };
    // A tensor that already shares a range with a member now shares it with all of them.
    for (const [name, range] of wide) if (ranges.includes(range)) wide.set(name, union);
  }
}

/** Zero must be exactly representable as a byte, because padding is zero. */
function toStep({ low, high }: { low: number; high: number }): Step {
  const scale = Math.fround(Math.max((high - low) / 255, 1e-8));
  return { scale, zero: Math.max(0, Math.min(255, Math.round(-low / scale))) };
}

function stepConstants(graph: OnnxGraph, name: string, { scale, zero }: Step): string[] {
  return [
    graph.float(`${name}/scale`, [scale], []),
    graph.constant(`${name}/zero`, UINT8, { dims: [], data: Uint8Array.of(zero) }),
  ];
}

function quantiseWeights(graph: OnnxGraph, node: Node, inputScale: number): void {
  const [input = '', weightName = '', biasName] = node.input;
  const { data, dims } = graph.floats(weightName);
  const channels = dims[0]!;
  const size = data.length / channels;
  const scales = new Float32Array(channels);
  const bytes = new Int8Array(data.length);
  const [, , ...kernel] = dims;
  const area = kernel.reduce((product, length) => product * length, 1);
  for (let channel = 0; channel < channels; channel++) {
    const [from, to] = [channel * size, (channel + 1) * size];
    scales[channel] = roundWeights(data.subarray(from, to), area, bytes.subarray(from, to));
  }
  node.input = [input, perChannel(graph, weightName, { dataType: INT8, data: bytes, dims, scales })];
  if (!biasName) return;
  const biasScales = scales.map((scale) => scale * inputScale);
  const bias = Int32Array.from(graph.floats(biasName).data, (value, i) => Math.round(value / biasScales[i]!));
  node.input.push(
    perChannel(graph, biasName, { dataType: INT32, data: bias, dims: [channels], scales: biasScales }),
  );
}

function perChannel(
  graph: OnnxGraph,
  name: string,
  tensor: { dataType: number; data: Int8Array | Int32Array; dims: readonly number[]; scales: Float32Array },
): string {
  const { dataType, data, dims, scales } = tensor;
  const channels = scales.length;
  const zeros = dataType === INT8 ? new Int8Array(channels) : new Int32Array(channels);
  const inputs = [
    graph.constant(`${name}/whole`, dataType, { dims, data }),
    graph.float(`${name}/scales`, scales, [channels]),
    graph.constant(`${name}/zeros`, dataType, { dims: [channels], data: zeros }),
  ];
  const output = graph.fresh(`${name}/real`);
  graph.nodes.push(
    makeNode('DequantizeLinear', { input: inputs, output: [output], attributes: { axis: 0 } }),
  );
  return output;
}
