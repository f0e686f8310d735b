import { grouped } from '../../catalogue/grouped.ts';
import { type Page, type PageQuery, rowsOf } from '../../http/paging.ts';
import { type Db, queryRows } from '../../platform/database/db.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import type { AnalysisType, DeviceKind, Feature } from '../../platform/prisma-client/client.ts';
import { FEATURES, type PerFeature, perFeature } from '../features.ts';
import { type Period, periodEnd, periodStart } from '../period.ts';
import { WHOLE_USER } from '../usage.store.ts';

export type Totals = PerFeature<number>;

interface Sum {
  readonly feature: Feature;
  readonly quantity: number;
}

const totalsOf = (sums: readonly Sum[]): Totals =>
  perFeature((name) => sums.find(({ feature }) => feature === name)?.quantity ?? 0);

/** Totals of the rows, by a key of each row. */
const totalsBy = <Row extends Sum, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Totals> =>
  new Map([...grouped(rows, keyOf)].map(([key, sums]) => [key, totalsOf(sums)]));

/** Usage of a month by analysis type. Searches have no type and are left out. */
export async function usageByType(
  db: Db,
  userId: string,
  period: Period,
): Promise<Map<AnalysisType, Totals>> {
  const rows = await db.$queryRaw<(Sum & { type: AnalysisType })[]>`
    SELECT "analysisType"::text AS type, feature::text AS feature, sum(quantity)::float8 AS quantity
    FROM "UsageDay"
    WHERE "userId" = ${userId}::uuid AND day >= ${periodStart(period)}::date AND day < ${periodEnd(period)}::date
      AND "deviceId" <> ${WHOLE_USER}::uuid
    GROUP BY 1, 2`;
  return totalsBy(rows, ({ type }) => type);
}

export interface DeviceUsage extends Totals {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly deviceType: DeviceKind;
}

/**
 * Devices with usage in a month, those with the most analysis first. Deleted devices are included, so that the sum is
 * right.
 */
export async function usageByDevice(
  db: Db,
  userId: string,
  { period, ...page }: PageQuery & { period: Period },
): Promise<Page<DeviceUsage>> {
  const { skip, take } = rowsOf(page);
  const [items, [count]] = await Promise.all([
    db.$queryRaw<DeviceUsage[]>`
      SELECT q."scopeId" AS "deviceId", d.name AS "deviceName", d.kind::text AS "deviceType",
             coalesce(sum(used) FILTER (WHERE feature = 'analysis'), 0)::float8 AS analysis,
             coalesce(sum(used) FILTER (WHERE feature = 'alert'), 0)::float8 AS alert,
             coalesce(sum(used) FILTER (WHERE feature = 'attribute'), 0)::float8 AS attribute,
             coalesce(sum(used) FILTER (WHERE feature = 'vlm'), 0)::float8 AS vlm
      FROM "Quota" q JOIN "Device" d ON d.id = q."scopeId"
      WHERE q."userId" = ${userId}::uuid AND q.period = ${period} AND q.scope = 'device'
      GROUP BY 1, 2, 3 HAVING sum(used) > 0
      ORDER BY analysis DESC, 1 LIMIT ${take} OFFSET ${skip}`,
    db.$queryRaw<{ total: number }[]>`
      SELECT count(DISTINCT q."scopeId")::int AS total
      FROM "Quota" q JOIN "Device" d ON d.id = q."scopeId"
      WHERE q."userId" = ${userId}::uuid AND q.period = ${period} AND q.scope = 'device' AND used > 0`,
  ]);
  return { items, total: count?.total ?? 0 };
}

/** All devices with usage in a month, read in batches. */
export function everyDeviceUsage(db: Db, userId: string, period: Period): AsyncGenerator<DeviceUsage> {
  let page = 0;
  return inBatches(async (limit) => {
    page += 1;
    return (await usageByDevice(db, userId, { period, page, limit })).items;
  });
}

interface Span {
  readonly userId: string;
  readonly deviceId?: string | undefined;
  readonly start: Date;
  readonly end: Date;
}

/** A year has some hundred rows, one for each day. */
const DAYS = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, ${FEATURES.map(
    (feature) => `coalesce(sum(quantity) FILTER (WHERE feature = '${feature}'), 0)::float8 AS ${feature}`,
  ).join(', ')}
  FROM "UsageDay"
  WHERE "userId" = $1::uuid AND "deviceId" = $2::uuid AND day >= $3::date AND day < $4::date
  GROUP BY "UsageDay".day`;

/** Totals of each day in `[start, end)` that has usage. The key is the first instant of the day in ms. */
export async function usageByDay(
  db: Db,
  { userId, deviceId, start, end }: Span,
): Promise<Map<number, Totals>> {
  // This id stands for the sum of all devices: no device has it.
  if (deviceId === WHOLE_USER) return new Map();
  const dateOf = (time: Date) => time.toISOString().slice(0, 10);
  const rows = await queryRows<Totals & { day: string }>(db, DAYS, [
    ...[userId, deviceId ?? WHOLE_USER, dateOf(start), dateOf(end)],
  ]);
  return new Map(rows.map(({ day, ...totals }) => [Date.parse(day), totals]));
}

/** Totals of `[start, end)` to the millisecond, from the usage events. Use it for at most one day. */
export async function usageBetween(db: Db, { userId, start, end }: Omit<Span, 'deviceId'>): Promise<Totals> {
  const sums = await db.usageEvent.groupBy({
    by: ['feature'],
    where: { userId, occurredAt: { gte: start, lt: end } },
    _sum: { quantity: true },
  });
  return totalsOf(sums.map(({ feature, _sum }) => ({ feature, quantity: Number(_sum.quantity ?? 0) })));
}

/** Totals of months of a user or a device, from their counters. @param periods first and last month */
export async function usageByMonth(
  db: Db,
  { userId, deviceId }: Pick<Span, 'userId' | 'deviceId'>,
  [first, last]: readonly [Period, Period],
): Promise<Map<Period, Totals>> {
  const owner = deviceId
    ? ({ scope: 'device', scopeId: deviceId } as const)
    : ({ scope: 'user', scopeId: userId } as const);
  const rows = await db.quota.findMany({
    where: { ...owner, userId, period: { gte: first, lte: last } },
    select: { period: true, feature: true, used: true },
  });
  const sums = rows.map(({ period, feature, used }) => ({ period, feature, quantity: Number(used) }));
  return totalsBy(sums, ({ period }) => period);
}
