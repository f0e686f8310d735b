import { definedFields, within } from '../../../http/fields.ts';
import { NEWEST_FIRST, type Page, pageOf, rowsOf } from '../../../http/paging.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db, Tx } from '../../../platform/database/db.ts';
import { daysBefore, removeOld } from '../../../platform/database/remove-old.ts';
import { type Notification, type NotificationKind, Prisma } from '../../../platform/prisma-client/client.ts';
import type { AttemptFilter } from '../../outbox/attempt.ts';
import { withNextAttempts } from '../../outbox/next-attempts.ts';

const SHOWN = {
  omit: { contentEncrypted: true },
  include: { channel: { select: { address: true } } },
} as const;

/** An attempt with the address of its channel. */
export type Delivery = Omit<Notification, 'contentEncrypted'> & {
  readonly channel: { readonly address: string };
  /** When the next attempt of its message is due (this one while it is pending); null when there is none. */
  readonly nextAttemptAt: Date | null;
};
type DeliveryRow = Omit<Delivery, 'nextAttemptAt'>;

export interface DeliveryFilter extends AttemptFilter {
  readonly channelId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly kind?: NotificationKind | undefined;
}

/** A user's attempts, newest first. */
export async function listDeliveries(
  db: Db,
  userId: string,
  filter: DeliveryFilter,
): Promise<Page<Delivery>> {
  const { channelId, subscriptionId, status, kind } = filter;
  const where = {
    userId,
    ...definedFields({ channelId, subscriptionId, status, kind, createdAt: within(filter) }),
  };
  const { items, total } = await pageOf(
    db.notification.findMany({ where, orderBy: NEWEST_FIRST, ...SHOWN, ...rowsOf(filter) }),
    db.notification.count({ where }),
  );
  const waiting = {
    find: (rows: readonly DeliveryRow[]) =>
      db.notification.findMany({
        where: { userId, messageId: { in: rows.map(({ messageId }) => messageId) }, status: 'pending' },
        select: { messageId: true, dueAt: true },
      }),
    seriesOf: ({ messageId }: Pick<DeliveryRow, 'messageId'>) => messageId,
  };
  return { items: await withNextAttempts(items, waiting), total };
}

export async function insertMessage(
  tx: Tx,
  data: Prisma.NotificationUncheckedCreateInput,
): Promise<Delivery> {
  const row = await tx.notification.create({ data, ...SHOWN });
  return { ...row, nextAttemptAt: row.dueAt };
}

/** Ends what waits for a subscription. The process that makes an attempt now stores its result. */
export async function cancelMessages(tx: Tx, subscriptionId: string, why: string): Promise<void> {
  await tx.notification.updateMany({
    where: { subscriptionId, status: 'pending', claimedUntil: null },
    data: { status: 'failed', isFinalAttempt: true, errorMessage: why, contentEncrypted: null },
  });
}

/** Ends the code that waits to be sent: another one replaces it. */
export async function cancelCodes(tx: Tx, channelId: string): Promise<void> {
  await tx.notification.updateMany({
    where: { channelId, kind: 'confirmation', status: 'pending', claimedUntil: null },
    data: {
      ...{ status: 'failed', isFinalAttempt: true, contentEncrypted: null },
      errorMessage: 'Another code was asked for.',
    },
  });
}

const ATTEMPT_DAYS = 30;

/** Removes attempts after 30 days, as those to webhooks, unless they are pending. */
export const removeOldMessages = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> =>
  removeOld(db, {
    table: 'Notification',
    before: daysBefore(clock.now(), ATTEMPT_DAYS),
    only: Prisma.sql`t.status <> 'pending'`,
  });
