import { DateTime } from 'luxon';
import { numberAt } from '../../metrics/catalogue.ts';
import { numbersOfWindow } from '../../metrics/stored-numbers.ts';
import type { Db } from '../../platform/database/db.ts';
import { isCovered } from './describe-by-rules.ts';

const HOUR_MS = 3_600_000;
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
  const hours = ends.map((end) => new Date(Math.floor(end.getTime() / HOUR_MS) * HOUR_MS));
  const rows = await db.$queryRaw<{ metrics: unknown; numbers: Uint8Array | null }[]>`
    SELECT metrics, numbers FROM "RollingRecord"
    WHERE "sceneId" = ${sceneId}::uuid AND "windowType" = '60min' AND "windowEnd" = ANY(${ends}::timestamptz[])
    UNION ALL
    SELECT NULL, r.numbers FROM "RollingHour" h CROSS JOIN LATERAL unnest(h."windowEnd", h.numbers) r(at, numbers)
    WHERE h."sceneId" = ${sceneId}::uuid AND h."windowType" = '60min' AND h.hour = ANY(${hours}::timestamptz[])
      AND r.at = ANY(${ends}::timestamptz[])`;
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
