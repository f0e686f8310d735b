import { numberAt } from '../../metrics/catalogue.ts';
import { numbersOfWindow } from '../../metrics/stored-numbers.ts';
import type { Db } from '../../platform/database/db.ts';

const DAY_MS = 86_400_000;
const DAYS = 28;
/** With fewer days there is no usual value. */
const FEWEST_DAYS = 3;
/** Hours with less coverage are ignored. */
const COVERED_PERCENT = 50;

/**
 * The usual value of an hourly metric of a scene at this time of day: the median of one stored rolling record per day
 * over the last four weeks.
 * @param name of the window's metrics, e.g. `avgInQueue` or `completed.avgWaitSeconds`
 * @returns null where there are records of fewer than three days
 */
export async function usualAtThisHour(
  db: Db,
  { sceneId, name, at }: { sceneId: string; name: string; at: Date },
): Promise<{ value: number; days: number } | null> {
  const minute = Math.floor(at.getTime() / 60_000) * 60_000;
  const ends = Array.from({ length: DAYS }, (_, day) => new Date(minute - (day + 1) * DAY_MS));
  const rows = await db.rollingRecord.findMany({
    where: { sceneId, windowType: '60min', windowEnd: { in: ends } },
    select: { metrics: true, numbers: true },
  });
  const values = rows
    .map(numbersOfWindow)
    .filter((metrics) => (numberAt(metrics, 'coveragePercent') ?? 0) >= COVERED_PERCENT)
    .flatMap((metrics) => numberAt(metrics, name) ?? [])
    .sort((a, b) => a - b);
  if (values.length < FEWEST_DAYS) return null;
  const middle = Math.floor(values.length / 2);
  const value = values.length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
  return { value, days: values.length };
}
