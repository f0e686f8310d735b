import { openIn } from '../../cameras/sites/open-hours.ts';
import type { HistoryName } from '../../catalogue/metrics/all.ts';
import { percentOf, round } from '../../catalogue/metrics/arithmetic.ts';
import type { Context } from '../../platform/context.ts';
import { clockSpans } from '../../platform/jobs/local-clock.ts';
import { bucketEdges, spanOf } from './buckets.ts';
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
  const count = DAYS * HOURS;
  const all = { edges, groups: cellsOf(edges, timezone) };
  const open = openIn(hours, spanOf(edges));
  const spans = onlyOpen(all, open);
  const sums = await readGroups(
    db,
    scenes.map(({ id }) => id),
    { ...spans, count },
  );
  const elapsed = lengthsOf(spans, count, clock.now().getTime());
  const openPercent = openPercents(all, open && spans, count);
  const cells = sums.map(groupMetrics(scenes.map(({ zones }) => zones)));
  return {
    ...spanOf(edges),
    timezone,
    hours: week(elapsed.map((ms) => round(ms / HOUR_MS))),
    coveragePercent: week(sums.map(({ leastCoveredMs }, cell) => percentOf(leastCoveredMs, elapsed[cell]!))),
    openPercent: openPercent && week(openPercent),
    metrics: Object.fromEntries(
      GROUP_METRIC_NAMES.map((name) => [name, week(cells.map((cell) => cell[name]))]),
    ) as Heatmap['metrics'],
  };
}

const week = <Value>(cells: readonly Value[]): Week<Value> =>
  Array.from({ length: DAYS }, (_, day) => cells.slice(day * HOURS, (day + 1) * HOURS));

/** The cell of each span between two edges: weekday × 24 + hour, by the clock on the wall. */
function cellsOf(edges: readonly number[], timezone: string): number[] {
  const spans = clockSpans(timezone, edges[0]!, edges.at(-1)!);
  let span = 0;
  return edges.slice(0, -1).map((edge) => {
    while (spans[span]!.toMs <= edge) span += 1;
    const local = new Date(edge + spans[span]!.offsetMs);
    return ((local.getUTCDay() + 6) % DAYS) * HOURS + local.getUTCHours();
  });
}
