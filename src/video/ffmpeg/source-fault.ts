import { faultError, faultFromLog } from '../camera-fault.ts';
import type { StreamEvent, StreamEventType } from '../frame-source.ts';
import { StreamError } from '../stream-error.ts';
import type { StreamAddress } from '../stream-url.ts';

/** Why a stream stopped. */
export interface SourceFault extends Pick<StreamEvent, 'message' | 'faultReason' | 'isUndecodable'> {
  readonly type: Extract<StreamEventType, 'stalled' | 'ended' | 'failed'>;
}

/** Any error is a reason to try a camera again: also a missing pipe or process may be there next time. */
export function failed(error: Error): SourceFault {
  const { message, reason, isUndecodable } =
    error instanceof StreamError ? error : new StreamError(error.message);
  return { type: 'failed', message, faultReason: reason, isUndecodable };
}

export const stalled = ({ shown }: StreamAddress, silentMs: number): SourceFault => ({
  type: 'stalled',
  message: `${shown} sent no frame for ${silentMs / 1000} s.`,
  faultReason: 'no_frames',
  isUndecodable: false,
});

export const ended = (message: string): SourceFault => ({
  type: 'ended',
  message,
  faultReason: 'broken_off',
  isUndecodable: false,
});

/** Why an ffmpeg exited by itself. @param end.hasFrames whether it gave frames, or did not have to */
export function faultOfExit(
  { exitCode, log, hasFrames }: { exitCode: number | null; log: string; hasFrames: boolean },
  address: StreamAddress,
): SourceFault {
  if (exitCode !== 0) return failed(faultFromLog(address, log));
  return hasFrames ? ended(`${address.shown} has ended.`) : failed(faultError(address, 'no_frame'));
}
