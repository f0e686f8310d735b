import type { OpenSpan } from '../../catalogue/hours/opening-hours.ts';
import type { Context } from '../../platform/context.ts';
import { localMoment } from '../../platform/jobs/local-clock.ts';
import { bucketEdges, spansBetween, withLocalTimes } from '../history/buckets.ts';
import { countArrivals, type GroupedSpan, sumOccupancy } from '../history/group-sums.store.ts';
import type { HistoryScope } from '../history/history-scope.store.ts';
import { type Proposal, proposeHours, QUARTERS, type SeenDay } from './propose-hours.ts';

export const WEEKS = 4;

/** When a site seems to be open, by the last weeks. Opening hours that it has already do not matter. */
export async function readProposal(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { scenes, timezone }: HistoryScope,
): Promise<Proposal & { readonly days: number }> {
  const today = localMoment(clock.now().getTime(), timezone).startOf('day');
  const fromMs = today.minus({ weeks: WEEKS }).startOf('day').toMillis();
  const toMs = today.toMillis();
  const quarters = spansBetween(bucketEdges('15m', { fromMs, toMs, timezone }));
  const days = spansBetween(bucketEdges('1d', { fromMs, toMs, timezone })).map((day, group) => ({
    ...day,
    group,
  }));
  const sceneIds = scenes.map(({ id }) => id);
  const [arrivals, seen] = await Promise.all([
    countArrivals(db, sceneIds, { spans: grouped(quarters, timezone) }),
    sumOccupancy(db, sceneIds, { spans: days }),
  ]);
  const counts = new Map(arrivals.map(({ group, arrivals: count }) => [group, count]));
  const isSeen = new Set(seen.map(({ group }) => group));
  const found = days.map(
    (day): SeenDay => ({
      // Monday is 1 for the calendar.
      weekday: localMoment(day.fromMs, timezone).weekday - 1,
      isSeen: isSeen.has(day.group),
      arrivals: Array.from({ length: QUARTERS }, (_, at) => counts.get(day.group * QUARTERS + at) ?? 0),
    }),
  );
  return { ...proposeHours(found), days: isSeen.size };
}

/** Quarters with their day and time by the clock on the wall. */
function grouped(quarters: readonly OpenSpan[], timezone: string): GroupedSpan[] {
  const local = withLocalTimes(quarters, timezone);
  const dayOf = (localMs: number) => Math.floor(localMs / 86_400_000);
  const first = Math.min(...local.map(({ localMs }) => dayOf(localMs)));
  return local.map(({ fromMs, toMs, localMs }) => ({
    ...{ fromMs, toMs },
    group: (dayOf(localMs) - first) * QUARTERS + Math.floor((localMs % 86_400_000) / 900_000),
  }));
}
