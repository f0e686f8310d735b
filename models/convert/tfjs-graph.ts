import { FLOAT, OnnxGraph, tensorInfo } from '../../src/models/onnx/onnx-graph.ts';
import type { readTfjs, TfConstant, TfNode } from './tfjs-files.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface TfjsOptions {
  /** The node that the normalised image replaces. By default the placeholder, with an image in NCHW. */
  readonly input?: string;
  /** Size of the image in pixels. */
  readonly size: Size;
  /** Size of the images the graph was made for; by default that of the placeholder. Constants per pixel are cropped. */
  readonly trained?: Size;
  /** The nodes to output, and the names of the outputs; null for the name in the graph. */
  readonly outputs: readonly (readonly [node: string, as: string | null])[];
}

/**
 * A TensorFlow tensor in the ONNX graph. ONNX stores images as NCHW; `order[i]` is the ONNX dimension of TensorFlow's
 * dimension i, so that a transpose only changes the order. `padding` is not applied yet: the following convolution or
 * pooling applies it.
 */
interface Held {
  readonly name: string;
  readonly order: readonly number[];
  readonly padding?: { readonly value: number; readonly before: number[]; readonly after: number[] };
}

const CHANNELS_FIRST = [0, 1, 2, 3];
const CHANNELS_LAST = [0, 2, 3, 1];

/**
 * Converts a TensorFlow.js graph to ONNX with the input `image` [1, 3, height, width], already normalised, and images in
 * NCHW as outputs. It supports the operations of convolutional detectors and of MobileNets with heads.
 * @throws Error that names an operation that is not supported
 */
export function tfjsToOnnx(
  { nodes, constants }: ReturnType<typeof readTfjs>,
  options: TfjsOptions,
): OnnxGraph {
  const converter = new Converter(nodes, constants, options);
  const outputs = options.outputs.map(([node]) => node);
  const needed = ancestors(converter, outputs);
  for (const node of nodes) if (needed.has(node.name)) converter.held(node.name);
  const { graph } = converter;
  graph.inputs = [tensorInfo('image', FLOAT, [1, 3, options.size.height, options.size.width])];
  graph.outputs = options.outputs.map(([node, as]) => {
    const { name } = converter.held(node);
    return tensorInfo(as === null ? name : graph.node('Identity', [name], { as }), FLOAT);
  });
  graph.prune();
  return graph;
}

const plain = (name: string): string => name.replace(/:0$/, '');

/** The names of the nodes from which the outputs follow, without constants. */
function ancestors(converter: Converter, outputs: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const open = [...outputs];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(plain(name)) || converter.isConstant(name) || converter.isInput(name)) continue;
    seen.add(plain(name));
    open.push(...converter.node(name).input);
  }
  return seen;
}

class Converter {
  readonly graph = new OnnxGraph();
  readonly #nodes: ReadonlyMap<string, TfNode>;
  readonly #constants: ReadonlyMap<string, TfConstant>;
  readonly #options: TfjsOptions;
  readonly #held = new Map<string, Held>();
  #trained: Size;

  constructor(nodes: readonly TfNode[], constants: ReadonlyMap<string, TfConstant>, options: TfjsOptions) {
    this.#nodes = new Map(nodes.map((node) => [node.name, node]));
    this.#constants = constants;
    this.#options = options;
    this.#trained = options.trained ?? options.size;
    if (options.input) this.#held.set(options.input, { name: 'image', order: CHANNELS_LAST });
  }

  isConstant(name: string): boolean {
    return this.#constants.has(plain(name));
  }

  isInput(name: string): boolean {
    return plain(name) === this.#options.input;
  }

  node(name: string): TfNode {
    const node = this.#nodes.get(plain(name));
    if (!node) throw new Error(`the graph has no "${name}"`);
    return node;
  }

  /** The tensor of a node, which is converted with all nodes before it where that did not happen yet. */
  held(name = ''): Held {
    const held = this.#held.get(plain(name)) ?? this.#convert(this.node(name));
    this.#held.set(plain(name), held);
    return held;
  }

