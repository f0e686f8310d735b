import { explainFault, NO_FRAME } from '../camera-fault.ts';
import { StreamError, type StreamEvent, type StreamEventType, type StreamFault } from '../frame-source.ts';
import type { StreamAddress } from '../stream-url.ts';

/** Why a stream stopped. */
export interface SourceFault extends Pick<StreamEvent, 'reason' | 'faultReason'> {
  readonly type: Extract<StreamEventType, 'stalled' | 'ended' | 'failed'>;
}

/** Whatever went wrong, a camera is tried again: no pipe or process to be had is a fault that may pass, too. */
export const asFault = (error: Error): SourceFault =>
  failed(error instanceof StreamError ? error.fault : { reason: 'unreadable', sentence: error.message });

/** @param shown the address without credentials */
export const stalled = (shown: string, silentMs: number): SourceFault => ({
  type: 'stalled',
  reason: `${shown} sent no frame for ${silentMs / 1000} s.`,
  faultReason: 'no_frames',
});

export const ended = (sentence: string): SourceFault => ({
  type: 'ended',
  reason: sentence,
  faultReason: 'broken_off',
});

/** Why an ffmpeg has ended that nobody stopped. `frames`: how many it gave. */
export function faultOfEnd(
  { exitCode, log, frames }: { exitCode: number | null; log: string; frames: number },
  address: StreamAddress,
): SourceFault {
  if (exitCode !== 0) return failed(explainFault(address, log));
  if (frames > 0) return ended(`${address.shown} has ended.`);
  return failed({ reason: 'unreadable', sentence: `${address.shown} ${NO_FRAME}` });
}

const failed = ({ reason, sentence }: StreamFault): SourceFault => ({
  type: 'failed',
  reason: sentence,
  faultReason: reason,
});
