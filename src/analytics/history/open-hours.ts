import type { OpenSpan } from '../../catalogue/hours/opening-hours.ts';
import type { GroupedSpans } from './group-sums.store.ts';

/** The group of times that are closed: it is not read. */
export const CLOSED = -1;

/** Cuts spans where it opens and closes; what is closed belongs to no group. */
export function onlyOpen({ edges, groups }: GroupedSpans, open: readonly OpenSpan[] | null): GroupedSpans {
  if (!open) return { edges, groups };
  const cut: { edges: number[]; groups: number[] } = { edges: [], groups: [] };
  const add = (fromMs: number, toMs: number, group: number) => {
    if (fromMs >= toMs) return;
    cut.edges.push(fromMs);
    cut.groups.push(group);
  };
  let next = 0;
  for (const [at, group] of groups.entries()) {
    const [fromMs, toMs] = [edges[at]!, edges[at + 1]!];
    let doneMs = fromMs;
    while (next < open.length && open[next]!.toMs <= fromMs) next += 1;
    for (let span = next; span < open.length && open[span]!.fromMs < toMs; span += 1) {
      const opensMs = Math.max(fromMs, open[span]!.fromMs);
      const closesMs = Math.min(toMs, open[span]!.toMs);
      add(doneMs, opensMs, CLOSED);
      add(opensMs, closesMs, group);
      doneMs = closesMs;
    }
    add(doneMs, toMs, CLOSED);
  }
  return { edges: [...cut.edges, edges.at(-1)!], groups: cut.groups };
}

/** Milliseconds of each group, until a moment. */
export function lengthsOf(
  { edges, groups }: GroupedSpans,
  count: number,
  untilMs = Number.POSITIVE_INFINITY,
) {
  const lengths = Array.from({ length: count }, () => 0);
  for (const [at, group] of groups.entries()) {
    if (group !== CLOSED) lengths[group]! += Math.max(0, Math.min(edges[at + 1]!, untilMs) - edges[at]!);
  }
  return lengths;
}

/** What share of the spans of each group is open, 0-100; null where nobody has said. */
export function openPercents(all: GroupedSpans, open: GroupedSpans | null, count: number): number[] | null {
  if (!open) return null;
  const whole = lengthsOf(all, count);
  return lengthsOf(open, count).map((ms, group) =>
    whole[group] ? Math.round((ms / whole[group]) * 1_000) / 10 : 0,
  );
}

/** SQL condition: a time is open. The parameter is that of `openParameter`. */
export const whileOpen = (time: string, parameter: string): string =>
  `(${parameter}::timestamptz[] IS NULL OR width_bucket(${time}, ${parameter}::timestamptz[]) % 2 = 1)`;

/** When it opens and closes, by turns: an odd number of them lies before a moment that is open. Null: every moment is. */
export const openParameter = (open: readonly OpenSpan[] | null): string | null =>
  open &&
  `{${open.flatMap(({ fromMs, toMs }) => [fromMs, toMs].map((ms) => new Date(ms).toISOString())).join()}}`;