  #convert(node: TfNode): Held {
    const [first = '', second = ''] = node.input;
    switch (node.op) {
      case 'Placeholder': {
        const [height = 0, width = 0] = (node.attr.shape?.shape?.dim ?? []).slice(2).map(({ size }) => +size);
        this.#trained = { width, height };
        return { name: 'image', order: CHANNELS_FIRST };
      }
      case 'Identity':
        return this.held(first);
      case 'Transpose': {
        const from = this.held(first);
        return { ...from, order: this.#ints(second).map((dim) => from.order[dim]!) };
      }
      case 'Pad':
      case 'PadV2':
        return this.#pad(node);
      case 'Conv2D':
      case '_FusedConv2D':
      case 'DepthwiseConv2dNative':
      case 'FusedDepthwiseConv2dNative':
        return this.#activated(node, (as) => this.#convolution(node, as));
      case '_FusedMatMul':
        return this.#activated(node, (as) => this.#product(node, as));
      case 'Add':
      case 'AddV2':
        return this.#bias(node) ?? this.#elementwise('Add', node);
      case 'Mul':
        return this.#elementwise('Mul', node);
      case 'Minimum':
        return this.#elementwise('Min', node);
      case 'Maximum':
        return this.#elementwise('Max', node);
      case 'Relu':
      case 'Sigmoid':
      case 'Softmax':
        return this.#elementwise(node.op, node);
      case 'LeakyRelu': {
        const alpha = { float: Number(node.attr.alpha?.f ?? 0.2) };
        const from = this.#unpadded(first);
        return { ...from, name: this.graph.node('LeakyRelu', [from.name], { as: node.name, alpha }) };
      }
      case 'Mean': {
        const pooled = this.graph.node('GlobalAveragePool', [this.#channelsLast(first).name]);
        return { name: this.graph.node('Flatten', [pooled], { as: node.name }), order: [0, 1] };
      }
      case 'MaxPool': {
        const { name, border } = this.#bordered(node, Number.NEGATIVE_INFINITY);
        const kernel = { kernel_shape: sides(node, 'ksize'), strides: sides(node, 'strides') };
        const pooled = this.graph.node('MaxPool', [name], { as: node.name, ...kernel, ...border });
        return { name: pooled, order: CHANNELS_LAST };
      }
      case 'ConcatV2': {
        const { parts, order } = this.#alike(node.input.slice(0, -1));
        const axis = order[this.#ints(node.input.at(-1))[0]!]!;
        return { name: this.graph.node('Concat', parts, { as: node.name, axis }), order };
      }
      case 'ResizeBilinear':
        return this.#resize(node);
      default:
        throw new Error(`the operation "${node.op}" is not supported`);
    }
  }

  #pad(node: TfNode): Held {
    const from = this.#unpadded(node.input[0]);
    const amounts = this.#ints(node.input[1]);
    const value = node.op === 'PadV2' ? this.#constant(node.input[2]).data[0]! : 0;
    if (amounts.every((amount) => amount === 0)) return from;
    const before = from.order.map(() => 0);
    const after = from.order.map(() => 0);
    from.order.forEach((dim, i) => {
      before[dim] = amounts[2 * i]!;
      after[dim] = amounts[2 * i + 1]!;
    });
    return { ...from, padding: { value, before, after } };
  }

  #convolution(node: TfNode, as: string): Held {
    const isDepthwise = node.op.includes('Depthwise');
    const { name: from, border } = this.#bordered(node, 0);
    const { shape, data } = this.#constant(node.input[1]);
    const [rows = 0, columns = 0, inputs = 0, last = 0] = shape;
    const dims = isDepthwise ? [inputs * last, 1, rows, columns] : [last, inputs, rows, columns];
    const weights = new Float32Array(data.length);
    // TensorFlow stores [row, column, in, out], ONNX [out, in, row, column].
    for (let cell = 0, at = 0; cell < rows * columns; cell++)
      for (let i = 0; i < inputs; i++)
        for (let o = 0; o < last; o++, at++) {
          const to = isDepthwise ? i * last + o : o * inputs + i;
          weights[to * rows * columns + cell] = data[at]!;
        }
    const parameters = [this.graph.float(`${node.name}/weights`, weights, dims)];
    if (fusedOperations(node).length > 0) {
      const bias = this.#constant(node.input[2]);
      parameters.push(this.graph.float(`${node.name}/bias`, bias.data, bias.shape));
    }
    const name = this.graph.node('Conv', [from, ...parameters], {
      as,
      ...{ kernel_shape: [rows, columns], strides: sides(node, 'strides') },
      ...{ dilations: sides(node, 'dilations'), ...border, ...(isDepthwise && { group: inputs }) },
    });
    return { name, order: CHANNELS_LAST };
  }

  #product(node: TfNode, as: string): Held {
    const { name, order } = this.#unpadded(node.input[0]);
    const product = this.graph.node('MatMul', [name, this.#parameter(node.input[1]!, false)]);
    const sum = [product, this.#parameter(node.input[2]!, false)];
    return { name: this.graph.node('Add', sum, { as }), order };
  }

  /** An operation with the activation that TensorFlow has fused into it. @param make gets the name of its output */
  #activated(node: TfNode, make: (as: string) => Held): Held {
    const [bias = 'BiasAdd', activation] = fusedOperations(node);
    if (bias !== 'BiasAdd') throw new Error(`the fused operation "${bias}" is not supported`);
    if (!activation) return make(node.name);
    const made = make(`${node.name}/linear`);
    if (activation === 'Relu')
      return { ...made, name: this.graph.node('Relu', [made.name], { as: node.name }) };
    if (activation !== 'Relu6') throw new Error(`the fused operation "${activation}" is not supported`);
    const bounds = [0, 6].map((bound) => this.graph.float(`clip/${bound}`, [bound], []));
    return { ...made, name: this.graph.node('Clip', [made.name, ...bounds], { as: node.name }) };
  }

  /** A constant that is added to the channels of a convolution becomes its bias. Null for other sums. */
  #bias({ input: [first = '', second = ''] }: TfNode): Held | null {
    if (!this.isConstant(second) || this.isConstant(first)) return null;
    const from = this.held(first);
    const convolution = this.graph.producer(from.name);
    const { data, shape } = this.#constant(second);
    if (convolution?.opType !== 'Conv' || convolution.input.length > 2 || shape.length !== 1) return null;
    const users = [...this.#nodes.values()].filter(({ input }) => input.map(plain).includes(plain(first)));
    if (users.length > 1) return null;
    convolution.input.push(this.graph.float(`${plain(second)}/bias`, data, shape));
    return from;
  }

  /** An operation on tensors of one layout and constants. */
  #elementwise(operation: string, { name, input }: TfNode): Held {
    const { parts, order } = this.#alike(input.filter((one) => !this.isConstant(one)));
    const isImage = order.length === CHANNELS_LAST.length;
    const constants = input.filter((one) => this.isConstant(one));
    const parameters = constants.map((one) => this.#parameter(one, isImage));
    return { name: this.graph.node(operation, [...parts, ...parameters], { as: name }), order };
  }

  #alike(inputs: readonly string[]): { parts: string[]; order: readonly number[] } {
    const tensors = inputs.map((input) => this.#unpadded(input));
    const { order } = tensors[0]!;
    if (tensors.some((tensor) => String(tensor.order) !== String(order)))
      throw new Error(`mixed layouts in "${inputs.join('" and "')}"`);
    return { parts: tensors.map(({ name }) => name), order };
  }

  #resize(node: TfNode): Held {
    const from = this.#channelsLast(node.input[0]);
    const channels = this.graph.floats(this.#convolutionBefore(from.name).input[1]!).dims[0]!;
    const [height = 0, width = 0] = this.#ints(node.input[1]);
    const size = this.#scaled({ width, height });
    const sizes = this.graph.int64(`${node.name}/size`, [1, channels, size.height, size.width]);
    const name = this.graph.node('Resize', [from.name, '', '', sizes], {
      as: node.name,
      mode: 'linear',
      coordinate_transformation_mode: node.attr.half_pixel_centers?.b ? 'half_pixel' : 'asymmetric',
    });
    return { name, order: CHANNELS_LAST };
  }

  /** The nearest convolution upstream, through operations that keep the number of channels. */
  #convolutionBefore(tensor: string) {
    let node = this.graph.producer(tensor);
    while (node && node.opType !== 'Conv') node = this.graph.producer(node.input[0]!);
    if (!node) throw new Error(`the number of channels of "${tensor}" is unknown`);
    return node;
  }

  /** The size of a plane in a graph for our size of the image. */
  #scaled({ width, height }: Size): Size {
    const { size } = this.#options;
    return {
      width: Math.round((width * size.width) / this.#trained.width),
      height: Math.round((height * size.height) / this.#trained.height),
    };
  }

  /** The input of a convolution or pooling, and the attributes for its border. @param value of the padding */
  #bordered(node: TfNode, value: number): { name: string; border: Record<string, string | number[]> } {
    if (text(node.attr.padding?.s) === 'SAME')
      return { name: this.#channelsLast(node.input[0]).name, border: { auto_pad: 'SAME_UPPER' } };
    const { name, order, padding } = this.held(node.input[0]);
    requireChannelsLast(name, order);
    if (!padding) return { name, border: { pads: [0, 0, 0, 0] } };
    const { before, after } = padding;
    // Exporters write the lowest float for −∞.
    const isSame = padding.value === value || (value < 0 && padding.value < -1e30);
    const isSpatial = !before[0] && !before[1] && !after[0] && !after[1];
    if (!isSame || !isSpatial)
      return { name: this.#unpadded(node.input[0]).name, border: { pads: [0, 0, 0, 0] } };
    return { name, border: { pads: [before[2]!, before[3]!, after[2]!, after[3]!] } };
  }

  /** The tensor with its padding applied. */
  #unpadded(name = ''): Held {
    const { name: from, order, padding } = this.held(name);
    if (!padding) return { name: from, order };
    const pads = this.graph.int64('pads', [...padding.before, ...padding.after]);
    const value = padding.value === 0 ? [] : [this.graph.float('pads/value', [padding.value], [])];
    return { name: this.graph.node('Pad', [from, pads, ...value]), order };
  }

  #channelsLast(name = ''): Held {
    const held = this.#unpadded(name);
    requireChannelsLast(name, held.order);
    return held;
  }

  /** A constant in the order of ONNX. @param isImage whether it meets an image: one value for each channel or pixel */
  #parameter(name: string, isImage: boolean): string {
    const { shape, data } = this.#constant(name);
    const [rows = 1, columns = 1] = shape;
    const constant = `${plain(name)}/constant`;
    if (isImage && shape.length === 3) {
      const [whole, part] = [
        { width: columns, height: rows },
        this.#scaled({ width: columns, height: rows }),
      ];
      return this.graph.float(constant, middleOf(data, whole, part), [1, 1, part.height, part.width]);
    }
    return this.graph.float(constant, data, isImage && shape.length === 1 ? [1, rows, 1, 1] : shape);
  }

  #constant(name = ''): TfConstant {
    const constant = this.#constants.get(plain(name));
    if (!constant) throw new Error(`"${name}" is not a constant`);
    return constant;
  }

  #ints(name = ''): number[] {
    return [...this.#constant(name).data];
  }
}

function requireChannelsLast(name: string, order: readonly number[]): void {
  if (String(order) !== String(CHANNELS_LAST)) throw new Error(`"${name}" is not in the expected layout`);
}

/** The middle of a plane. */
function middleOf(plane: Float32Array, whole: Size, { width, height }: Size): Float32Array {
  const [left, top] = [(whole.width - width) >> 1, (whole.height - height) >> 1];
  const part = new Float32Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = (top + row) * whole.width + left;
    part.set(plane.subarray(from, from + width), row * width);
  }
  return part;
}

const fusedOperations = (node: TfNode): string[] => (node.attr.fused_ops?.list?.s ?? []).map(text);

const text = (encoded = ''): string => Buffer.from(encoded, 'base64').toString();

/** Height and width of an attribute with four dimensions. */
const sides = (node: TfNode, attribute: string): number[] =>
  (node.attr[attribute]?.list?.i ?? []).map(Number).slice(1, 3);
