import type { Detection, Letterbox } from '../types.ts';

/** Finds objects in letterboxed frames. Holds one ONNX session for all cameras of a lane. */
export interface Detector {
  readonly name: string;
  readonly executionProvider: 'cpu' | 'cuda';
  /** Pixels. */
  readonly inputWidth: number;
  readonly inputHeight: number;
  /**
   * @param pixels uint8 NHWC RGB, inputHeight × inputWidth × 3 bytes; may be reused once the promise is settled
   * @param minScore 0-1, above 0
   * @returns boxes as fractions of the frame, not clipped, after suppression; highest score first
   */
  detect(pixels: Uint8Array, letterbox: Letterbox, minScore: number): Promise<Detection[]>;
  /** Frees the session; no `detect` may be running. */
  dispose(): Promise<void>;
}
