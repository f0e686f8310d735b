/** Why a camera stream cannot be read, for programs. The README of src/cameras/devices explains each reason to users. */
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
  'too_many_viewers',
  'broken_off',
  'unreadable',
] as const;
export type StreamFaultReason = (typeof STREAM_FAULT_REASONS)[number];

export interface StreamFault {
  readonly reason: StreamFaultReason;
  /** The reason for people, and what to do. Holds no credentials. */
  readonly sentence: string;
}

/** A camera stream cannot be read. The message says why and what to do, and holds no credentials. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
  readonly reason: StreamFaultReason;
  /** The stream arrives but holds no video that ffmpeg can decode. Another attempt hardly helps. */
  readonly isUndecodable: boolean;
  /** Finer than the reason; null where it is not known. */
  readonly kind: string | null;

  constructor(
    sentence: string,
    reason: StreamFaultReason = 'unreadable',
    isUndecodable = false,
    kind: string | null = null,
  ) {
    super(sentence);
    this.kind = kind;
    this.reason = reason;
    this.isUndecodable = isUndecodable;
  }

  get fault(): StreamFault {
    return { reason: this.reason, sentence: this.message };
  }
}
