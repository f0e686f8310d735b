import { openIn } from '../../cameras/sites/open-hours.ts';
import type { HistoryName } from '../../catalogue/metrics/all.ts';
import { percentOf, round } from '../../catalogue/metrics/arithmetic.ts';
import type { Context } from '../../platform/context.ts';
import { bucketEdges, spanOf, spansBetween, withLocalTimes } from './buckets.ts';
import { GROUP_METRIC_NAMES, groupMetrics } from './group-metrics.ts';
import type { HistoryScope } from './history-scope.store.ts';
import { lengthsOf, onlyOpen, openPercents } from './open-hours.ts';
import { readGroups } from './read-groups.ts';

const HOUR_MS = 3_600_000;
const DAYS = 7;
const HOURS = 24;

/** Values by weekday, Monday first, and by the hour of the day. */
export type Week<Value> = Value[][];

export interface Heatmap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly timezone: string;
  /** Open hours of the range that lie in each cell, until now. */
  readonly hours: Week<number>;
  readonly coveragePercent: Week<number>;
  readonly openPercent: Week<number> | null;
  readonly metrics: Record<HistoryName, Week<number | null>>;
}

/** The metrics of the scenes by weekday and hour of day. Every hour that the range touches counts as a whole. */
export async function readHeatmap(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { scenes, hours }: HistoryScope,
  { fromMs, toMs, timezone }: { fromMs: number; toMs: number; timezone: string },
): Promise<Heatmap> {
  const edges = bucketEdges('1h', { fromMs, toMs, timezone });
  const groups = Array.from({ length: DAYS * HOURS }, (_, cell) => ({ cell }));
  const all = withLocalTimes(spansBetween(edges), timezone).map((span) => ({ ...span, group: cellOf(span) }));
  const open = openIn(hours, spanOf(edges));
  const spans = onlyOpen(all, open);
  const read = await readGroups(
    db,
    scenes.map(({ id }) => id),
    { groups, spans },
  );
  const elapsed = lengthsOf(spans, clock.now().getTime());
  const openPercent = openPercents(all, open && spans);
  const metricsOf = groupMetrics(scenes.map(({ zones }) => zones));
  const cells = read.map(({ sums }) => metricsOf(sums));
  return {
    ...spanOf(edges),
    timezone,
    hours: week(groups.map(({ cell }) => round(elapsed(cell) / HOUR_MS))),
    coveragePercent: week(read.map(({ cell, sums }) => percentOf(sums.leastCoveredMs, elapsed(cell)))),
    openPercent: openPercent && week(groups.map(({ cell }) => openPercent(cell))),
    metrics: Object.fromEntries(
      GROUP_METRIC_NAMES.map((name) => [name, week(cells.map((cell) => cell[name]))]),
    ) as Heatmap['metrics'],
  };
}

const week = <Value>(cells: readonly Value[]): Week<Value> =>
  Array.from({ length: DAYS }, (_, day) => cells.slice(day * HOURS, (day + 1) * HOURS));

/** Weekday × 24 + hour, by the clock on the wall. */
function cellOf({ localMs }: { readonly localMs: number }): number {
  const local = new Date(localMs);
  return ((local.getUTCDay() + 6) % DAYS) * HOURS + local.getUTCHours();
}
