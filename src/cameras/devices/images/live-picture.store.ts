import { type Db, queryRows } from '../../../platform/database/db.ts';
import { CHANNELS } from '../../../platform/database/notify.ts';
import { Prisma } from '../../../platform/prisma-client/client.ts';
import { isAnalysed } from '../streamed-devices.store.ts';

/** The largest pictures, and the most of them in a second, that the watchers of a device ask for. */
export interface LiveWish {
  /** Pixels. */
  readonly width: number;
  readonly fps: number;
  /** A check also wants the picture in which people are not hidden. Watchers never get that one. */
  readonly showsPeople?: boolean;
}

export interface DeviceWish extends LiveWish {
  readonly deviceId: string;
}

/** An API process renews its wishes after this time. */
export const RENEW_WISHES_MS = 5_000;
/** A wish that was not renewed for this time counts no longer: one failed renewal changes nothing. */
const WISH_SECONDS = 12;

/**
 * Stores for which devices this process wants live pictures, and notifies the nodes.
 * @returns those that are analysed; the others have no wish
 */
export async function renewWishes(
  db: Db,
  processId: string,
  wishes: readonly DeviceWish[],
): Promise<ReadonlySet<string>> {
  if (wishes.length === 0) return new Set();
  const rows = await db.$queryRaw<{ deviceId: string }[]>`
    WITH wish AS (
      SELECT w.* FROM jsonb_to_recordset(${JSON.stringify(wishes)}::jsonb) AS w("deviceId" uuid, width int, fps int, "showsPeople" boolean)
      JOIN "Device" d ON d.id = w."deviceId" AND d."deletedAt" IS NULL
      WHERE ${isAnalysed(Prisma.sql`d.id`)}),
    stored AS (
      INSERT INTO "LiveWish" ("deviceId", "processId", width, fps, "wantedUntil", "showsPeople")
      SELECT "deviceId", ${processId}::uuid, width, fps, clock_timestamp() + make_interval(secs => ${WISH_SECONDS}),
             coalesce("showsPeople", false)
      FROM wish ORDER BY "deviceId"
      ON CONFLICT ("deviceId", "processId") DO UPDATE
      SET width = excluded.width, fps = excluded.fps, "wantedUntil" = excluded."wantedUntil"
      RETURNING "deviceId")
    SELECT "deviceId", pg_notify(${CHANNELS.liveWishes}, "deviceId"::text)::text FROM stored`;
  return new Set(rows.map(({ deviceId }) => deviceId));
}

/** This process wants no pictures of the device any more. */
export async function removeWish(db: Db, processId: string, deviceId: string): Promise<void> {
  await db.$queryRaw`
    WITH gone AS (
      DELETE FROM "LiveWish" WHERE "deviceId" = ${deviceId}::uuid AND "processId" = ${processId}::uuid
      RETURNING "deviceId")
    SELECT pg_notify(${CHANNELS.liveWishes}, "deviceId"::text)::text FROM gone`;
}

/** @returns the wish of all processes together and how long it counts; null when nobody wants pictures */
export async function findWish(db: Db, deviceId: string): Promise<(LiveWish & { forMs: number }) | null> {
  const [row] = await db.$queryRaw<(LiveWish & { forMs: number })[]>`
    SELECT max(width) AS width, max(fps) AS fps, bool_or("showsPeople") AS "showsPeople",
           extract(epoch FROM max("wantedUntil") - clock_timestamp())::float8 * 1000 AS "forMs"
    FROM "LiveWish" WHERE "deviceId" = ${deviceId}::uuid AND "wantedUntil" > clock_timestamp()
    HAVING count(*) > 0`;
  return row ?? null;
}

/** A live picture as it is stored. */
export interface StoredPicture {
  readonly capturedAtMs: number;
  /** See `CameraStats` of the lanes' `LivePictureMessage`: the people of this frame, as JSON in one line of ASCII. */
  readonly tracks: string;
  /** The staff of this frame, likewise; null where there is none. */
  readonly staff?: string | null;
  /** The counts of each scene after this frame, likewise. */
  readonly counts?: string | null;
  /** The node sends a picture only every few seconds. */
  readonly isStill: boolean;
  readonly jpeg: Uint8Array;
}

