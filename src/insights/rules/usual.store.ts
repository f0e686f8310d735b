import { DateTime } from 'luxon';
import { numberAt } from '../../metrics/catalogue.ts';
import { numbersOfWindow } from '../../metrics/stored-numbers.ts';
import type { Db } from '../../platform/database/db.ts';
import { isCovered } from './describe-by-rules.ts';

const DAYS = 28;
/** With fewer days there is no usual value. */
const FEWEST_DAYS = 3;

/**
 * The usual value of an hourly metric of a scene at this time of day, by the clock of a zone: the median of one stored rolling record
 * per day over the last four weeks.
 * @param name of the window's metrics, e.g. `avgInQueue` or `completed.avgWaitSeconds`
 * @returns null where there are records of fewer than three days
 */
export async function usualAtThisHour(
  db: Db,
  { sceneId, name, at, timezone }: { sceneId: string; name: string; at: Date; timezone: string },
): Promise<{ value: number; days: number } | null> {
  const minute = DateTime.fromJSDate(at, { zone: timezone }).startOf('minute');
  const ends = Array.from({ length: DAYS }, (_, day) => minute.minus({ days: day + 1 }).toJSDate());
  const rows = await db.rollingRecord.findMany({
    where: { sceneId, windowType: '60min', windowEnd: { in: ends } },
    select: { metrics: true, numbers: true },
  });
  const values = rows
    .map(numbersOfWindow)
    .filter(isCovered)
    .flatMap((metrics) => numberAt(metrics, name) ?? [])
    .sort((a, b) => a - b);
  if (values.length < FEWEST_DAYS) return null;
  const middle = values.slice(Math.floor((values.length - 1) / 2), Math.floor(values.length / 2) + 1);
  const value = middle.reduce((sum, each) => sum + each, 0) / middle.length;
  return { value, days: values.length };
}
