import type { Db, Tx } from '../../platform/database/db.ts';
import { createPartitions } from '../../platform/database/partitions/create-partitions.store.ts';
import {
  attempt,
  DAY_MS,
  listPartitions,
  quoted,
  startOf,
} from '../../platform/database/partitions/partitions.store.ts';
import { drop, within } from '../../platform/database/partitions/remove-old-partitions.store.ts';
import { removeOld } from '../../platform/database/remove-old.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import { IS_ERASED, notErased } from '../erase.store.ts';
import type { PackedTable } from './packed-tables.store.ts';

const HOUR_MS = 3_600_000;
const { raw, sql } = Prisma;
const names = (columns: readonly string[], text = (name: string) => `"${name}"`) =>
  raw(columns.map(text).join(', '));

/** A UTC day of a scene whose rows are to be packed, and the time of the first of them. Rows from `before` on stay. */
export interface Unpacked {
  readonly sceneId: string;
  readonly first: Date;
  readonly before: Date;
}

/**
 * The oldest day with rows before yesterday of each scene, by the clock and by its newest metrics: so a node whose clock is behind does not
 * write into a day that is packed. A recording goes whole, with all its rows as they were written.
 * @param before the start of yesterday
 */
export const findUnpacked = (
  db: Db,
  { rows, only }: PackedTable,
  before: Date,
  atMost: number,
): Promise<Unpacked[]> => {
  const time = raw(`t."${rows.column}"`);
  return db.$queryRaw`
    SELECT * FROM (
      SELECT s.id AS "sceneId", own.before, (
        SELECT min(${time}) FROM ${quoted(rows.table)} t
        WHERE t."sceneId" = s.id AND ${time} < own.before AND ${raw(only)}) AS first
      FROM "Scene" s CROSS JOIN LATERAL (
        SELECT least(${before}, date_bin('1 day', s."metricsUpdatedAt", timestamptz '2000-01-01 00:00Z') - interval '1 day') AS before) own
      WHERE s."metricsUpdatedAt" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "Recording" r WHERE r."sceneId" = s.id)
        AND NOT ${IS_ERASED}) scene
    WHERE first IS NOT NULL ORDER BY first, "sceneId" LIMIT ${atMost}`;
};

