import type { Db } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';

/** @returns how many rows were removed; as many as `atMost` means that there may be more */
export function removeOldRecords(
  db: Db,
  table: 'MetricSnapshot' | 'RollingRecord',
  { before, atMost }: { before: Date; atMost: number },
): Promise<number> {
  const name = Prisma.raw(`"${table}"`);
  return db.$executeRaw`
    DELETE FROM ${name} WHERE ctid IN (SELECT ctid FROM ${name} WHERE "createdAt" < ${before} LIMIT ${atMost})`;
}
