import { Tensor } from 'onnxruntime-node';
import type { NetworkSize } from '../vision/detect/detector.ts';
import { BRIGHTNESS_CELL, type BrightnessCells } from '../vision/still/brightness.ts';
import { encodeOnnx, INT32, OnnxGraph, tensorInfo, UINT8 } from './onnx/onnx-graph.ts';
import { openSession } from './open-session.ts';

/** Weights of red, green and blue. Their sum is four, so that the sum of a cell fits into 16 bits. */
const WEIGHTS = [1, 2, 1];

/**
 * Opens the graph that adds up the brightness of frames by cells: a fifth of a millisecond, a fifth of what scaling them with
 * libvips takes.
 * @param size of the frames, pixels
 * @returns undefined for a size that cells do not fill
 */
export async function openBrightness({ width, height }: NetworkSize): Promise<BrightnessCells | undefined> {
  if (width % BRIGHTNESS_CELL !== 0 || height % BRIGHTNESS_CELL !== 0) return undefined;
  const columns = width / BRIGHTNESS_CELL;
  const rows = height / BRIGHTNESS_CELL;
  const { session } = await openSession('brightness', graphOf({ width, height }), {});
  const sums = new Tensor('int32', new Int32Array(rows * columns), [rows, columns]);
  return {
    count: rows * columns,
    columns,
    async of(pixels) {
      await session.run({ image: new Tensor('uint8', pixels, [1, height, width, 3]) }, { sums });
      return sums.data as Int32Array;
    },
    release: () => session.release(),
  };
}

/** A row of a cell is one product with the weights; the rows of a cell are added up. */
function graphOf({ width, height }: NetworkSize): Uint8Array {
  const graph = new OnnxGraph();
  const columns = width / BRIGHTNESS_CELL;
  const rows = height / BRIGHTNESS_CELL;
  const values = BRIGHTNESS_CELL * WEIGHTS.length;
  graph.inputs = [tensorInfo('image', UINT8, [1, height, width, 3])];
  const data = Uint8Array.from(Array.from({ length: BRIGHTNESS_CELL }, () => WEIGHTS).flat());
  const weights = graph.constant('weights', UINT8, { dims: [values, 1], data });
  const pieces = graph.node('Reshape', ['image', graph.int64('pieces', [height * columns, values])]);
  const products = graph.node('MatMulInteger', [pieces, weights]);
  const cells = graph.node('Reshape', [products, graph.int64('cells', [rows, BRIGHTNESS_CELL, columns])]);
  graph.node('ReduceSum', [cells, graph.int64('axes', [1])], { as: 'sums', keepdims: 0 });
  graph.outputs = [tensorInfo('sums', INT32, [rows, columns])];
  return encodeOnnx(graph);
}
