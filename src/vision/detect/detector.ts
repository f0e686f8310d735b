import type { Detection, Letterbox } from '../types.ts';

/** Finds objects in frames that lie letterboxed in the model's input. Holds one session; use it for all cameras. */
export interface Detector {
  readonly name: string;
  /** Where it really runs. */
  readonly executionProvider: 'cpu' | 'cuda';
  /** Pixels. */
  readonly inputWidth: number;
  readonly inputHeight: number;
  /**
   * @param pixels uint8 NHWC RGB, inputHeight × inputWidth × 3 bytes; may be reused once the promise is settled
   * @param minScore 0-1, above 0
   * @returns boxes as fractions of the picture, not clipped; doubted class by class where they overlap; strongest first
   */
  detect(pixels: Uint8Array, letterbox: Letterbox, minScore: number): Promise<Detection[]>;
  /** Frees the session; call it when no `detect` is under way. */
  dispose(): Promise<void>;
}
