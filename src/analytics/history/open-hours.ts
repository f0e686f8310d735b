import type { OpenSpan } from '../../catalogue/hours/opening-hours.ts';
import type { GroupedSpan } from './group-sums.store.ts';

/** The group of times that are closed: it is not read. */
export const CLOSED = -1;

/** Cuts spans where it opens and closes; what is closed belongs to no group. */
export function onlyOpen(
  spans: readonly GroupedSpan[],
  open: readonly OpenSpan[] | null,
): readonly GroupedSpan[] {
  if (!open) return spans;
  const cut: GroupedSpan[] = [];
  const add = (fromMs: number, toMs: number, group: number) => {
    if (fromMs < toMs) cut.push({ fromMs, toMs, group });
  };
  const left = [...open];
  for (const { fromMs, toMs, group } of spans) {
    let doneMs = fromMs;
    while (left[0] && left[0].toMs <= fromMs) left.shift();
    for (const span of left) {
      if (span.fromMs >= toMs) break;
      const opensMs = Math.max(fromMs, span.fromMs);
      const closesMs = Math.min(toMs, span.toMs);
      add(doneMs, opensMs, CLOSED);
      add(opensMs, closesMs, group);
      doneMs = closesMs;
    }
    add(doneMs, toMs, CLOSED);
  }
  return cut;
}

/** @returns a function that gives the milliseconds of a group, until a moment */
export function lengthsOf(
  spans: readonly GroupedSpan[],
  untilMs = Number.POSITIVE_INFINITY,
): (group: number) => number {
  const lengths = new Map<number, number>();
  const lengthOf = (group: number) => lengths.get(group) ?? 0;
  for (const { fromMs, toMs, group } of spans)
    if (group !== CLOSED) lengths.set(group, lengthOf(group) + Math.max(0, Math.min(toMs, untilMs) - fromMs));
  return lengthOf;
}

/** @returns a function that gives the share of a group that is open, 0-100; null where nobody has said */
export function openPercents(
  all: readonly GroupedSpan[],
  open: readonly GroupedSpan[] | null,
): ((group: number) => number) | null {
  if (!open) return null;
  const [wholeOf, openOf] = [lengthsOf(all), lengthsOf(open)];
  return (group) => (wholeOf(group) ? Math.round((openOf(group) / wholeOf(group)) * 1_000) / 10 : 0);
}

/** SQL condition: a time is open. The parameter is that of `openParameter`. */
export const whileOpen = (time: string, parameter: string): string =>
  `(${parameter}::timestamptz[] IS NULL OR width_bucket(${time}, ${parameter}::timestamptz[]) % 2 = 1)`;

/** When it opens and closes, by turns: an odd number of them lies before a moment that is open. Null: every moment is. */
export const openParameter = (open: readonly OpenSpan[] | null): string | null =>
  open &&
  `{${open.flatMap(({ fromMs, toMs }) => [fromMs, toMs].map((ms) => new Date(ms).toISOString())).join()}}`;
