import type { Db } from '../../platform/database/db.ts';

/**
 * The time zone in which a user means a date, where a call names none: that of the site, of the device (else of its schedule) or of the
 * scene's device among these ids, else the user's own, else UTC.
 */
export async function findZoneOf(db: Db, userId: string, ids: readonly string[]): Promise<string> {
  const [found] = await db.$queryRaw<{ timezone: string | null }[]>`
    SELECT coalesce(
      (SELECT timezone FROM "Site" WHERE id = ANY(${[...ids]}::uuid[]) AND "userId" = ${userId}::uuid LIMIT 1),
      (SELECT coalesce(d.timezone, d.schedule->>'timezone') FROM "Device" d
       WHERE d."userId" = ${userId}::uuid
         AND (d.id = ANY(${[...ids]}::uuid[])
              OR d.id IN (SELECT s."deviceId" FROM "Scene" s WHERE s.id = ANY(${[...ids]}::uuid[])))
       LIMIT 1),
      (SELECT timezone FROM "User" WHERE id = ${userId}::uuid)) AS timezone`;
  return found?.timezone ?? 'UTC';
}
