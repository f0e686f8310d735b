import { placeOf, type TracedWork } from '../../../platform/tracing/tracing.ts';
import type { Attempt } from './message-table.store.ts';

/** An attempt belongs to the trace of its alert event; of other events it belongs to that of the first one. */
export function spanOf(attempt: Attempt): TracedWork {
  const { id, kind, channelId, channelKind, alertEventId, eventIds, attemptNumber } = attempt;
  const eventId = alertEventId ?? eventIds[0];
  return {
    ...{ name: channelKind, kind: 'client' },
    attributes: {
      ...{ 'notification.id': id, 'notification.kind': kind, 'notification.attempt': attemptNumber },
      ...{ 'notification.events': eventIds.length, 'notification.channel.id': channelId },
      ...{ 'user.id': attempt.userId, 'device.id': attempt.deviceId ?? undefined },
      'alert.event.id': alertEventId ?? undefined,
    },
    // A code or a test message is in no trace.
    ...(eventId !== undefined && { parent: placeOf(eventId) }),
  };
}

const MOST_BODY = 2_000;

/** What is kept of an answer. */
export const shortened = (text: string): string => [...text].slice(0, MOST_BODY).join('');
