import { DateTime } from 'luxon';
import type { Context } from '../../platform/context.ts';
import { clockSpans } from '../../platform/jobs/local-clock.ts';
import { bucketEdges } from '../history/buckets.ts';
import { countArrivals, sumOccupancy } from '../history/group-sums.store.ts';
import type { HistoryScope } from '../history/history-scope.store.ts';
import { type Proposal, proposeHours, QUARTERS, type SeenDay } from './propose-hours.ts';

export const WEEKS = 4;

/** When a site seems to be open, by the last weeks. Opening hours that it has already do not matter. */
export async function readProposal(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { scenes, timezone }: HistoryScope,
): Promise<Proposal & { readonly days: number }> {
  const today = DateTime.fromJSDate(clock.now(), { zone: timezone }).startOf('day');
  const fromMs = today.minus({ weeks: WEEKS }).startOf('day').toMillis();
  const toMs = today.toMillis();
  const edges = bucketEdges('15m', { fromMs, toMs, timezone });
  const days = bucketEdges('1d', { fromMs, toMs, timezone });
  const quarters = quartersOf(edges, timezone);
  const sceneIds = scenes.map(({ id }) => id);
  const [arrivals, seen] = await Promise.all([
    countArrivals(db, sceneIds, { edges, groups: quarters }),
    sumOccupancy(db, sceneIds, { edges: days, groups: days.slice(1).map((_, at) => at) }),
  ]);
  const counts = new Map(arrivals.map(({ group, arrivals: count }) => [group, count]));
  const isSeen = new Set(seen.map(({ group }) => group));
  const found = days.slice(1).map(
    (_, day): SeenDay => ({
      // Monday is 1 for the calendar.
      weekday: DateTime.fromMillis(days[day]!, { zone: timezone }).weekday - 1,
      isSeen: isSeen.has(day),
      arrivals: Array.from({ length: QUARTERS }, (_, at) => counts.get(day * QUARTERS + at) ?? 0),
    }),
  );
  return { ...proposeHours(found), days: isSeen.size };
}

/** For each quarter its day and time by the clock on the wall. */
function quartersOf(edges: readonly number[], timezone: string): number[] {
  const spans = clockSpans(timezone, edges[0]!, edges.at(-1)!);
  const dayOf = (localMs: number) => Math.floor(localMs / 86_400_000);
  const first = dayOf(edges[0]! + spans[0]!.offsetMs);
  let span = 0;
  return edges.slice(0, -1).map((edge) => {
    while (spans[span]!.toMs <= edge) span += 1;
    const localMs = edge + spans[span]!.offsetMs;
    return (dayOf(localMs) - first) * QUARTERS + Math.floor((localMs % 86_400_000) / 900_000);
  });
}
