import type { Frame } from '../vision/frame.ts';
import type { Letterbox } from '../vision/types.ts';
import type { StreamFaultReason } from './stream-error.ts';

/** What is known about a stream after it was opened. Sizes are those a viewer sees: rotation and pixel aspect are applied. */
export interface StreamInfo {
  readonly width: number;
  readonly height: number;
  readonly codec: string;
  /** Frames per second of the camera or file; null if it does not say. */
  readonly sourceFps: number | null;
  /** The most frames per second that the source returns. */
  readonly fps: number;
  readonly durationSeconds: number | null;
  /** A live stream has no end: when it ends, that is a fault and the source opens it again. */
  readonly live: boolean;
  readonly letterbox: Letterbox;
}

export type StreamEventType = 'started' | 'stalled' | 'ended' | 'failed' | 'restarting';

/** Why a stream stopped, or that it started. */
export interface StreamEvent {
  readonly type: StreamEventType;
  /** One sentence for people, without credentials. */
  readonly message: string;
  /** The fault for programs; null for `started` and for the end of a file. */
  readonly faultReason: StreamFaultReason | 'no_frames' | null;
  /** The stream holds no video that ffmpeg can decode. Another attempt hardly helps. */
  readonly isUndecodable: boolean;
  /** Milliseconds until the next attempt; 0 unless `restarting`. */
  readonly delayMs: number;
  /** 0 again after the stream has worked for `healthyMs`. */
  readonly restartsInARow: number;
  /** Restarts since the last frame. */
  readonly restartsWithoutFrame: number;
}

export interface SourceStats {
  /** Frames that `next` returned. */
  readonly processedFrames: number;
  /** Frames that a newer one replaced before `next` was called. */
  readonly droppedFrames: number;
  /** Frames, those that came in one burst counted once: after a pause of the network many come at once. */
  readonly arrivals: number;
  readonly restarts: number;
  /** By the source's clock; null before the first frame. */
  readonly lastFrameAtMs: number | null;
}

/**
 * Which frames are decoded, and not skipped before: all; only those that other frames need (`needed`); only key frames, which
 * need no other (`key`). In the last two the decoder also leaves out its loop filter.
 */
export type Decoding = 'all' | 'needed' | 'key';

/** What one ffmpeg has read so far. */
export interface DecodedCounts {
  /** Frames as they came since the first one was decoded. */
  readonly received: number;
  /** Frames that were decoded. */
  readonly decoded: number;
  readonly keyFrames: number;
  /** Its process id; undefined while none runs. */
  readonly pid?: number | undefined;
}

/** Video that waits to be decoded. */
export interface Backlog {
  /** Bytes that the camera has sent and that the decoder has not read; 0 where that is not known. */
  readonly unreadBytes: number;
  /** All bytes of the camera so far; null where it sends ahead of time (HLS), or where that is not known. */
  readonly sentBytes: number | null;
  /** Of a file: by how much its frames come later than they should at 1×. */
  readonly lateMs: number;
}

/** Gives the frames of a camera, a file or a drawing. A live source reopens its stream until it is closed; a file ends. */
export interface FrameSource {
  /** Null until the stream was opened. */
  readonly info: StreamInfo | null;
  readonly stats: SourceStats;
  /** Missing where nothing is decoded. */
  readonly decoder?: StreamDecoder;
  /**
   * Resolves when the stream was opened. A live stream is tried again until then (see `onEvent`).
   * @throws StreamError when a file cannot be read, or when the source is closed meanwhile
   */
  open(): Promise<StreamInfo>;
  /**
   * The newest frame. Waits until there is one; null at the end of the file or after `close`.
   * @throws StreamError when a file cannot be read any further, after all frames before that
   */
  next(): Promise<Frame | null>;
  /** Ends everything that runs for this source. May be called in any state and more than once. */
  close(): Promise<void>;
}

/** The decoder of a source. */
export interface StreamDecoder {
  /** What is decoded now. */
  readonly decoding: Decoding;
  /** Of the present ffmpeg. */
  readonly counts: DecodedCounts;
  backlog(): Backlog;
  /**
   * Decodes other frames from now on, without an outage: frames go on while the stream is opened a second time, and those of
   * the new ffmpeg follow. When it cannot be opened a second time, nothing changes. Recordings are always decoded whole.
   */
  decode(decoding: Decoding): void;
}

/** `realtime`: files play at 1× and the newest frame wins. `fast`: frames are decoded as fast as `next` is called, none is dropped. */
export type Pace = 'realtime' | 'fast';
