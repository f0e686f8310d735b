import { QUARTER_MS } from '../../catalogue/metrics/quarter.ts';
import { TILL_SUM_NAMES, type TillSumName } from '../../catalogue/metrics/sums.ts';
import { isArrival } from '../../metrics/folded/counted-visits.store.ts';
import { decidedOf, type VisitQuarterRow } from '../../metrics/folded/fold.store.ts';
import { PACKED_MINUTES } from '../../metrics/packed/packed-tables.store.ts';
import { decided } from '../../metrics/sums.ts';
import { addDecided, noTotals, type QueueTotals } from '../../metrics/totals.ts';
import { visitOfRow } from '../../metrics/visit-of-row.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import { Prisma, type Visit as VisitRow } from '../../platform/prisma-client/client.ts';
import {
  ALERTS,
  MINUTES,
  QUARTERS,
  type Range,
  type RangedRows,
  type SceneRange,
  VISIT_QUARTER_ROWS,
  VISIT_ROWS,
  VISITS,
} from '../ranged-rows.store.ts';

/** Small enough that no other statement waits long for the locks of one batch. */
const BATCH = 1_000;

export interface ErasedScene {
  readonly id: string;
  readonly deviceId: string;
}

/** The scenes of these devices, or of all: also deleted ones. In the order of their ids. */
export function scenesOf(
  db: Db,
  { userId, deviceIds }: { userId: string; deviceIds: readonly string[] },
): Promise<ErasedScene[]> {
  return db.scene.findMany({
    where: { userId, ...(deviceIds.length > 0 && { deviceId: { in: [...deviceIds] } }) },
    select: { id: true, deviceId: true },
    orderBy: { id: 'asc' },
  });
}

/**
 * The newest rows first, so that PostgreSQL goes back in the index of their scene: without an order it may expect to find a
 * batch soon and read the rows of all scenes.
 */
const newestFirst = ({ order: [by] = [] }: RangedRows): Prisma.Sql =>
  by ? Prisma.sql`ORDER BY ${Prisma.raw(`t."${by[0]}"`)} DESC` : Prisma.empty;

/** Deletes one batch of rows. @returns their number; fewer than a batch: there are no more */
export function eraseBatch(db: Db, rows: RangedRows, range: SceneRange): Promise<number> {
  const from = Prisma.raw(`"${rows.table}"`);
  if (rows.isPartitioned) return erasePartitionedBatch(db, rows, range);
  return db.$executeRaw`
    DELETE FROM ${from} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${from} t WHERE ${rows.where(range)} ${newestFirst(rows)} LIMIT ${BATCH} FOR UPDATE))`;
}

/** Rows of two partitions may have the same ctid: these rows are named by the columns of their order. */
function erasePartitionedBatch(db: Db, rows: RangedRows, range: SceneRange): Promise<number> {
  const from = Prisma.raw(`"${rows.table}"`);
  const columns = rows.order!.map(([column]) => Prisma.raw(`"${column}"`));
  const same = columns.map((column) => Prisma.sql`t.${column} = batch.${column}`);
  return db.$executeRaw`
    WITH batch AS MATERIALIZED (
      SELECT ${Prisma.join(columns)} FROM ${from} t WHERE ${rows.where(range)} ${newestFirst(rows)} LIMIT ${BATCH} FOR UPDATE)
    DELETE FROM ${from} t USING batch WHERE ${rows.where(range)} AND ${Prisma.join(same, ' AND ')}`;
}

export const isWholeBatch = (rows: number): boolean => rows === BATCH;

export interface ErasedAlert {
  readonly id: string;
  readonly images: readonly { readonly objectKey: string }[];
}

