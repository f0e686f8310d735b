import { requireRoom } from '../../../access/user-cap.ts';
import { definedFields } from '../../../http/fields.ts';
import { NEWEST_FIRST, type Page, type PageQuery, pageOf, rowsOf } from '../../../http/paging.ts';
import type { Db, Tx } from '../../../platform/database/db.ts';
import type {
  ChannelKind,
  ChannelStatus,
  NotificationChannel,
  Prisma,
} from '../../../platform/prisma-client/client.ts';

export type Channel = NotificationChannel;

interface ChannelFilter extends PageQuery {
  readonly kind?: ChannelKind | undefined;
  readonly status?: ChannelStatus | undefined;
}

export function listChannels(db: Db, userId: string, query: ChannelFilter): Promise<Page<Channel>> {
  const where = { userId, ...definedFields({ kind: query.kind, status: query.status }) };
  return pageOf(
    db.notificationChannel.findMany({ where, orderBy: NEWEST_FIRST, ...rowsOf(query) }),
    db.notificationChannel.count({ where }),
  );
}

/** Locks the channel until the end of the transaction. */
export async function lockChannel(
  tx: Tx,
  { userId, id }: { userId: string; id: string },
): Promise<Channel | null> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM "NotificationChannel" WHERE id = ${id}::uuid AND "userId" = ${userId}::uuid FOR NO KEY UPDATE`;
  return rows.length === 0 ? null : tx.notificationChannel.findUnique({ where: { id } });
}

/**
 * @param most channels that a user may have
 * @throws ApiError LIMIT_REACHED, or a unique violation when the user has a channel with this address
 */
export async function insertChannel(
  tx: Tx,
  most: number,
  channel: Prisma.NotificationChannelUncheckedCreateInput,
): Promise<Channel> {
  const { userId } = channel;
  const count = () => tx.notificationChannel.count({ where: { userId } });
  await requireRoom(tx, { userId, what: 'channels', most, count });
  return tx.notificationChannel.create({ data: channel });
}

export type ChannelChange = Pick<
  Prisma.NotificationChannelUncheckedUpdateInput,
  | 'status'
  | 'codeHash'
  | 'codeExpiresAt'
  | 'codeTries'
  | 'confirmedAt'
  | 'disabledAt'
  | 'disabledReason'
  | 'failingSince'
>;

export function updateChannel(tx: Tx, id: string, data: ChannelChange): Promise<Channel> {
  return tx.notificationChannel.update({ where: { id }, data });
}

/** Removes a channel with its subscriptions and the records of its messages. */
export async function removeChannel(tx: Tx, id: string): Promise<void> {
  // First the subscriptions, as where messages are planned.
  await tx.$queryRaw`SELECT 1 FROM "NotificationSubscription" WHERE "channelId" = ${id}::uuid ORDER BY id FOR UPDATE`;
  await tx.notificationChannel.delete({ where: { id } });
}
