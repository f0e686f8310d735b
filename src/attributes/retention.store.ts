import type { Db } from '../platform/database/db.ts';

interface Old {
  readonly before: Date;
  readonly atMost: number;
}

/** @returns how many were removed; as many as `atMost` means that there may be more */
export function removeOldRecords(db: Db, { before, atMost }: Old): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "AttributeRecord"
    WHERE ctid IN (SELECT ctid FROM "AttributeRecord" WHERE "createdAt" < ${before} LIMIT ${atMost})`;
}

/** Which tracks were counted: nobody asks any more once they are gone. @returns as above */
export function removeOldTracks(db: Db, { before, atMost }: Old): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "AttributeTrack"
    WHERE ctid IN (SELECT ctid FROM "AttributeTrack" WHERE "capturedAt" < ${before} LIMIT ${atMost})`;
}

/** @returns as above */
export function removeOldHours(db: Db, { before, atMost }: Old): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "AttributeHour"
    WHERE ctid IN (SELECT ctid FROM "AttributeHour" WHERE hour < ${before} LIMIT ${atMost})`;
}