/** The next alert events of a scene in the range, with their images. */
export async function nextAlerts(db: Db, range: SceneRange, atMost: number): Promise<ErasedAlert[]> {
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT t.id FROM "AlertEvent" t WHERE ${ALERTS(range)} LIMIT ${atMost}`;
  return db.alertEvent.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    select: { id: true, images: { select: { objectKey: true } } },
  });
}

/**
 * Deletes alert events whose images are removed from the storage; their insights and the rows of the images go with them. An
 * alert event that got further images meanwhile stays for the next call, so that no image is left without a row.
 */
export function eraseAlerts(db: Db, alerts: readonly ErasedAlert[]): Promise<number> {
  const ids = alerts.map(({ id }) => id);
  const removed = alerts.flatMap(({ images }) => images.map(({ objectKey }) => objectKey));
  return db.$transaction(async (tx) => {
    // Whoever adds late images locks their alert event first.
    await tx.$queryRaw`SELECT 1 FROM "AlertEvent" WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`;
    const { count } = await tx.alertEvent.deleteMany({
      where: { id: { in: ids }, images: { none: { objectKey: { notIn: removed } } } },
    });
    return count;
  });
}

/** Whether a scene has in the range what its totals count: visits or sums of removed ones, and open tills. */
export async function isCounted(db: Db, range: SceneRange): Promise<boolean> {
  const found = await db.$queryRaw<unknown[]>`
    (SELECT 1 FROM "Visit" t WHERE ${VISITS(range)} ${newestFirst(VISIT_ROWS)} LIMIT 1)
    UNION ALL (SELECT 1 FROM "VisitQuarter" t WHERE ${VISIT_QUARTER_ROWS.where(range)} LIMIT 1)
    UNION ALL (SELECT 1 FROM "OccupancyQuarter" t WHERE ${QUARTERS(range)} AND t."tillKnownMs" > 0 LIMIT 1)`;
  return found.length > 0;
}

/**
 * Computes the totals of a scene from the visits outside the range, and from the sums of removed ones. It is done before those in the range are deleted, so that a
 * repetition finds them and does it again.
 */
export async function rebuildTotals(db: Db, range: SceneRange): Promise<void> {
  const totals: QueueTotals = noTotals();
  const rows = inBatches<VisitRow & { isArrival: boolean }>((take, last) => {
    const after = last
      ? Prisma.sql`AND (t."arrivalDecidedAt", t.id) > (${last.arrivalDecidedAt}::timestamptz, ${last.id}::uuid)`
      : Prisma.empty;
    return db.$queryRaw<(VisitRow & { isArrival: boolean })[]>`
      SELECT t.*, ${Prisma.raw(isArrival('ARRAY["sceneId"]'))} AS "isArrival" FROM "Visit" t
      WHERE t."sceneId" = ${range.sceneId}::uuid AND t.state <> 'discarded' AND NOT (${VISITS(range)}) ${after}
      ORDER BY t."arrivalDecidedAt", t.id LIMIT ${take}`;
  }, 5_000);
  for await (const row of rows) {
    if (row.isArrival) totals.arrivals += 1;
    if (row.outcomeDecidedAt !== null) addDecided(totals, decided(visitOfRow(row)));
  }
  const quarters = inBatches<VisitQuarterRow>((take, last) => {
    const after = last ? Prisma.sql`AND t.quarter > ${last.quarter}::timestamptz` : Prisma.empty;
    return db.$queryRaw<VisitQuarterRow[]>`
      SELECT t."sceneId", t.quarter, t.arrivals, t.outcomes::text[] AS outcomes, t."waitMs", t."serviceMs", t."inTime" FROM "VisitQuarter" t
      WHERE t."sceneId" = ${range.sceneId}::uuid AND NOT (${VISIT_QUARTER_ROWS.where(range)}) ${after}
      ORDER BY t.quarter LIMIT ${take}`;
  }, 5_000);
  for await (const row of quarters) {
    totals.arrivals += row.arrivals;
    for (const visit of decidedOf(row)) addDecided(totals, visit);
  }
  await db.sceneTotals.updateMany({
    where: { sceneId: range.sceneId },
    data: { ...totals, ...(await tillsOutside(db, range)) },
  });
}

/**
 * The sums of tills outside the range: of the quarters of an hour, which count minutes that are packed or removed too, and where the
 * range ends within a quarter, of its other minutes.
 */
async function tillsOutside(db: Db, range: SceneRange): Promise<Pick<QueueTotals, TillSumName>> {
  const { sceneId, from, to } = range;
  const names = (text: (name: string) => string) => Prisma.raw(TILL_SUM_NAMES.map(text).join(', '));
  const minutes = (since: Date, until: Date) => Prisma.sql`
    SELECT ${names((name) => `"${name}"`)} FROM ${PACKED_MINUTES.all({ sceneId }, since, until)} t WHERE NOT (${MINUTES(range)})`;
  const [sums] = await db.$queryRaw<[Pick<QueueTotals, TillSumName>]>`
    SELECT ${names((name) => `coalesce(sum("${name}"), 0)::float8 AS "${name}"`)}
    FROM (
      SELECT ${names((name) => `"${name}"`)} FROM "OccupancyQuarter" t
      WHERE t."sceneId" = ${sceneId}::uuid AND NOT (${QUARTERS(range)})
      UNION ALL ${minutes(quarterOf(from, Math.floor), from)}
      UNION ALL ${minutes(to, quarterOf(to, Math.ceil))}) kept`;
  return sums;
}

/** The start of the quarter of an hour in which a time lies (`floor`), or of the next one unless a quarter starts then (`ceil`). */
const quarterOf = (time: Date, round: (quarters: number) => number): Date =>
  new Date(round(time.getTime() / QUARTER_MS) * QUARTER_MS);

/** Removes the live metrics of scenes that look back into the range. */
export async function forgetLatestMetrics(db: Db, { sceneId, from, to }: SceneRange): Promise<void> {
  await db.$executeRaw`
    UPDATE "Scene" SET "latestMetrics" = NULL, "metricsUpdatedAt" = NULL
    WHERE id = ${sceneId}::uuid AND "metricsUpdatedAt" > ${from}
      AND "metricsUpdatedAt" < ${to}::timestamptz + interval '1 hour'`;
}

interface UserRange extends Range {
  readonly userId: string;
  /** Empty: all. */
  readonly deviceIds: readonly string[];
}

const ofDevices = (deviceIds: readonly string[]) =>
  deviceIds.length === 0 ? Prisma.sql`true` : Prisma.sql`t."deviceId" = ANY(${[...deviceIds]}::uuid[])`;

/** Deletes one batch of events of alerts with their deliveries: their bodies have addresses of images. */
export function eraseEventBatch(db: Db, { userId, from, to, deviceIds }: UserRange): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Event" WHERE id = ANY(ARRAY(
      SELECT t.id FROM "Event" t
      WHERE t."userId" = ${userId}::uuid AND t."occurredAt" >= ${from} AND t."occurredAt" < ${to}
        AND t.type IN ('alert_triggered', 'staffing_advice', 'unusual_activity') AND ${ofDevices(deviceIds)} LIMIT ${BATCH}))`;
}

