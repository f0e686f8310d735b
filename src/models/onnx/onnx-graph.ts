import type { onnx } from 'onnx-proto';
import onnxProto from 'onnx-proto';

/** Element types of ONNX tensors, with the numbers of the format. */
export const FLOAT = 1;
export const UINT8 = 2;
export const INT8 = 3;
export const INT32 = 6;
export const INT64 = 7;

export type Node = onnx.INodeProto & { opType: string; input: string[]; output: string[] };
type AttributeValue = string | number | { float: number } | readonly number[];

/** A graph that can be built and changed. `inputs` and `outputs` are descriptions of the ONNX format. */
export class OnnxGraph {
  readonly nodes: Node[] = [];
  readonly constants = new Map<string, onnx.ITensorProto>();
  inputs: onnx.IValueInfoProto[] = [];
  outputs: onnx.IValueInfoProto[] = [];
  /** The versions of the operator sets; without a file 13 of ONNX itself. */
  opsets: { domain: string; version: number }[] = [{ domain: '', version: 13 }];
  #next = 0;

  /** @returns the name of the only output: `attributes.as`, or a new name */
  node(
    opType: string,
    input: readonly string[],
    { as, ...attributes }: Record<string, AttributeValue> & { as?: string } = {},
  ): string {
    const output = as ?? this.fresh(opType);
    this.nodes.push(makeNode(opType, { input, output: [output], attributes }));
    return output;
  }

  float(name: string, data: Float32Array | readonly number[], dims: readonly number[]): string {
    return this.constant(name, FLOAT, { dims, data: Float32Array.from(data) });
  }

  int64(name: string, data: readonly number[]): string {
    return this.constant(name, INT64, { dims: [data.length], data: BigInt64Array.from(data, BigInt) });
  }

  /** @returns the name of the constant: `name`, or a similar one where that is in use */
  constant(
    name: string,
    dataType: number,
    { dims, data }: { dims: readonly number[]; data: ArrayBufferView },
  ): string {
    const unique = this.constants.has(name) ? this.fresh(name) : name;
    const rawData = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.constants.set(unique, { name: unique, dims: [...dims], dataType, rawData });
    return unique;
  }

  /** Values and shape of a float constant. @throws Error where there is none */
  floats(name: string): { data: Float32Array; dims: number[] } {
    const tensor = this.constants.get(name);
    if (!tensor || tensor.dataType !== FLOAT) throw new Error(`"${name}" is not a constant of 32-bit floats`);
    const dims = (tensor.dims ?? []).map(Number);
    const raw = tensor.rawData;
    if (!raw?.length) return { data: Float32Array.from(tensor.floatData ?? []), dims };
    // A copy, because the bytes inside a file may not be aligned.
    return { data: new Float32Array(Uint8Array.from(raw).buffer), dims };
  }

  producer(tensor: string): Node | undefined {
    return this.nodes.find((node) => node.output.includes(tensor));
  }

  consumers(tensor: string): Node[] {
    return this.nodes.filter((node) => node.input.includes(tensor));
  }

  /** The inputs without constants, which older files also list as inputs. */
  fedInputs(): onnx.IValueInfoProto[] {
    return this.inputs.filter((input) => !this.constants.has(input.name ?? ''));
  }

  /** A name that no node and no constant has, also not one of the file. */
  fresh(prefix: string): string {
    for (;;) {
      const name = `${prefix}#${this.#next++}`;
      const isTaken = this.nodes.some((node) => node.name === name || node.output.includes(name));
      if (!isTaken && !this.constants.has(name)) return name;
    }
  }

  /** Removes nodes and constants that no output needs. */
  prune(): void {
    const needed = new Set(this.outputs.map((output) => output.name ?? ''));
    const kept: Node[] = [];
    for (const node of [...this.nodes].reverse()) {
      if (!node.output.some((name) => needed.has(name))) continue;
      kept.push(node);
      for (const name of node.input) needed.add(name);
    }
    this.nodes.splice(0, this.nodes.length, ...kept.reverse());
    for (const name of [...this.constants.keys()]) if (!needed.has(name)) this.constants.delete(name);
  }
}

export function makeNode(
  opType: string,
  {
    input,
    output,
    attributes = {},
  }: { input: readonly string[]; output: readonly string[]; attributes?: Record<string, AttributeValue> },
): Node {
  return {
    opType,
    name: output[0] ?? opType,
    input: [...input],
    output: [...output],
    attribute: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
  };
}

function attribute(name: string, value: AttributeValue): onnx.IAttributeProto {
  const { AttributeType } = onnxProto.onnx.AttributeProto;
  if (typeof value === 'string') return { name, type: AttributeType.STRING, s: Buffer.from(value) };
  if (typeof value === 'number') return { name, type: AttributeType.INT, i: value };
  if ('float' in value) return { name, type: AttributeType.FLOAT, f: value.float };
  return { name, type: AttributeType.INTS, ints: [...value] };
}

/** @param shape absent where it is to be inferred; a name stands for a size that each run decides */
export function tensorInfo(
  name: string,
  elemType: number,
  shape?: readonly (number | string)[],
): onnx.IValueInfoProto {
  const dims = shape && {
    shape: { dim: shape.map((size) => (typeof size === 'string' ? { dimParam: size } : { dimValue: size })) },
  };
  return { name, type: { tensorType: { elemType, ...dims } } };
}

/** The shape of an input or output; 0 for dimensions that are not fixed. */
export function shapeOf(info: onnx.IValueInfoProto): number[] {
  return (info.type?.tensorType?.shape?.dim ?? []).map((dim) => Number(dim.dimValue ?? 0));
}

/** The frames of one run of a network: their number, or the name that stands for any number. */
export function framesOf(input: onnx.IValueInfoProto | undefined): number | string {
  const [frames] = input?.type?.tensorType?.shape?.dim ?? [];
  return frames?.dimParam || Number(frames?.dimValue ?? 1);
}

/** @throws Error when the bytes are no ONNX model */
export function decodeOnnx(bytes: Uint8Array): OnnxGraph {
  const model = onnxProto.onnx.ModelProto.decode(bytes);
  if (!model.graph?.node?.length || !model.graph.output?.length) throw new Error('it holds no graph');
  const graph = new OnnxGraph();
  graph.opsets = model.opsetImport.map(({ domain, version }) => ({
    domain: domain ?? '',
    version: Number(version),
  }));
  for (const node of model.graph.node) {
    graph.nodes.push({
      ...node,
      opType: node.opType ?? '',
      input: node.input ?? [],
      output: node.output ?? [],
    });
  }
  for (const tensor of model.graph.initializer ?? []) graph.constants.set(tensor.name ?? '', tensor);
  graph.inputs = model.graph.input ?? [];
  graph.outputs = model.graph.output;
  return graph;
}

export function encodeOnnx(graph: OnnxGraph): Uint8Array {
  const { ModelProto, GraphProto } = onnxProto.onnx;
  const model = ModelProto.create({
    irVersion: 8,
    opsetImport: graph.opsets,
    producerName: 'video-analytics-service',
    graph: GraphProto.create({
      name: 'detector',
      node: graph.nodes,
      initializer: [...graph.constants.values()],
      input: graph.fedInputs(),
      output: graph.outputs,
    }),
  });
  return ModelProto.encode(model).finish();
}
