import type { Db } from '../platform/database/db.ts';
import { Prisma, type Recording } from '../platform/prisma-client/client.ts';
import type { Range } from './ranged-rows.store.ts';

/** The recordings whose time overlaps a range. @param range.deviceIds hidden devices of recordings; empty: all */
export function overlappingRecordings(
  db: Db,
  { userId, deviceIds, from, to }: Range & { userId: string; deviceIds: readonly string[] },
): Promise<Pick<Recording, 'format' | 'id' | 'name' | 'objectKey' | 'recordedAt'>[]> {
  const ofDevices =
    deviceIds.length === 0 ? Prisma.sql`true` : Prisma.sql`r."deviceId" = ANY(${[...deviceIds]}::uuid[])`;
  return db.$queryRaw`
    SELECT r.id, r.name, r.format, r."objectKey", r."recordedAt" FROM "Recording" r
    WHERE r."userId" = ${userId}::uuid AND r."deletedAt" IS NULL AND ${ofDevices} AND r."recordedAt" < ${to}
      AND r."recordedAt" + make_interval(secs => r."durationMs" / 1000.0) > ${from}
    ORDER BY r.id`;
}