/** A picture on its way into the table. */
interface NewPicture extends StoredPicture {
  /** See `LivePictureMessage`. */
  readonly shown?: Uint8Array;
  readonly privacyRevision: number;
}

/** Bytes of a row; four versions of it fit into a page of the table. */
const PART_BYTES = 1_900;

/**
 * Replaces the picture of a device unless that is newer, and notifies the API processes.
 * @param picture one that was made for former masks of the device is not stored
 */
export async function storePicture(db: Db, deviceId: string, picture: NewPicture): Promise<void> {
  const { capturedAtMs, tracks, staff, counts, isStill, jpeg, shown, privacyRevision } = picture;
  const partBytes = shown ? PART_BYTES / 2 : PART_BYTES;
  const parts = Math.ceil(Math.max(jpeg.length, shown?.length ?? 0, 1) / partBytes);
  // Plain SQL: this is the most frequent write of a node with watchers.
  await queryRows(
    db,
    `WITH stored AS (
       INSERT INTO "LivePicture" ("deviceId", part, "capturedAt", "isStill", tracks, staff, counts, bytes, shown)
       SELECT $1::uuid, n, to_timestamp($2::float8 / 1000), $3, CASE WHEN n = 0 THEN $4 END, CASE WHEN n = 0 THEN $7 END,
              CASE WHEN n = 0 THEN $8 END,
              substr($5::bytea, n * $10::int + 1, $10::int), substr($9::bytea, n * $10::int + 1, $10::int)
       FROM generate_series(0, $11::int - 1) AS n
       WHERE EXISTS (SELECT 1 FROM "Device" WHERE id = $1::uuid AND "privacyRevision" = $6)
       ON CONFLICT ("deviceId", part) DO UPDATE
       SET "capturedAt" = excluded."capturedAt", "isStill" = excluded."isStill", tracks = excluded.tracks,
           staff = excluded.staff, counts = excluded.counts, bytes = excluded.bytes,
           shown = excluded.shown
       WHERE "LivePicture"."capturedAt" <= excluded."capturedAt"
       RETURNING part)
     SELECT pg_notify('${CHANNELS.livePictures}', $1::text) FROM stored WHERE part = 0`,
    [
      ...[deviceId, capturedAtMs, isStill, tracks, jpeg, privacyRevision, staff ?? null, counts ?? null],
      ...[shown ?? null, partBytes, parts],
    ],
  );
}

/**
 * @param showsPeople also people whom the account hides: for a check that may
 * @returns the newest picture of a device; null without any, or where people are hidden in it who are wanted
 */
export async function findPicture(
  db: Db,
  deviceId: string,
  showsPeople = false,
): Promise<StoredPicture | null> {
  // A picture that hides nobody is not stored twice.
  const column = showsPeople ? `CASE WHEN f.shown = '' THEN p.bytes ELSE p.shown END` : 'p.bytes';
  // Rows of a longer, older picture may follow: their time differs.
  const [row] = await queryRows<StoredPicture>(
    db,
    `SELECT extract(epoch FROM f."capturedAt")::float8 * 1000 AS "capturedAtMs", f."isStill", f.tracks, f.staff, f.counts,
            string_agg(${column}, ''::bytea ORDER BY p.part) AS jpeg
     FROM "LivePicture" f
     JOIN "LivePicture" p ON p."deviceId" = f."deviceId" AND p."capturedAt" = f."capturedAt"
     WHERE f."deviceId" = $1 AND f.part = 0${showsPeople ? ' AND f.shown IS NOT NULL' : ''}
     GROUP BY f."capturedAt", f."isStill", f.tracks, f.staff, f.counts`,
    [deviceId],
  );
  return row ?? null;
}

/** Removes lapsed wishes, pictures that nobody watches any more, and those that show hidden people whom no check wants. */
export async function removeOldPictures({ db }: { readonly db: Db }): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "LiveWish" WHERE "wantedUntil" < clock_timestamp() - make_interval(secs => ${WISH_SECONDS})`;
  await db.$executeRaw`
    DELETE FROM "LivePicture" p
    WHERE NOT EXISTS (SELECT 1 FROM "LiveWish" w
                      WHERE w."deviceId" = p."deviceId" AND (w."showsPeople" OR p.shown IS NULL))`;
}
