import type { KnownCaller } from '../access/known-caller.store.ts';
import { QUARTER_SECONDS } from '../catalogue/metrics/quarter.ts';
import { definedFields, within } from '../http/fields.ts';
import { type Page, pageOf, rowsOf } from '../http/paging.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import { removeOld } from '../platform/database/remove-old.ts';
import { firstIdSince } from '../platform/database/uuid-v7.ts';
import { type AlertEvent, Prisma, type Severity } from '../platform/prisma-client/client.ts';
import { countLocally } from './local-times.ts';
import type { ListEvents } from './schema.ts';

const named = { select: { id: true, name: true } } as const;

/** All columns but the facts, which are large and only for the writer of the insight. */
const SHOWN = {
  omit: { facts: true },
  include: {
    rule: named,
    scene: named,
    device: named,
    images: {
      where: { kind: { not: 'thumbnail' } },
      orderBy: [{ index: 'asc' }, { kind: 'asc' }],
      select: { objectKey: true },
    },
  },
} as const satisfies Prisma.AlertEventFindManyArgs;

export type EventRow = Prisma.AlertEventGetPayload<typeof SHOWN>;

const WITH_INSIGHT = {
  select: {
    id: true,
    awaitsPictures: true,
    images: { where: { kind: 'thumbnail' }, take: 1, select: { objectKey: true } },
    insight: { select: { id: true, vlmStatus: true, vlmSummary: true, riskLevel: true, personCount: true } },
  },
} as const satisfies Prisma.AlertEventFindManyArgs;

/** What is shown of the insight of an event, and its thumbnail. */
export type InsightBrief = Prisma.AlertEventGetPayload<typeof WITH_INSIGHT>;

/** The briefs of events by the ids of the events. */
export async function readBriefs(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InsightBrief>> {
  const rows = await db.alertEvent.findMany({ where: { id: { in: [...ids] }, userId }, ...WITH_INSIGHT });
  return new Map(rows.map((row) => [row.id, row]));
}

const NEWEST_FIRST = [
  { triggeredAt: 'desc' },
  { id: 'desc' },
] satisfies Prisma.AlertEventOrderByWithRelationInput[];

export function findEvent(db: Db, userId: string, id: string): Promise<EventRow | null> {
  return db.alertEvent.findFirst({ where: { id, userId, deletedAt: null }, ...SHOWN });
}

/** Newest first. The ids of the page come from an index alone; only their rows are read. */
export async function listEvents(db: Db, userId: string, query: ListEvents): Promise<Page<EventRow>> {
  const { sceneId, deviceId, ruleId, severity, metricPath, acknowledged } = query;
  const acknowledgedAt = acknowledged === undefined ? undefined : acknowledged ? { not: null } : null;
  const filter = {
    sceneId,
    deviceId,
    ruleId,
    severity,
    metricPath,
    acknowledgedAt,
    triggeredAt: within(query),
  };
  const where: Prisma.AlertEventWhereInput = { userId, deletedAt: null, ...definedFields(filter) };
  const readRows = async () => {
    const page = { orderBy: NEWEST_FIRST, ...rowsOf(query) };
    const found = await db.alertEvent.findMany({ where, select: { id: true }, ...page });
    const id = { in: found.map((row) => row.id) };
    return db.alertEvent.findMany({ where: { id, userId }, orderBy: NEWEST_FIRST, ...SHOWN });
  };
  return pageOf(readRows(), db.alertEvent.count({ where }));
}

/** Of several acknowledgements the first stays. @returns false when there is no such event */
export async function acknowledgeEvent(
  db: Db,
  { userId, id, at, by }: { userId: string; id: string; at: Date; by: KnownCaller },
): Promise<boolean> {
  const { count } = await db.alertEvent.updateMany({
    where: { id, userId, deletedAt: null, acknowledgedAt: null },
    data: { acknowledgedAt: at, acknowledgedBy: { ...by } },
  });
  return count > 0;
}

/** Nobody has seen the event after all. */
export async function withdrawAcknowledgement(
  db: Db,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await db.alertEvent.updateMany({
    where: { id, userId, deletedAt: null, acknowledgedAt: { not: null } },
    data: { acknowledgedAt: null, acknowledgedBy: Prisma.DbNull },
  });
}

/** Removes an event, and its insight from the lists. @returns false when there is no such event */
export function removeEvent(
  db: Db,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const { count } = await tx.alertEvent.updateMany({
      where: { id, userId, deletedAt: null },
      data: { deletedAt: at },
    });
    if (count > 0)
      await tx.insight.updateMany({ where: { alertEventId: id, userId }, data: { deletedAt: at } });
    return count > 0;
  });
}

const HAS_NO_IMAGE = Prisma.sql`NOT EXISTS (SELECT 1 FROM "StoredImage" i WHERE i."alertEventId" = t.id)`;

