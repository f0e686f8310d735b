import { Tensor } from 'onnxruntime-node';
import type { NetworkSize } from '../vision/detect/detector.ts';
import { encodeOnnx, OnnxGraph, tensorInfo, UINT8 } from './onnx/onnx-graph.ts';
import { openSession } from './open-session.ts';

/** Shrinks frames of one size to another size. */
export interface Shrinker {
  /** @param pixels rgb24 @returns rgb24 of the smaller size, overwritten by a later call: `atOnce` calls may be in use */
  of(pixels: Uint8Array): Promise<Uint8Array>;
  release(): Promise<void>;
}

/**
 * Opens a small graph of ONNX Runtime that shrinks frames: a fraction of what libvips takes.
 * @param atOnce how many results are in use at the same time
 */
export async function openShrinker(from: NetworkSize, to: NetworkSize, atOnce = 1): Promise<Shrinker> {
  const graph = new OnnxGraph();
  graph.inputs = [tensorInfo('image', UINT8, [1, from.height, from.width, 3])];
  // Factors in place of sizes: channels-last bytes then take the library's integer path.
  const factors = graph.float('factors', [1, to.height / from.height, to.width / from.width, 1], [4]);
  const linear = { mode: 'linear', coordinate_transformation_mode: 'half_pixel' };
  graph.node('Resize', ['image', '', factors], { as: 'small', ...linear });
  graph.outputs = [tensorInfo('small', UINT8, [1, to.height, to.width, 3])];
  const { session } = await openSession('shrink', encodeOnnx(graph), {});
  const results = Array.from(
    { length: atOnce },
    () => new Tensor('uint8', new Uint8Array(to.height * to.width * 3), [1, to.height, to.width, 3]),
  );
  let calls = 0;
  return {
    async of(pixels) {
      const small = results[calls++ % atOnce]!;
      await session.run({ image: new Tensor('uint8', pixels, [1, from.height, from.width, 3]) }, { small });
      return small.data as Uint8Array;
    },
    release: () => session.release(),
  };
}
