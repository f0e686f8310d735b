import type { z } from 'zod';
import type { Db } from '../../platform/database/db.ts';
import { perFeature } from '../features.ts';
import { addDays, dayOf, daysBetween, type Period, periodEnd, periodStart } from '../period.ts';
import { readQuota } from '../quota.store.ts';
import { percentOf } from '../quota-state.ts';
import { usageByDay } from '../reports/report.store.ts';
import type { forecastResponse } from '../schema.ts';
import { forecast, HISTORY_DAYS } from './forecast.ts';

/** The most detailed method comes first. */
const METHODS = ['weekly_seasonal', 'linear_trend'] as const;

/** Forecasts the usage of a user's month, feature by feature. */
export async function forecastMonth(
  db: Db,
  { userId, now }: { userId: string; now: Date },
  period: Period,
): Promise<z.input<typeof forecastResponse>> {
  const today = dayOf(now);
  const [month, byDay] = await Promise.all([
    readQuota(db, { scope: 'user', scopeId: userId }, period),
    usageByDay(db, { userId, start: addDays(today, -HISTORY_DAYS), end: addDays(today, 1) }),
  ]);
  const [start, end] = [periodStart(period), periodEnd(period)];
  const features = perFeature((feature) => {
    const usedOn = (day: Date) => byDay.get(day.getTime())?.[feature] ?? 0;
    // The history starts with the first usage: the days before it do not count as days without usage.
    const first = Math.min(
      today.getTime(),
      ...[...byDay.keys()].filter((dayMs) => usedOn(new Date(dayMs)) > 0),
    );
    const wholeDays = Math.round(daysBetween(new Date(first), today));
    const { limit, used } = month[feature];
    const { projectedExceedAt, ...foreseen } = forecast({
      now,
      start,
      end,
      usedToDate: used,
      limit,
      history: Array.from({ length: wholeDays }, (_, at) => usedOn(addDays(today, at - wholeDays))),
      today: usedOn(today),
    });
    return {
      ...foreseen,
      limit,
      projectedPercentage: limit === null ? null : percentOf(foreseen.projected, limit),
      projectedExceedAt: projectedExceedAt?.toISOString() ?? null,
    };
  });
  const elapsed = daysBetween(start, now) / daysBetween(start, end);
  const methods = Object.values(features).map(({ method }) => method);
  return {
    period,
    asOf: now.toISOString(),
    elapsedRatio: Math.round(Math.max(0, Math.min(1, elapsed)) * 10_000) / 10_000,
    method: METHODS.find((method) => methods.includes(method)) ?? 'straight_line',
    features,
  };
}
