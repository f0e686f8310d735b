import { grouped } from '../../../catalogue/grouped.ts';
import type { Schedule } from '../../../platform/jobs/schedule.ts';
import type { Severity } from '../../../platform/prisma-client/client.ts';
import type { ToldKind } from '../kinds.ts';
import { afterQuietHours } from './quiet-hours.ts';

/** An event that users may want to be told of. */
export interface ToldEvent {
  readonly id: string;
  readonly userId: string;
  readonly kind: ToldKind;
  readonly severity: Severity | null;
  readonly deviceId: string | null;
  readonly sceneId: string | null;
  readonly alertEventId: string | null;
  /** Of an alert. */
  readonly ruleId: string | null;
  readonly occurredAt: Date;
}

/** What is told over a channel, and how often. Empty lists stand for all. */
export interface Subscription {
  readonly id: string;
  readonly userId: string;
  readonly channelId: string;
  readonly kinds: readonly string[];
  readonly severities: readonly Severity[];
  readonly ruleIds: readonly string[];
  readonly deviceIds: readonly string[];
  readonly siteIds: readonly string[];
  /** The devices of its sites. */
  readonly siteDeviceIds: readonly string[];
  readonly quietHours: Schedule | null;
  readonly minDistanceSeconds: number;
  /** The next message may be sent from then on. */
  readonly nextAt: Date | null;
  /** The message that takes further events; null when it has been sent, or is being sent. */
  readonly held: Message | null;
}

/** A message and the events that it tells. */
export interface Message {
  readonly messageId: string;
  readonly dueAt: Date;
  /** The newest last, at most `MOST_EVENTS`. */
  readonly eventIds: readonly string[];
  readonly eventCount: number;
}

/** A message with an event of this plan. */
export interface PlannedMessage extends Message {
  readonly subscriptionId: string;
  readonly channelId: string;
  /** It is stored already, and takes further events. */
  readonly isStored: boolean;
  readonly newest: ToldEvent;
  /** When the first event of this plan happened. */
  readonly since: Date;
}

export interface Plan {
  readonly messages: readonly PlannedMessage[];
  /** Of each subscription with a message: `nextAt`, and the message that may take further events. */
  readonly states: readonly { readonly id: string; readonly nextAt: Date; readonly heldId: string | null }[];
}

/** A message names so many events; of the others it has the number. */
export const MOST_EVENTS = 10;

/** Whether a subscription wants to be told of an event. */
export function wants(subscription: Subscription, event: ToldEvent): boolean {
  const { userId, kinds, severities, ruleIds, deviceIds, siteIds, siteDeviceIds } = subscription;
  if (event.userId !== userId || !kinds.includes(event.kind)) return false;
  if (event.kind === 'alert_triggered') {
    if (severities.length > 0 && !(event.severity && severities.includes(event.severity))) return false;
    if (ruleIds.length > 0 && !(event.ruleId && ruleIds.includes(event.ruleId))) return false;
  }
  const hasPlaces = deviceIds.length > 0 || siteIds.length > 0;
  // The quota of the user is nowhere.
  if (!hasPlaces || event.deviceId === null) return true;
  return deviceIds.includes(event.deviceId) || siteDeviceIds.includes(event.deviceId);
}

/**
 * Decides which messages tell these events, and when they are due. An event is told once over each channel that wants it, by the
 * subscription that may tell it first. A subscription sends a message at most every `minDistanceSeconds` and none in its quiet
 * hours; the message that is due next tells all that happens until then.
 * @param newId makes ids of messages
 */
export function planMessages(
  events: readonly ToldEvent[],
  subscriptions: readonly Subscription[],
  { now, newId }: { now: Date; newId: () => string },
): Plan {
  const messages = new Map<string, PlannedMessage>();
  const states = new Map<string, { nextAt: Date; held: Message | null }>();
  const stateOf = ({ id, nextAt, held }: Subscription) => states.get(id) ?? { nextAt, held };

  /** @returns when the subscription can tell an event of now; null for never */
  const dueAt = (subscription: Subscription): Date | null => {
    const { nextAt, held } = stateOf(subscription);
    // A message that is due now is told now too, as one with the events of the same turn.
    if (held) return held.dueAt;
    const earliest = Math.max(now.getTime(), nextAt?.getTime() ?? 0);
    const at = afterQuietHours(subscription.quietHours, earliest);
    return at === null ? null : new Date(at);
  };

  const tell = (event: ToldEvent, subscription: Subscription, due: Date) => {
    const { held } = stateOf(subscription);
    const before = held && messages.get(held.messageId);
    const message: PlannedMessage = {
      messageId: held?.messageId ?? newId(),
      dueAt: due,
      eventIds: [...(held?.eventIds ?? []), event.id].slice(-MOST_EVENTS),
      eventCount: (held?.eventCount ?? 0) + 1,
      subscriptionId: subscription.id,
      channelId: subscription.channelId,
      isStored: before ? before.isStored : held !== null,
      newest: event,
      since: before ? before.since : event.occurredAt,
    };
    messages.set(message.messageId, message);
    const nextAt = new Date(due.getTime() + subscription.minDistanceSeconds * 1000);
    // Without a distance each event that is told at once is a message of its own.
    const takesMore = subscription.minDistanceSeconds > 0 || due > now;
    states.set(subscription.id, { nextAt, held: takesMore ? message : null });
  };

  const ofUser = grouped(subscriptions, ({ userId }) => userId);
  for (const event of events) {
    const first = new Map<string, { subscription: Subscription; due: Date }>();
    for (const subscription of ofUser.get(event.userId) ?? []) {
      if (!wants(subscription, event)) continue;
      const due = dueAt(subscription);
      if (due === null) continue;
      const other = first.get(subscription.channelId);
      if (!other || due < other.due) first.set(subscription.channelId, { subscription, due });
    }
    for (const { subscription, due } of first.values()) tell(event, subscription, due);
  }
  return {
    messages: [...messages.values()],
    states: [...states].map(([id, { nextAt, held }]) => ({ id, nextAt, heldId: held?.messageId ?? null })),
  };
}
