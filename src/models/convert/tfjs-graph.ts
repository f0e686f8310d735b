import { FLOAT, OnnxGraph, tensorInfo } from './onnx-graph.ts';
import type { TfConstant, TfNode } from './tfjs-files.ts';

/**
 * A TensorFlow tensor as the ONNX graph holds it. ONNX keeps images NCHW throughout; `order[i]` says which
 * ONNX dimension is TensorFlow's dimension i, so that TensorFlow's many transposes cost nothing but a new
 * order. `padding` is still to be applied; the convolution or pooling that follows takes it over.
 */
interface Held {
  readonly name: string;
  readonly order: readonly number[];
  readonly padding?: {
    readonly value: number;
    readonly before: readonly number[];
    readonly after: readonly number[];
  };
}

const CHANNELS_LAST = [0, 2, 3, 1];

/**
 * TensorFlow.js graph → ONNX with input `image` [1, 3, height, width] (already normalised) and `heads` as
 * outputs, each NCHW. It knows the operations of convolutional detectors that were exported through ONNX.
 * @throws naming the operation it does not know
 */
export function tfjsToOnnx(
  { nodes, constants }: { nodes: readonly TfNode[]; constants: ReadonlyMap<string, TfConstant> },
  { heads, width, height }: { heads: readonly string[]; width: number; height: number },
): OnnxGraph {
  const converter = new Converter(constants, { width, height });
  const wanted = ancestors(nodes, heads);
  for (const node of nodes) {
    if (node.op !== 'Const' && wanted.has(node.name)) converter.add(node);
  }
  const { graph } = converter;
  graph.inputs = [tensorInfo('image', FLOAT, [1, 3, height, width])];
  graph.outputs = heads.map((head) => tensorInfo(converter.held(head).name, FLOAT));
  graph.prune();
  return graph;
}

const plain = (name: string): string => name.replace(/:0$/, '');

function ancestors(nodes: readonly TfNode[], heads: readonly string[]): Set<string> {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const seen = new Set<string>();
  const open = [...heads];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = byName.get(plain(name));
    if (!node) throw new Error(`the graph has no "${name}"`);
    if (seen.has(node.name)) continue;
    seen.add(node.name);
    open.push(...node.input);
  }
  return seen;
}

class Converter {
  readonly graph = new OnnxGraph();
  readonly #constants: ReadonlyMap<string, TfConstant>;
  readonly #held = new Map<string, Held>();
  readonly #size: { readonly width: number; readonly height: number };
  /** [height, width] the source was exported for. */
  #nominal: readonly number[] = [];

  constructor(constants: ReadonlyMap<string, TfConstant>, size: { width: number; height: number }) {
    this.#constants = constants;
    this.#size = size;
  }

  held(name: string): Held {
    const held = this.#held.get(plain(name));
    if (!held) throw new Error(`"${name}" is used before it is made`);
    return held;
  }

  add(node: TfNode): void {
    this.#held.set(node.name, this.#convert(node));
  }

  #convert(node: TfNode): Held {
    const [first = '', second = ''] = node.input;
    switch (node.op) {
      case 'Placeholder':
        this.#nominal = (node.attr.shape?.shape?.dim ?? []).map(({ size }) => Number(size)).slice(2);
        return { name: 'image', order: [0, 1, 2, 3] };
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
        return this.#convolution(node);
      case 'Add':
      case 'AddV2':
        return this.#constants.has(plain(second)) ? this.#bias(first, second) : this.#sum(node);
      case 'LeakyRelu': {
        const alpha = { float: Number(node.attr.alpha?.f ?? 0.2) };
        const from = this.#unpadded(first);
        return { ...from, name: this.graph.node('LeakyRelu', [from.name], { as: node.name, alpha }) };
      }
      case 'MaxPool': {
        const from = this.#channelsLast(first);
        const pads = spatial(from, Number.NEGATIVE_INFINITY);
        const name = this.graph.node('MaxPool', [from.name], {
          as: node.name,
          kernel_shape: ints(node, 'ksize').slice(1, 3),
          strides: ints(node, 'strides').slice(1, 3),
          pads,
        });
        return { name, order: CHANNELS_LAST };
      }
      case 'ConcatV2': {
        const parts = node.input.slice(0, -1).map((input) => this.#unpadded(input));
        const order = parts[0]!.order;
        if (parts.some((part) => String(part.order) !== String(order)))
          throw new Error(`mixed layouts in "${node.name}"`);
        const axis = order[this.#ints(node.input.at(-1)!)[0]!]!;
        const names = parts.map((part) => part.name);
        return { name: this.graph.node('Concat', names, { as: node.name, axis }), order };
      }
      case 'ResizeBilinear':
        return this.#resize(node);
      default:
        throw new Error(`the operation "${node.op}" is not supported`);
    }
  }

  #pad(node: TfNode): Held {
    const from = this.#unpadded(node.input[0]!);
    const amounts = this.#ints(node.input[1]!);
    const value = node.op === 'PadV2' ? this.#constant(node.input[2]!).data[0]! : 0;
    if (amounts.every((amount) => amount === 0)) return from;
    const before = from.order.map(() => 0);
    const after = from.order.map(() => 0);
    from.order.forEach((dim, i) => {
      before[dim] = amounts[2 * i]!;
      after[dim] = amounts[2 * i + 1]!;
    });
    return { ...from, padding: { value, before, after } };
  }

