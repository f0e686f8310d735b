import { invalidField } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';

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

/** What an answer may cost: days of a range, and days × scenes, because the rows of every scene are read. */
export interface RangeLimits {
  readonly days: number;
  readonly sceneDays: number;
}

/** @throws ApiError INVALID_DATE_RANGE when the range is longer than so many scenes allow */
export function requireAtMost({ days, sceneDays }: RangeLimits, scenes: number, range: Range): Range {
  const most = Math.min(days, Math.max(1, Math.floor(sceneDays / Math.max(1, scenes))));
  if (range.toMs - range.fromMs <= most * DAY_MS) return range;
  const earliest = new Date(range.toMs - most * DAY_MS).toISOString();
  const why = most < days ? ` for ${scenes} scenes` : '';
  const message = `must lie at most ${most} days before to${why}. Use ${earliest}`;
  throw invalidField('from', message, 'INVALID_DATE_RANGE');
}
