import type { InferenceSession } from 'onnxruntime-node';
import { decodeOnnx } from './onnx/onnx-graph.ts';
import { canSaturate } from './onnx/saturation.ts';

/**
 * The options of ONNX Runtime for every network of this service.
 * @param bytes the ONNX file; it alone decides how 8-bit products are added, so that all processors give the same sums
 * @param threads of one inference
 */
export function sessionOptions(bytes: Uint8Array, threads: number): InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    logSeverityLevel: 4,
    extra: {
      session: {
        // A spinning thread would occupy the core that decodes the video.
        intra_op: { allow_spinning: '0' },
        inter_op: { allow_spinning: '0' },
        // 8-bit weights become unsigned: slower on every x64 processor, but no sum saturates.
        x64quantprecision: canSaturate(decodeOnnx(bytes)) ? '1' : '0',
      },
    },
  };
}