/** Removes events that fired before a time, with their insights. Those with images stay until their images are gone. */
export const removeOldEvents = (db: Db, before: Date): Promise<void> =>
  removeOld(db, {
    table: 'AlertEvent',
    before,
    only: Prisma.sql`t.id < ${firstIdSince(before)}::uuid AND ${HAS_NO_IMAGE}`,
  });

/** Removes the rows of events that were deleted before a time. */
export const removeDeletedEvents = (db: Db, before: Date): Promise<void> =>
  removeOld(db, { table: 'AlertEvent', column: 'deletedAt', before, only: HAS_NO_IMAGE });

interface NamedCount {
  readonly id: string;
  readonly name: string;
  readonly count: number;
}

export interface EventStats {
  readonly total: number;
  readonly bySeverity: Partial<Record<Severity, number>>;
  readonly scenes: readonly NamedCount[];
  readonly rules: readonly NamedCount[];
  /** By hour of the day, 0-23, in UTC or the wanted time zone. */
  readonly byHour: ReadonlyMap<number, number>;
  /** By day of the wanted time zone; absent without one. */
  readonly byDay?: ReadonlyMap<string, number>;
}

const TOP = 10;

type CountRow = Partial<Pick<AlertEvent, 'severity' | 'sceneId' | 'ruleId'>> & {
  /** Hour of the day in UTC, or number of the quarter of an hour. */
  time: number | null;
  kind: number;
  count: number;
};

/** Counts the events of a user in a time range with one query. */
export async function countEvents(
  db: Db,
  userId: string,
  {
    timezone,
    ...range
  }: { startDate?: Date | undefined; endDate?: Date | undefined; timezone?: string | undefined },
): Promise<EventStats> {
  const time = timezone
    ? Prisma.sql`floor(extract(epoch FROM "triggeredAt") / ${QUARTER_SECONDS})::int`
    : Prisma.sql`extract(hour FROM "triggeredAt" AT TIME ZONE 'UTC')::int`;
  const since = range.startDate ? Prisma.sql`AND "triggeredAt" >= ${range.startDate}` : Prisma.empty;
  const until = range.endDate ? Prisma.sql`AND "triggeredAt" < ${range.endDate}` : Prisma.empty;
  const rows = await db.$queryRaw<CountRow[]>`
    SELECT severity, "sceneId", "ruleId", time, GROUPING(severity, "sceneId", "ruleId", time) AS kind,
      count(*)::int AS count
    FROM (
      SELECT severity, "sceneId", "ruleId", ${time} AS time
      FROM "AlertEvent" WHERE "userId" = ${userId}::uuid AND "deletedAt" IS NULL ${since} ${until}
    ) AS event
    GROUP BY GROUPING SETS ((severity), ("sceneId"), ("ruleId"), (time))`;
  // Each column has one bit of `kind`, the first column the highest. The bit is 0 for the column that a row is grouped
  // by.
  const by = (bits: number) => rows.filter(({ kind }) => kind === bits);
  const severities = by(0b0111);
  const times = by(0b1110).flatMap(({ time, count }) => (time === null ? [] : [{ time, count }]));
  const [scenes, rules] = await Promise.all([
    nameTop(by(0b1011), 'sceneId', (ids) =>
      db.scene.findMany({ where: { id: { in: ids }, userId }, ...named }),
    ),
    nameTop(by(0b1101), 'ruleId', (ids) =>
      db.alertRule.findMany({ where: { id: { in: ids }, userId }, ...named }),
    ),
  ]);
  return {
    total: severities.reduce((sum, { count }) => sum + count, 0),
    bySeverity: Object.fromEntries(severities.map(({ severity, count }) => [severity, count])),
    scenes,
    rules,
    ...(timezone
      ? countLocally(
          times.map(({ time, count }) => ({ quarter: time, count })),
          timezone,
        )
      : { byHour: new Map(times.map(({ time, count }) => [time, count])) }),
  };
}

async function nameTop(
  rows: readonly CountRow[],
  key: 'sceneId' | 'ruleId',
  find: (ids: string[]) => Promise<{ id: string; name: string }[]>,
): Promise<NamedCount[]> {
  const top = rows
    .map((row) => ({ id: row[key] as string, count: row.count }))
    .toSorted((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
    .slice(0, TOP);
  const names = new Map((await find(top.map(({ id }) => id))).map(({ id, name }) => [id, name]));
  return top.map(({ id, count }) => ({ id, name: names.get(id) ?? '', count }));
}

/** Marks an alert event as no longer waiting for images. @returns null when it was deleted */
export async function settleImages(
  tx: Tx,
  id: string,
): Promise<{ userId: string; deviceId: string; triggeredAt: Date } | null> {
  const [alert] = await tx.alertEvent.updateManyAndReturn({
    where: { id, deletedAt: null },
    data: { awaitsPictures: false },
    select: { userId: true, deviceId: true, triggeredAt: true },
  });
  return alert ?? null;
}
