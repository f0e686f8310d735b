import { type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import type { Announcement } from '../../platform/prisma-client/client.ts';

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

const NEWEST_FIRST: { createdAt?: 'desc'; id?: 'desc' }[] = [{ createdAt: 'desc' }, { id: 'desc' }];

/** The announcements to a user that have not ended. */
export function listShownAnnouncements(
  db: Db,
  { userId, now }: { userId: string; now: Date },
  page: PageQuery,
): Promise<Page<Announcement>> {
  const where = {
    endedAt: null,
    AND: [
      { OR: [{ endsAt: null }, { endsAt: { gt: now } }] },
      { OR: [{ userIds: { isEmpty: true } }, { userIds: { has: userId } }] },
    ],
  };
  return pageOf(
    db.announcement.findMany({ where, orderBy: NEWEST_FIRST, ...rowsOf(page) }),
    db.announcement.count({ where }),
  );
}

export function listAnnouncements(db: Db, page: PageQuery): Promise<Page<Announcement>> {
  return pageOf(
    db.announcement.findMany({ orderBy: NEWEST_FIRST, ...rowsOf(page) }),
    db.announcement.count(),
  );
}

/** @returns null when there is no such announcement. One that was ended before keeps its time. */
export async function endAnnouncement(db: Db, id: string, at: Date): Promise<true | null> {
  const { count } = await db.announcement.updateMany({ where: { id, endedAt: null }, data: { endedAt: at } });
  if (count > 0) return true;
  return (await db.announcement.count({ where: { id } })) > 0 ? true : null;
}