/**
 * Deletes one batch of finished attempts to tell somebody of alerts. One that waits is written from the events that are left, and
 * is not sent if there are none.
 */
export function eraseNotificationBatch(db: Db, { userId, from, to, deviceIds }: UserRange): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Notification" WHERE id = ANY(ARRAY(
      SELECT t.id FROM "Notification" t
      WHERE t."userId" = ${userId}::uuid AND t."createdAt" >= ${from} AND t.since >= ${from} AND t.since < ${to}
        AND t.kind IN ('alert_triggered', 'staffing_advice', 'unusual_activity') AND t.status <> 'pending' AND ${ofDevices(deviceIds)} LIMIT ${BATCH}))`;
}

/** A report is of a week at most, compared with the week before, and is sent up to two days later. */
const REPORTED = Prisma.sql`interval '16 days'`;

/** Gives up reports that wait to be sent and may have numbers of the range, of whichever devices. */
export function giveUpReports(db: Db, { userId, from, to }: UserRange): Promise<number> {
  return db.$executeRaw`
    UPDATE "Notification"
    SET status = 'failed', "isFinalAttempt" = true, "contentEncrypted" = NULL, "errorMessage" = 'What it was about has been erased.'
    WHERE "userId" = ${userId}::uuid AND kind = 'report' AND status = 'pending'
      AND "createdAt" >= ${from} AND "createdAt" < ${to}::timestamptz + ${REPORTED}`;
}

/** Images without an alert event. */
export function strayImages(
  db: Db,
  { userId, from, to }: UserRange,
  atMost: number,
): Promise<{ objectKey: string }[]> {
  return db.storedImage.findMany({
    where: { userId, alertEventId: null, capturedAt: { gte: from, lt: to } },
    select: { objectKey: true },
    take: atMost,
  });
}

/** Deletes pictures that programs hand to each other. */
export async function erasePassingPictures(
  db: Db,
  { userId, from, to, deviceIds }: UserRange,
): Promise<void> {
  const own = Prisma.sql`
    SELECT d.id FROM "Device" d WHERE d."userId" = ${userId}::uuid
      AND (${deviceIds.length === 0} OR d.id = ANY(${[...deviceIds]}::uuid[]))`;
  const inRange = Prisma.sql`t."capturedAt" >= ${from} AND t."capturedAt" < ${to}`;
  await db.$executeRaw`DELETE FROM "LivePicture" t WHERE t."deviceId" IN (${own}) AND ${inRange}`;
  await db.$executeRaw`DELETE FROM "FrameRequest" t WHERE t."deviceId" IN (${own}) AND ${inRange}`;
}

/** Deletes the words of a user's spelling list that no insight says any more. */
export async function eraseUnusedWords(db: Tx, userId: string): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "SearchWord" w WHERE w."userId" = ${userId}::uuid AND NOT EXISTS (
      SELECT 1 FROM "Insight" i
      WHERE i."userId" = w."userId" AND i."searchVector" @@ to_tsquery('simple', quote_literal(w.word)))`;
}
