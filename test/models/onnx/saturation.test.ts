import { expect, test } from '@jest/globals';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import {
  encodeOnnx,
  FLOAT,
  INT8,
  INT32,
  OnnxGraph,
  tensorInfo,
  UINT8,
} from '../../../src/models/onnx/onnx-graph.ts';
import { canSaturate } from '../../../src/models/onnx/saturation.ts';
import { sessionOptions } from '../../../src/models/session-options.ts';

const CHANNELS = 64;
const OUTPUTS = 16;
const OUTPUT_STEP = 10_000;

/** A file of others: `weight` everywhere, times the largest byte in each channel. */
interface Foreign {
  readonly kind: 'QLinearConv' | 'MatMulInteger' | 'Conv between DequantizeLinear and QuantizeLinear';
  readonly activations: 'unsigned' | 'signed';
  readonly weight: number;
}

function foreign({ kind, activations, weight }: Foreign): OnnxGraph {
  const graph = new OnnxGraph();
  const isSigned = activations === 'signed';
  const byte = isSigned ? INT8 : UINT8;
  const zero = (name: string) =>
    graph.constant(name, byte, { dims: [], data: Int8Array.of(isSigned ? -128 : 0) });
  const isMatrix = kind === 'MatMulInteger';
  const dims = isMatrix ? [CHANNELS, OUTPUTS] : [OUTPUTS, CHANNELS, 1, 1];
  const weights = graph.constant('w', INT8, { dims, data: new Int8Array(CHANNELS * OUTPUTS).fill(weight) });
  graph.inputs = [tensorInfo('x', byte, isMatrix ? [1, CHANNELS] : [1, CHANNELS, 1, 1])];
  if (isMatrix) {
    graph.node(kind, ['x', weights, zero('x/zero')], { as: 'y' });
    graph.outputs = [tensorInfo('y', INT32, [1, OUTPUTS])];
    return graph;
  }
  const x = [graph.float('x/scale', [1], []), zero('x/zero')];
  const w = [
    graph.float('w/scale', [1], []),
    graph.constant('w/zero', INT8, { dims: [], data: Int8Array.of(0) }),
  ];
  const y = [graph.float('y/scale', [OUTPUT_STEP], []), zero('y/zero')];
  const kernel = { kernel_shape: [1, 1] };
  if (kind === 'QLinearConv') graph.node(kind, ['x', ...x, weights, ...w, ...y], { as: 'bytes', ...kernel });
  else {
    const factors = [
      graph.node('DequantizeLinear', ['x', ...x]),
      graph.node('DequantizeLinear', [weights, ...w]),
    ];
    graph.node('QuantizeLinear', [graph.node('Conv', factors, kernel), ...y], { as: 'bytes' });
  }
  graph.node('DequantizeLinear', ['bytes', ...y], { as: 'y' });
  graph.outputs = [tensorInfo('y', FLOAT, [1, OUTPUTS, 1, 1])];
  return graph;
}

const CONV = 'Conv between DequantizeLinear and QuantizeLinear';
const FILES: readonly (readonly [Foreign, boolean])[] = [
  [{ kind: CONV, activations: 'unsigned', weight: 127 }, true],
  [{ kind: CONV, activations: 'unsigned', weight: -65 }, true],
  [{ kind: CONV, activations: 'unsigned', weight: 64 }, false],
  [{ kind: CONV, activations: 'signed', weight: 127 }, false],
  [{ kind: 'QLinearConv', activations: 'unsigned', weight: 127 }, true],
  [{ kind: 'QLinearConv', activations: 'unsigned', weight: 64 }, false],
  [{ kind: 'QLinearConv', activations: 'signed', weight: 127 }, false],
  [{ kind: 'MatMulInteger', activations: 'unsigned', weight: 127 }, true],
  [{ kind: 'MatMulInteger', activations: 'unsigned', weight: 64 }, false],
  [{ kind: 'MatMulInteger', activations: 'signed', weight: 127 }, false],
];

test.each(FILES)('%j: that it can saturate is said to be %s', (file, expected) => {
  expect(canSaturate(foreign(file))).toBe(expected);
});

test.each(FILES.map(([file]) => file))('%j: its sums are right on every processor', async (file) => {
  const graph = foreign(file);
  const bytes = encodeOnnx(graph);
  const session = await InferenceSession.create(bytes, sessionOptions(bytes, 1));
  const isSigned = file.activations === 'signed';
  const largest = isSigned ? new Int8Array(CHANNELS).fill(127) : new Uint8Array(CHANNELS).fill(255);
  const dims = file.kind === 'MatMulInteger' ? [1, CHANNELS] : [1, CHANNELS, 1, 1];
  const { y } = await session.run({ x: new Tensor(isSigned ? 'int8' : 'uint8', largest, dims) });
  await session.release();
  const sum = 255 * file.weight * CHANNELS;
  const expected =
    file.kind === 'MatMulInteger' ? sum : Math.max(0, Math.round(sum / OUTPUT_STEP)) * OUTPUT_STEP;
  expect([...(y!.data as Float32Array)]).toEqual(Array(OUTPUTS).fill(expected));
});

test('weights that a file makes 8-bit only when it is opened count as large', () => {
  const graph = new OnnxGraph();
  const zero = (name: string, type: number) =>
    graph.constant(name, type, { dims: [], data: Int8Array.of(0) });
  const real = (name: string, zeroName: string) => {
    const scale = graph.float(`${name}/scale`, [1], []);
    const bytes = graph.node('QuantizeLinear', [name, scale, zeroName]);
    return graph.node('DequantizeLinear', [bytes, scale, zeroName]);
  };
  graph.float('w', new Float32Array(CHANNELS * OUTPUTS).fill(1), [CHANNELS, OUTPUTS]);
  graph.node('MatMul', [real('x', zero('x/zero', UINT8)), real('w', zero('w/zero', INT8))], { as: 'y' });
  expect(canSaturate(graph)).toBe(true);
});

test('a signed zero point of −128 is no weight', () => {
  const graph = new OnnxGraph();
  const y = [
    graph.float('y/scale', [1], []),
    graph.constant('y/zero', INT8, { dims: [], data: Int8Array.of(-128) }),
  ];
  graph.node('QLinearConcat', [...y, 'a', ...y, 'b', ...y], { as: 'y', axis: 1 });
  expect(canSaturate(graph)).toBe(false);
});
