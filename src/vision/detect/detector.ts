import type { Detection, Letterbox } from '../types.ts';

/** What runs a network, by the name that ONNX Runtime has for it. */
export type ExecutionProvider = 'cpu' | 'webgpu' | 'cuda';

/** Pixels. */
export interface NetworkSize {
  readonly width: number;
  readonly height: number;
}

/** Of the networks of a detector, the most pixels first. */
export type NetworkSizes = readonly [largest: NetworkSize, ...smaller: NetworkSize[]];

/** What a network costs grows with the pixels that it sees. */
export const pixelsOf = ({ width, height }: NetworkSize): number => width * height;

/** A part of a frame's model input, in its pixels, as large as one of the smaller networks. */
export interface InputWindow extends NetworkSize {
  readonly x: number;
  readonly y: number;
}

/** How a smaller network sees a frame: a window of it in the same pixels, or all of it shrunk to the smallest size. */
export type SmallerView = InputWindow | 'shrunk';

/** Finds objects in letterboxed frames. Holds one ONNX session for each size in use, for all cameras of a lane. */
export interface Detector {
  readonly name: string;
  readonly executionProvider: ExecutionProvider;
  /** Why it is not the wanted one, one sentence; null when it is. */
  readonly fallback?: string | null;
  /** The most calls of `detect` that share one run when they come together; 1 where left out, as on every CPU. */
  readonly batchSize?: number;
  /** Size of the frames of most cameras, pixels. */
  readonly inputWidth: number;
  readonly inputHeight: number;
  /** Size of the frames of cameras whose people are small, pixels; null or left out where there is none. */
  readonly largerInput?: NetworkSize | null;
  /** The sizes of its networks, the most pixels first. One with less pixels costs less. */
  readonly sizes: NetworkSizes;
  /**
   * @param pixels uint8 NHWC RGB, of the input size of the letterbox, which is one of `sizes`; may be reused once the promise
   *   is settled
   * @param minScore 0-1, above 0
   * @param view a window inside the pixels, or `shrunk`; by default all of the picture. The first use of a size opens its network
   * @returns boxes as fractions of the frame, not clipped, after suppression; highest score first
   */
  detect(
    pixels: Uint8Array,
    letterbox: Letterbox,
    minScore: number,
    view?: SmallerView,
  ): Promise<Detection[]>;
  /**
   * Opens the network of a size before its first use, so that no frame waits for that.
   * @throws Error when it cannot be opened
   */
  prepare(size: NetworkSize): Promise<void>;
  /** Frees the sessions; no `detect` may be running. */
  dispose(): Promise<void>;
}
