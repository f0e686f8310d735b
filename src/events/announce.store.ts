import type { Tx } from '../platform/database/db.ts';
import type { Announcement } from '../platform/prisma-client/client.ts';

export interface NewAnnouncement {
  readonly type: 'maintenance_scheduled' | 'system_announcement';
  readonly title: string;
  readonly message: string;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  /** The recipients; an empty list means everybody. */
  readonly userIds: string[];
  readonly createdBy: string;
}

export function insertAnnouncement(tx: Tx, announcement: NewAnnouncement): Promise<Announcement> {
  return tx.announcement.create({ data: announcement });
}

/** The users of the list that exist; all users for an empty list. */
export async function findRecipients(tx: Tx, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx.user.findMany({
    where: { deletedAt: null, ...(userIds.length > 0 && { id: { in: [...userIds] } }) },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ id }) => id);
}
