import { invalidField } from '../http/errors.ts';
import type { Context } from '../platform/context.ts';

const DAY_MS = 86_400_000;

export interface RangeQuery {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly timezone?: string | undefined;
}

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The range of a query; by default the last days until now.
 * @throws ApiError INVALID_DATE_RANGE when the range starts after now and has no end
 */
export function rangeOf({ clock }: Pick<Context, 'clock'>, { from, to }: RangeQuery, days: number): Range {
  const end = to ?? clock.now();
  const toMs = end.getTime();
  const fromMs = from?.getTime() ?? toMs - days * DAY_MS;
  if (fromMs < toMs) return { fromMs, toMs };
  const message = `must lie before now, ${end.toISOString()}, unless to is given`;
  throw invalidField('from', message, 'INVALID_DATE_RANGE');
}

/** @throws ApiError INVALID_DATE_RANGE when the range is longer */
export function requireAtMost(days: number, range: Range): Range {
  if (range.toMs - range.fromMs <= days * DAY_MS) return range;
  const earliest = new Date(range.toMs - days * DAY_MS).toISOString();
  throw invalidField(
    'from',
    `must lie at most ${days} days before to. Use ${earliest}`,
    'INVALID_DATE_RANGE',
  );
}
