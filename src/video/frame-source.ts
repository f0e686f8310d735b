import type { Frame } from '../vision/frame.ts';
import type { Letterbox } from '../vision/types.ts';

/** What is known of a stream once it could be opened. Sizes as shown: rotation and pixel aspect applied. */
export interface StreamInfo {
  readonly width: number;
  readonly height: number;
  readonly codec: string;
  /** Frames per second of the camera or file; null if it does not say. */
  readonly sourceFps: number | null;
  /** Frames per second handed out at most. */
  readonly fps: number;
  readonly durationSeconds: number | null;
  /** Whether it goes on for ever: its end is a fault and it is opened again. */
  readonly live: boolean;
  readonly letterbox: Letterbox;
}

export type StreamEventType = 'started' | 'stalled' | 'ended' | 'failed' | 'restarting';

/** Something that happened to a stream. `reason` is one sentence for people, without credentials. */
export interface StreamEvent {
  readonly type: StreamEventType;
  readonly reason: string;
  /** The same for programs; null with `started` and at the end of a file. */
  readonly faultReason: StreamFaultReason | 'no_frames' | null;
  /** Until the next try; 0 unless `restarting`. */
  readonly delayMs: number;
  /** 0 after the stream has been healthy for a while. */
  readonly restartsInARow: number;
  /** Since its last frame. */
  readonly restartsWithoutFrame: number;
}

export interface SourceStats {
  /** Handed out. */
  readonly processedFrames: number;
  /** Read, but overtaken by a newer one before anybody asked. */
  readonly droppedFrames: number;
  /** Moments at which something came: what ffmpeg fills up for a camera that sends less than is wanted comes in bursts. */
  readonly arrivals: number;
  readonly restarts: number;
  /** By the source's clock; null before the first. */
  readonly lastFrameAtMs: number | null;
}

/**
 * Where frames come from.
 * A live source opens its stream again for ever until it is closed; a file's end is the end.
 */
export interface FrameSource {
  /** Null before it could be opened. */
  readonly info: StreamInfo | null;
  readonly stats: SourceStats;
  /**
   * Resolves once the stream answers. A live one is tried again until then (see `onEvent`).
   * @throws StreamError when a file cannot be read, or when closed meanwhile
   */
  open(): Promise<StreamInfo>;
  /**
   * The newest frame, waiting for one if need be; null at the end or once closed.
   * @throws StreamError when a file breaks, after all frames before that
   */
  next(): Promise<Frame | null>;
  /** Ends it from any state; afterwards nothing of it runs. May be called twice. */
  close(): Promise<void>;
}

/** `realtime`: files play at 1× and the newest frame wins. `fast`: as fast as frames are taken, none dropped. */
export type Pace = 'realtime' | 'fast';

/** Why a stream cannot be read, for programs. */
export const STREAM_FAULT_REASONS = [
  'host_unknown',
  'unreachable',
  'connection_refused',
  'timeout',
  'wrong_credentials',
  'access_denied',
  'no_such_stream',
  'no_video',
  'not_a_camera',
  'address_not_allowed',
  'old_ffmpeg',
  'tls_failed',
  'server_error',
  'broken_off',
  'unreadable',
] as const;
export type StreamFaultReason = (typeof STREAM_FAULT_REASONS)[number];

/** The same for programs and for people: the sentence says what to do and holds no credentials. */
export interface StreamFault {
  readonly reason: StreamFaultReason;
  readonly sentence: string;
}

/** The stream cannot be read. The message says what to do and holds no credentials. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
  readonly reason: StreamFaultReason;

  constructor(sentence: string, reason: StreamFaultReason = 'unreadable') {
    super(sentence);
    this.reason = reason;
  }

  get fault(): StreamFault {
    return { reason: this.reason, sentence: this.message };
  }
}
