import { FLOAT, OnnxGraph, tensorInfo } from './onnx-graph.ts';
import type { readTfjs, TfNode } from './tfjs-files.ts';

export interface ChannelsLast {
  /** The node that takes the normalised picture. */
  readonly input: string;
  /** Of the picture, in pixels. */
  readonly size: Size;
  /** Of the pictures the graph was made for; what has a value for each place is cut to its middle. */
  readonly trained: Size;
  /** Nodes to give out, and the names to give them out by. */
  readonly outputs: Readonly<Record<string, string>>;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A TensorFlow.js graph that keeps its images channels last → ONNX, which keeps them channels first, from `image` (float
 * NCHW) to the named nodes. It knows the operations of MobileNets with heads.
 * @throws naming the operation it does not know
 */
export function channelsLastToOnnx(
  { nodes, constants }: ReturnType<typeof readTfjs>,
  { input, outputs, size, trained }: ChannelsLast,
): OnnxGraph {
  const share = { width: size.width / trained.width, height: size.height / trained.height };
  const converter = new Converter(constants, input, share);
  const byName = new Map(nodes.map((node) => [node.name, node]));
  for (const [as, name] of Object.entries(outputs)) converter.give(as, name, byName);
  const { graph } = converter;
  graph.inputs = [tensorInfo('image', FLOAT, [1, 3, size.height, size.width])];
  graph.outputs = Object.keys(outputs).map((name) => tensorInfo(name, FLOAT));
  return graph;
}

type Constants = ReturnType<typeof readTfjs>['constants'];

class Converter {
  readonly graph = new OnnxGraph();
  readonly #constants: Constants;
  readonly #share: Size;
  readonly #done = new Map<string, string>();

  /** @param share of the size the graph was made for */
  constructor(constants: Constants, inputNode: string, share: Size) {
    this.#constants = constants;
    this.#share = share;
    this.#done.set(inputNode, 'image');
  }

