import type { z } from 'zod';
import type { reportSubscription } from './schema.ts';
import type { SubscriptionWithAll } from './subscription.store.ts';

/** A subscription of reports as the API shows it. */
export function presentReportSubscription(row: SubscriptionWithAll): z.input<typeof reportSubscription> {
  const [last] = row.reports;
  return {
    id: row.id,
    siteId: row.siteId,
    period: row.period,
    localTime: row.localTime,
    weekday: row.weekday,
    channelIds: row.channels.map(({ channelId }) => channelId),
    nextDueAt: row.nextDueAt.toISOString(),
    lastReport: last
      ? {
          date: last.date.toISOString().slice(0, 10),
          status: last.status,
          reason: last.reason,
          dueAt: last.dueAt.toISOString(),
          createdAt: last.createdAt.toISOString(),
        }
      : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
