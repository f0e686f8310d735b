import { StreamError } from '../../video/stream-error.ts';
import type { StreamMessage } from '../lane-protocol.ts';
import type { HostChannel } from './channel.ts';

/** Reports to the node what happened to the stream of a device. */
export function reportStream(
  channel: HostChannel,
  deviceId: string,
  report: Pick<StreamMessage, 'event' | 'message'> & Partial<StreamMessage>,
): void {
  channel.send({
    faultReason: null,
    isUndecodable: false,
    restartsInARow: 0,
    restartsWithoutFrame: 0,
    info: null,
    ...report,
    type: 'stream',
    deviceId,
  });
}

/** The stream cannot be used at all, or no longer. */
export function reportFailure(channel: HostChannel, deviceId: string, error: Error): void {
  const { message } = error;
  const isStreamError = error instanceof StreamError;
  const faultReason = isStreamError ? error.reason : 'unreadable';
  const isUndecodable = isStreamError && error.isUndecodable;
  reportStream(channel, deviceId, { event: 'failed', message, faultReason, isUndecodable });
}
