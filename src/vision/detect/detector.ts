import type { Detection, Letterbox } from '../types.ts';

/** What runs a network, by the name that ONNX Runtime has for it. */
export type ExecutionProvider = 'cpu' | 'webgpu' | 'cuda';

/** Pixels. */
export interface NetworkSize {
  readonly width: number;
  readonly height: number;
}

/** Finds objects in letterboxed frames. Holds one ONNX session for each size in use, for all cameras of a lane. */
export interface Detector {
  readonly name: string;
  readonly executionProvider: ExecutionProvider;
  /** Why it is not the wanted one, one sentence; null when it is. */
  readonly fallback?: string | null;
  /** Size of the frames, pixels. */
  readonly inputWidth: number;
  readonly inputHeight: number;
  /**
   * The sizes in which the network can look at a frame, the largest first: that one is the size of the frames. A smaller one
   * costs less and finds fewer small objects.
   */
  readonly sizes: readonly NetworkSize[];
  /**
   * @param pixels uint8 NHWC RGB, inputHeight × inputWidth × 3 bytes; may be reused once the promise is settled
   * @param minScore 0-1, above 0
   * @param size one of `sizes`; the largest by default. Its first use opens it, which takes a moment
   * @returns boxes as fractions of the frame, not clipped, after suppression; highest score first
   */
  detect(
    pixels: Uint8Array,
    letterbox: Letterbox,
    minScore: number,
    size?: NetworkSize,
  ): Promise<Detection[]>;
  /** Frees the sessions; no `detect` may be running. */
  dispose(): Promise<void>;
}