/** Whether the tables of packed rows were there before a time. */
export async function isUpgradeOver(db: Db, before: Date): Promise<boolean> {
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "_prisma_migrations" WHERE migration_name = '20261127100000_packed_hours' AND finished_at < ${before}`;
  return found.length > 0;
}

/**
 * One program at a time packs rows of a scene. No writer waits for it. A deletion of the scene waits until the rows are packed: without this
 * lock each of the two could wait for rows of the other.
 */
const lockPacked = (tx: Tx, sceneId: string): Promise<unknown> =>
  tx.$queryRaw`
    SELECT pg_advisory_xact_lock(hashtext('packed rows'), hashtext(id::text))::text
    FROM "Scene" WHERE id = ${sceneId}::uuid FOR KEY SHARE`;

/** Waits until no program packs rows of a scene. While an erasure of the user runs, none begins to. */
export const awaitPacking = (db: Db, sceneId: string): Promise<unknown> => lockPacked(db, sceneId);

/**
 * Packs the rows of a scene and a UTC day before a time, in one transaction, so that each row is in one of the two tables. While an
 * erasure of the user runs, it packs nothing: the erasure reads the rows as they were written. Rows whose time an hour has already,
 * because they were written twice, are removed.
 */
export function packDay(
  db: Db,
  { rows, hours, key, lists, only }: PackedTable,
  { sceneId, first, before }: Unpacked,
): Promise<void> {
  const from = startOf('day', first);
  const to = new Date(Math.min(from.getTime() + DAY_MS, before.getTime()));
  const time = raw(`t."${rows.column}"`);
  const hour = sql`date_bin('1 hour', ${time}, timestamptz '2000-01-01 00:00Z')`;
  const same = raw(key.map((name) => `h."${name}" = t."${name}"`).join(' AND '));
  return db.$transaction(async (tx) => {
    await lockPacked(tx, sceneId);
    // A trigger would remove the quarters of an hour too.
    await tx.$queryRaw`SELECT set_config('retention.keeps_quarters', 'on', true)`;
    await tx.$executeRaw`
      WITH gone AS (
        DELETE FROM ${quoted(rows.table)} t
        WHERE t."sceneId" = ${sceneId}::uuid AND ${time} >= ${from} AND ${time} < ${to} AND ${raw(only)} AND ${notErased(sceneId)}
        RETURNING *),
      fresh AS (
        SELECT *, ${hour} AS "packedHour" FROM gone t WHERE NOT EXISTS (
          SELECT 1 FROM ${quoted(hours)} h WHERE ${same} AND h.hour = ${hour} AND ${time} = ANY(h.${quoted(rows.column)})))
      INSERT INTO ${quoted(hours)} AS h (${names(key)}, hour, rows, ${names(lists)})
      SELECT ${names(key)}, "packedHour", count(*), ${names(lists, (name) => `array_agg(t."${name}" ORDER BY t."${rows.column}")`)}
      FROM fresh t GROUP BY ${names(key)}, "packedHour"
      ON CONFLICT (${names(key)}, hour) DO UPDATE
      SET rows = h.rows + excluded.rows, ${names(lists, (name) => `"${name}" = h."${name}" || excluded."${name}"`)}`;
  });
}

/** Drops partitions before a time whose rows are all packed. What is not dropped now is dropped by a later call. */
export async function dropEmptyPartitions(db: Db, { rows }: PackedTable, before: Date): Promise<void> {
  for (const partition of await listPartitions(db, rows)) {
    const { to, isDefault } = partition;
    const isEmpty = async (client: Db | Tx): Promise<boolean> => {
      const found = await client.$queryRaw<unknown[]>`
        SELECT 1 FROM ${quoted(rows.table)} t WHERE ${within(rows, partition)} LIMIT 1`;
      return found.length === 0;
    };
    if (!isDefault && to !== null && to <= before && (await isEmpty(db)))
      await attempt(db, (tx) => drop(tx, rows, partition, () => isEmpty(tx)));
  }
}

/** Rows of a scene that are to be removed. */
export interface PackedRange {
  readonly sceneId: string;
  readonly from: Date;
  readonly to: Date;
}

/** Small enough that no other statement waits long for the locks of one batch. */
const HOURS_AT_ONCE = 500;

/**
 * Removes a batch of the hours that lie in a range as a whole. An erasure of the user must be running, and `awaitPacking` be over:
 * then nothing is packed again. Quarters of an hour stay.
 * @returns the number of removed rows; 0: there are no more
 */
export async function removeHours(
  db: Db,
  { hours }: PackedTable,
  { sceneId, from, to }: PackedRange,
): Promise<number> {
  const [{ removed }] = await db.$queryRaw<[{ removed: number }]>`
    WITH gone AS (
      DELETE FROM ${quoted(hours)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${quoted(hours)} h
        WHERE h."sceneId" = ${sceneId}::uuid AND h.hour > ${from} AND h.hour <= ${to}::timestamptz - interval '1 hour'
        LIMIT ${HOURS_AT_ONCE} FOR UPDATE))
      RETURNING rows)
    SELECT coalesce(sum(rows), 0)::int AS removed FROM gone`;
  return removed;
}

/**
 * After `removeHours`: unpacks the hours of a scene that overlap the edges of a range, and the hour after it, whose windows may begin in
 * the range. A row that was written again meanwhile stays. Quarters of an hour are computed anew by the trigger of their minutes, and
 * stay as they are.
 */
export async function unpackEdges(
  db: Db,
  { rows, hours, key, lists }: PackedTable,
  { sceneId, from, to }: PackedRange,
): Promise<void> {
  await db.$executeRaw`
    WITH gone AS (
      DELETE FROM ${quoted(hours)} h
      WHERE h."sceneId" = ${sceneId}::uuid AND h.hour > ${from}::timestamptz - interval '1 hour'
        AND h.hour < ${to}::timestamptz + interval '1 hour'
      RETURNING *)
    INSERT INTO ${quoted(rows.table)} (${names(key)}, ${names(lists)})
    SELECT ${names(key, (name) => `gone."${name}"`)}, u.*
    FROM gone CROSS JOIN LATERAL unnest(${names(lists, (name) => `gone."${name}"`)}) AS u
    ON CONFLICT DO NOTHING`;
}

/**
 * Unpacks every hour of a table, in a partition of its day where the role may make one, for programs that read no packed rows. Programs
 * that pack must be stopped.
 * @param onDay called after each day, with their number
 */
export async function unpackAll(
  db: Db,
  spec: PackedTable,
  onDay: (done: number, days: number) => void,
): Promise<void> {
  const days = await db.$queryRaw<{ day: Date; sceneIds: string[] }[]>`
    SELECT date_bin('1 day', hour, timestamptz '2000-01-01 00:00Z') AS day, array_agg(DISTINCT "sceneId"::text) AS "sceneIds"
    FROM ${quoted(spec.hours)} GROUP BY 1 ORDER BY 1`;
  for (const [at, { day, sceneIds }] of days.entries()) {
    await createPartitions(db, spec.rows, day);
    for (const sceneId of sceneIds)
      await unpackEdges(db, spec, { sceneId, from: day, to: new Date(day.getTime() + DAY_MS - HOUR_MS) });
    onDay(at + 1, days.length);
  }
}

/** Removes hours that ended before a time. */
export const removeOldHours = (db: Db, { hours }: PackedTable, before: Date): Promise<void> =>
  removeOld(db, { table: hours, column: 'hour', before: new Date(before.getTime() - HOUR_MS + 1) });

/** Removes packed minutes before the start of a UTC month, and notes for their scenes that they are gone. Their quarters stay. */
export async function removeOldMinutes(db: Db, before: Date): Promise<void> {
  for (;;) {
    const [{ removed }] = await db.$queryRaw<[{ removed: number }]>`
      WITH gone AS (
        DELETE FROM "MinuteHour" WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM "MinuteHour" WHERE hour < ${before} LIMIT ${HOURS_AT_ONCE} FOR UPDATE))
        RETURNING "sceneId"),
      noted AS (
        UPDATE "SceneTotals" SET "minutesSince" = greatest("minutesSince", ${before})
        WHERE "sceneId" IN (SELECT "sceneId" FROM gone))
      SELECT count(*)::int AS removed FROM gone`;
    if (removed < HOURS_AT_ONCE) return;
  }
}
