import type { Resource } from '../../client/client.ts';

type Webhook = Resource<'Webhook'>;

/** Failures alone for this time disable a webhook. */
const GIVE_UP_HOURS = 120;

/** What the sending of events does now, and when that changes. */
export type WebhookHealth =
  | { readonly state: 'working' }
  | { readonly state: 'failing'; readonly since: string; readonly endsAt: string }
  | { readonly state: 'disabled'; readonly since: string | null; readonly reason: string | null };

export function healthOf({ status, disabledAt, disabledReason, failingSince }: Webhook): WebhookHealth {
  if (status === 'disabled') return { state: 'disabled', since: disabledAt, reason: disabledReason };
  if (failingSince === null) return { state: 'working' };
  const endsAt = new Date(Date.parse(failingSince) + GIVE_UP_HOURS * 3_600_000).toISOString();
  return { state: 'failing', since: failingSince, endsAt };
}

/** From when on deliveries should be recovered: since when nothing arrived, or a day ago. */
export function recoverSince(health: WebhookHealth, now: Date): Date {
  const since = health.state === 'working' ? null : health.since;
  return since === null ? new Date(now.getTime() - 86_400_000) : new Date(since);
}