  #convolution(node: TfNode): Held {
    const from = this.#channelsLast(node.input[0]!);
    if (Buffer.from(node.attr.padding?.s ?? '', 'base64').toString() !== 'VALID') {
      throw new Error(`the padding of "${node.name}" is not supported`);
    }
    const { shape, data } = this.#constant(node.input[1]!);
    const [rows = 0, columns = 0, inputs = 0, outputs = 0] = shape;
    const weights = new Float32Array(data.length);
    // TensorFlow keeps [row, column, in, out], ONNX [out, in, row, column]
    for (let cell = 0, at = 0; cell < rows * columns; cell++)
      for (let i = 0; i < inputs; i++)
        for (let o = 0; o < outputs; o++, at++) weights[(o * inputs + i) * rows * columns + cell] = data[at]!;
    const name = this.graph.float(`${node.name}/weights`, weights, [outputs, inputs, rows, columns]);
    const output = this.graph.node('Conv', [from.name, name], {
      as: node.name,
      kernel_shape: [rows, columns],
      strides: ints(node, 'strides').slice(1, 3),
      dilations: ints(node, 'dilations').slice(1, 3),
      pads: spatial(from, 0),
    });
    return { name: output, order: CHANNELS_LAST };
  }

  /** A constant added to the channels of a convolution becomes its bias. */
  #bias(input: string, constant: string): Held {
    const from = this.held(input);
    const convolution = this.graph.producer(from.name);
    const { data, shape } = this.#constant(constant);
    if (convolution?.opType !== 'Conv' || convolution.input.length > 2 || shape.length !== 1) {
      throw new Error(`adding the constant "${constant}" is not supported`);
    }
    convolution.input.push(this.graph.float(`${plain(constant)}/bias`, data, shape));
    return from;
  }

  #sum({ name, input }: TfNode): Held {
    const [first = '', second = ''] = input;
    const [a, b] = [this.#unpadded(first), this.#unpadded(second)];
    if (String(a.order) !== String(b.order)) throw new Error(`mixed layouts in "${first} + ${second}"`);
    return { name: this.graph.node('Add', [a.name, b.name], { as: name }), order: a.order };
  }

  #resize(node: TfNode): Held {
    const from = this.#channelsLast(node.input[0]!);
    const channels = this.graph.floats(this.#convolutionBefore(from.name).input[1]!).dims[0]!;
    const [height = 0, width = 0] = this.#ints(node.input[1]!);
    const [nominalHeight = 0, nominalWidth = 0] = this.#nominal;
    const size = [
      1,
      channels,
      (height * this.#size.height) / nominalHeight,
      (width * this.#size.width) / nominalWidth,
    ];
    const mode = node.attr.half_pixel_centers?.b ? 'half_pixel' : 'asymmetric';
    const sizes = this.graph.int64(`${node.name}/size`, size);
    const name = this.graph.node('Resize', [from.name, '', '', sizes], {
      as: node.name,
      mode: 'linear',
      coordinate_transformation_mode: mode,
    });
    return { name, order: CHANNELS_LAST };
  }

  /** The nearest convolution upstream, through operations that keep the number of channels. */
  #convolutionBefore(tensor: string) {
    let node = this.graph.producer(tensor);
    while (node && node.opType !== 'Conv') node = this.graph.producer(node.input[0]!);
    if (!node) throw new Error(`nothing tells the channels of "${tensor}"`);
    return node;
  }

  #unpadded(name: string): Held {
    const held = this.held(name);
    if (held.padding) throw new Error(`the padding before "${name}" is not supported there`);
    return held;
  }

  #channelsLast(name: string): Held {
    const held = this.held(name);
    if (String(held.order) !== String(CHANNELS_LAST))
      throw new Error(`"${name}" is not in the expected layout`);
    return held;
  }

  #constant(name: string): TfConstant {
    const constant = this.#constants.get(plain(name));
    if (!constant) throw new Error(`"${name}" is not a constant`);
    return constant;
  }

  #ints(name: string): number[] {
    return [...this.#constant(name).data];
  }
}

const ints = (node: TfNode, attribute: string): number[] => (node.attr[attribute]?.list?.i ?? []).map(Number);

/** ONNX `pads` [top, left, bottom, right] of a tensor's pending padding, which must be of `value`. */
function spatial({ padding }: Held, value: number): number[] {
  if (!padding) return [0, 0, 0, 0];
  const { before, after } = padding;
  // exporters write the lowest float for −∞
  const same = padding.value === value || (value < 0 && padding.value < -1e30);
  if (!same || before[0] || before[1] || after[0] || after[1])
    throw new Error('an unusual padding is not supported');
  return [before[2]!, before[3]!, after[2]!, after[3]!];
}
