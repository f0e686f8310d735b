import { DateTime } from 'luxon';
import type { z } from 'zod';
import { invalidField, orNotFound } from '../../../http/errors.ts';
import type { Context } from '../../../platform/context.ts';
import { findWebhook } from '../webhook.store.ts';
import { countDeliveries, type DeliveryCounts } from './history.store.ts';
import type { DeliveryStatsQuery, deliveryStats } from './schema.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
/** Attempts are kept for 30 days. */
const MOST_DAYS = 31;

/** Counts of deliveries per hour or day. @throws ApiError NOT_FOUND, INVALID_DATE_RANGE */
export async function readDeliveryStats(
  { db, clock }: Context,
  userId: string,
  { bucket, timezone, ...range }: DeliveryStatsQuery,
): Promise<z.input<typeof deliveryStats>> {
  orNotFound(await findWebhook(db, userId), 'Webhook');
  const to = range.to ?? clock.now();
  const from = range.from ?? new Date(to.getTime() - WEEK_MS);
  requireRange(from, to);
  const edges = edgesOf(from, to, { bucket, timezone });
  const span = { from: edges[0], to: edges.at(-1)! };
  const counts = await countDeliveries(db, userId, { ...span, edges });
  const byBucket = new Map(counts.map((row) => [row.bucket, row]));
  return {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    bucket,
    timezone,
    total: present(byBucket.get(null)),
    buckets: edges
      .slice(0, -1)
      .map((start, at) => ({ start: start.toISOString(), ...present(byBucket.get(at + 1)) })),
  };
}

function requireRange(from: Date, to: Date): void {
  const fault =
    from > to
      ? `must not lie after the end of the range, ${to.toISOString()}`
      : to.getTime() - from.getTime() > MOST_DAYS * 24 * HOUR_MS
        ? `must lie within ${MOST_DAYS} days of the end of the range`
        : null;
  if (fault) throw invalidField('from', fault, 'INVALID_DATE_RANGE');
}

const present = (row: DeliveryCounts | undefined) => ({
  attempts: row ? row.success + row.failed : 0,
  success: row?.success ?? 0,
  failed: row?.failed ?? 0,
  p50ResponseMs: row?.p50ResponseMs ?? null,
  p95ResponseMs: row?.p95ResponseMs ?? null,
});

/** The edges of the hours or days of a time zone that touch a range: one more than there are buckets, at least two. */
export function edgesOf(
  from: Date,
  to: Date,
  { bucket, timezone }: { bucket: 'hour' | 'day'; timezone: string },
): [Date, ...Date[]] {
  const zone = { zone: timezone };
  const first = DateTime.fromJSDate(from, zone).startOf(bucket).toMillis();
  // An hour is an hour of time: half of one may be repeated by a clock.
  const after = (edge: number) =>
    bucket === 'hour'
      ? edge + HOUR_MS
      : DateTime.fromMillis(edge, zone).plus({ days: 1 }).startOf('day').toMillis();
  const edges: [Date, ...Date[]] = [new Date(first)];
  let edge = first;
  do {
    edge = after(edge);
    edges.push(new Date(edge));
  } while (edge < to.getTime());
  return edges;
}
