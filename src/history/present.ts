import type { z } from 'zod';
import { columnsOf, type Series } from './read-series.ts';
import type { series } from './schema.ts';

export function presentSeries({ bucket, timezone, fromMs, toMs, points }: Series): z.input<typeof series> {
  const unfinished = points.findIndex(({ isUnfinished }) => isUnfinished);
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    bucket,
    timezone,
    unfinishedIndex: unfinished < 0 ? null : unfinished,
    ...columnsOf(points),
  };
}