  give(as: string, name: string, nodes: ReadonlyMap<string, TfNode>): void {
    this.graph.node('Identity', [this.#tensor(name, nodes)], { as });
  }

  #tensor(reference: string, nodes: ReadonlyMap<string, TfNode>): string {
    const name = reference.replace(/:0$/, '');
    const done = this.#done.get(name);
    if (done) return done;
    const node = nodes.get(name);
    if (!node) throw new Error(`the graph has no "${name}"`);
    const from = node.input
      .filter((input) => !this.#constants.has(input))
      .map((input) => this.#tensor(input, nodes));
    const made = this.#convert(node, from);
    this.#done.set(name, made);
    return made;
  }

  #convert(node: TfNode, from: readonly string[]): string {
    const [first = ''] = from;
    switch (node.op) {
      case 'Identity':
        return first;
      case 'Conv2D':
      case '_FusedConv2D':
        return this.#fused(node, this.#convolution(node, first, false));
      case 'DepthwiseConv2dNative':
      case 'FusedDepthwiseConv2dNative':
        return this.#fused(node, this.#convolution(node, first, true));
      case '_FusedMatMul':
        return this.#fused(node, this.graph.node('MatMul', [first, this.#parameter(node.input[1])]));
      case 'Add':
      case 'AddV2':
        return this.graph.node('Add', this.#operands(node, from));
      case 'Mul':
        return this.graph.node('Mul', this.#operands(node, from));
      case 'Minimum':
        return this.graph.node('Min', this.#operands(node, from));
      case 'Maximum':
        return this.graph.node('Max', this.#operands(node, from));
      case 'Relu':
      case 'Sigmoid':
      case 'Softmax':
        return this.graph.node(node.op, [first]);
      case 'Mean': {
        const pooled = this.graph.node('GlobalAveragePool', [first]);
        return this.graph.node('Flatten', [pooled]);
      }
      case 'MaxPool': {
        const kernel = { kernel_shape: sides(node, 'ksize'), strides: sides(node, 'strides') };
        return this.graph.node('MaxPool', [first], { ...kernel, auto_pad: autoPad(node) });
      }
      case 'Pad': {
        const [
          batch = 0,
          batchTo = 0,
          top = 0,
          bottom = 0,
          left = 0,
          right = 0,
          channels = 0,
          channelsTo = 0,
        ] = this.#constant(node.input[1]).data;
        const pads = [batch, channels, top, left, batchTo, channelsTo, bottom, right];
        return this.graph.node('Pad', [first, this.graph.int64('pads', pads)]);
      }
      case 'ResizeBilinear': {
        const [height = 0, width = 0] = this.#constant(node.input[1]).data;
        return this.#resize(first, this.#sized({ height, width }));
      }
      default:
        throw new Error(`the operation "${node.op}" is not supported`);
    }
  }

  #convolution(node: TfNode, from: string, isDepthwise: boolean): string {
    const { shape, data } = this.#constant(node.input[1]);
    const [rows = 0, columns = 0, inputs = 0, last = 0] = shape;
    const outputs = isDepthwise ? inputs * last : last;
    const perOutput = isDepthwise ? 1 : inputs;
    const weights = new Float32Array(data.length);
    // TensorFlow keeps [row, column, in, out], ONNX [out, in, row, column]
    for (let cell = 0, at = 0; cell < rows * columns; cell++)
      for (let i = 0; i < inputs; i++)
        for (let o = 0; o < last; o++, at++) {
          const to = isDepthwise ? i * last + o : o * inputs + i;
          weights[to * rows * columns + cell] = data[at]!;
        }
    const name = this.graph.float(`${node.name}/weights`, weights, [outputs, perOutput, rows, columns]);
    return this.graph.node('Conv', [from, name], {
      kernel_shape: [rows, columns],
      strides: sides(node, 'strides'),
      dilations: sides(node, 'dilations'),
      group: isDepthwise ? inputs : 1,
      auto_pad: autoPad(node),
    });
  }

  /** What TensorFlow has drawn into an operation: a bias, then an activation. */
  #fused(node: TfNode, made: string): string {
    let at = made;
    for (const operation of (node.attr.fused_ops?.list?.s ?? []).map(text)) {
      if (operation === 'BiasAdd') at = this.graph.node('Add', [at, this.#parameter(node.input[2], node)]);
      else if (operation === 'Relu') at = this.graph.node('Relu', [at]);
      else if (operation === 'Relu6') {
        const bounds = [0, 6].map((bound) => this.graph.float(`clip/${bound}`, [bound], []));
        at = this.graph.node('Clip', [at, ...bounds]);
      } else throw new Error(`the fused operation "${operation}" is not supported`);
    }
    return at;
  }

  #operands(node: TfNode, from: readonly string[]): string[] {
    const constants = node.input.filter((input) => this.#constants.has(input));
    return [...from, ...constants.map((name) => this.#parameter(name, node))];
  }

  #sized({ width, height }: Size): Size {
    return {
      width: Math.round(width * this.#share.width),
      height: Math.round(height * this.#share.height),
    };
  }

  #resize(from: string, { height, width }: { height: number; width: number }): string {
    // The first two sizes are those it has.
    const shape = this.graph.node('Shape', [from]);
    const kept = this.graph.node('Slice', [
      shape,
      this.graph.int64('resize/from', [0]),
      this.graph.int64('resize/to', [2]),
    ]);
    const sizes = this.graph.node('Concat', [kept, this.graph.int64('resize/size', [height, width])], {
      axis: 0,
    });
    return this.graph.node('Resize', [from, '', '', sizes], {
      mode: 'linear',
      coordinate_transformation_mode: 'half_pixel',
    });
  }

  /** A constant in ONNX’s order: one per channel, one per place, or a matrix. */
  #parameter(name = '', node?: TfNode): string {
    const { shape, data } = this.#constant(name);
    const isVector = node?.op.endsWith('MatMul') ?? true;
    const [rows = 1, columns = 1] = shape;
    const constant = `${name}/constant`;
    if (shape.length === 3) {
      const [whole, part] = [{ width: columns, height: rows }, this.#sized({ width: columns, height: rows })];
      return this.graph.float(constant, middleOf(data, whole, part), [1, 1, part.height, part.width]);
    }
    return this.graph.float(constant, data, shape.length === 1 && !isVector ? [1, rows, 1, 1] : shape);
  }

  #constant(name = '') {
    const constant = this.#constants.get(name.replace(/:0$/, ''));
    if (!constant) throw new Error(`"${name}" is not a constant`);
    return constant;
  }
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

const autoPad = (node: TfNode): string => (text(node.attr.padding?.s) === 'SAME' ? 'SAME_UPPER' : 'VALID');
const text = (encoded = ''): string => Buffer.from(encoded, 'base64').toString();
const sides = (node: TfNode, attribute: string): number[] =>
  (node.attr[attribute]?.list?.i ?? []).map(Number).slice(1, 3);
