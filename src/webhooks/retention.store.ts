import type { Db } from '../platform/database/db.ts';

interface Old {
  readonly before: Date;
  readonly atMost: number;
}

/** Removes attempts made, or given up, before a time. @returns how many */
export function removeOldAttempts(db: Db, { before, atMost }: Old): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "WebhookDelivery" WHERE id IN (
      SELECT id FROM "WebhookDelivery" WHERE "createdAt" < ${before} AND status <> 'pending'
      LIMIT ${atMost} FOR UPDATE SKIP LOCKED)`;
}

/** Removes events of before a time that no attempt is about any more. @returns how many */
export function removeOldEvents(db: Db, { before, atMost }: Old): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "Event" WHERE id IN (
      SELECT id FROM "Event" e WHERE "createdAt" < ${before}
        AND NOT EXISTS (SELECT 1 FROM "WebhookDelivery" d WHERE d."eventId" = e.id)
      LIMIT ${atMost} FOR UPDATE SKIP LOCKED)`;
}
