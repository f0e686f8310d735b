import type { Decoding, FrameSource } from '../frame-source.ts';
import { DecoderWatch } from './decoder-watch.ts';
import { DecodingChoice } from './decoding-choice.ts';

export interface DecoderLimits {
  /** Frames per second that should come. */
  readonly requestedFps: number;
  /** Not fewer frames per second may be decoded. */
  readonly minFps: number;
}

export interface DecoderState {
  /** Fewer frames come than the camera sends, because the decoder gets too little time. */
  readonly isDecoderBehind: boolean;
  readonly decoding: Decoding;
  /** The decoder is behind, and no more frames can be skipped. */
  readonly isDecodingLeast: boolean;
}

/** Watches the decoder of a source, gives it less to do while it is behind, and more again afterwards. */
export class DecoderControl {
  readonly #source: FrameSource;
  readonly #watch = new DecoderWatch();
  readonly #choice = new DecodingChoice();

  constructor(source: FrameSource) {
    this.#source = source;
  }

  /** Call it about once a second. @param nowMs monotonic */
  look({ requestedFps, minFps }: DecoderLimits, nowMs: number): DecoderState {
    const { decoder, stats, info } = this.#source;
    if (!decoder) return { isDecoderBehind: false, decoding: 'all', isDecodingLeast: false };
    this.#watch.look({ nowMs, requestedFps, arrivals: stats.arrivals, backlog: () => decoder.backlog() });
    const { isBehind } = this.#watch;
    const cameraFps = info?.sourceFps ?? requestedFps;
    const { decoding: before, counts } = decoder;
    decoder.decode(this.#choice.next({ nowMs, isBehind, decoding: before, counts, cameraFps, minFps }));
    const { decoding } = decoder;
    const isDecoderBehind = isBehind || decoding !== 'all';
    return { isDecoderBehind, decoding, isDecodingLeast: this.#choice.isExhausted };
  }
}
