import { Tensor } from 'onnxruntime-node';
import type { Detector, NetworkSize } from '../vision/detect/detector.ts';
import {
  BRIGHTNESS_CELL,
  type BrightnessCells,
  type Glance,
  type StillTools,
} from '../vision/still/still-tools.ts';
import { encodeOnnx, INT32, OnnxGraph, tensorInfo, UINT8 } from './convert/onnx-graph.ts';
import { openSession } from './open-session.ts';

/** Weights of red, green and blue. Their sum is four, so that the sum of a cell fits into 16 bits. */
const WEIGHTS = [1, 2, 1];

/**
 * Opens what a detector's cameras need to skip frames, and its smallest network, because frames would wait for that later.
 * @returns undefined where frames of its size cannot be compared
 */
export async function openStillTools(detector: Detector): Promise<StillTools | undefined> {
  const brightness = await openBrightness({ width: detector.inputWidth, height: detector.inputHeight });
  return brightness ? { brightness, glance: await openGlance(detector) } : undefined;
}

/**
 * Opens the graph that adds up the brightness of frames by cells: a fifth of a millisecond, a fifth of what scaling them with
 * libvips takes.
 * @param size of the frames, pixels
 * @returns null for a size that cells do not fill
 */
async function openBrightness({ width, height }: NetworkSize): Promise<BrightnessCells | null> {
  if (width % BRIGHTNESS_CELL !== 0 || height % BRIGHTNESS_CELL !== 0) return null;
  const columns = width / BRIGHTNESS_CELL;
  const rows = height / BRIGHTNESS_CELL;
  const { session } = await openSession('brightness', graphOf({ width, height }), {});
  const sums = new Tensor('int32', new Int32Array(rows * columns), [rows, columns]);
  return {
    count: rows * columns,
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
  const data = Uint8Array.from({ length: values }, (_, at) => WEIGHTS[at % WEIGHTS.length]!);
  const weights = graph.constant('weights', UINT8, { dims: [values, 1], data });
  const pieces = graph.node('Reshape', ['image', graph.int64('pieces', [height * columns, values])]);
  const products = graph.node('MatMulInteger', [pieces, weights]);
  const cells = graph.node('Reshape', [products, graph.int64('cells', [rows, BRIGHTNESS_CELL, columns])]);
  graph.node('ReduceSum', [cells, graph.int64('axes', [1])], { as: 'sums', keepdims: 0 });
  graph.outputs = [tensorInfo('sums', INT32, [rows, columns])];
  return encodeOnnx(graph);
}

/** @returns null for a detector of one size */
async function openGlance(detector: Detector): Promise<Glance | null> {
  const { inputWidth, inputHeight, sizes } = detector;
  const size = sizes.at(-1);
  if (!size || sizes.length === 1) return null;
  await detector.prepare(size);
  const { width, height } = size;
  const [across, down] = [width / inputWidth, height / inputHeight];
  const graph = new OnnxGraph();
  graph.inputs = [tensorInfo('image', UINT8, [1, inputHeight, inputWidth, 3])];
  // Factors in place of sizes: channels-last bytes then take the library's integer path.
  const factors = graph.float('factors', [1, down, across, 1], [4]);
  const linear = { mode: 'linear', coordinate_transformation_mode: 'half_pixel' };
  graph.node('Resize', ['image', '', factors], { as: 'small', ...linear });
  graph.outputs = [tensorInfo('small', UINT8, [1, height, width, 3])];
  const { session } = await openSession('glance', encodeOnnx(graph), {});
  const small = new Tensor('uint8', new Uint8Array(height * width * 3), [1, height, width, 3]);
  return {
    size,
    async at(pixels, letterbox, minScore) {
      await session.run({ image: new Tensor('uint8', pixels, [1, inputHeight, inputWidth, 3]) }, { small });
      const { contentWidth, contentHeight } = letterbox;
      const shrunk = {
        ...{ inputWidth: width, inputHeight: height },
        ...{ contentWidth: contentWidth * across, contentHeight: contentHeight * down },
      };
      return detector.detect(small.data as Uint8Array, shrunk, minScore);
    },
    release: () => session.release(),
  };
}
