import {
  type ChannelKind,
  type NotificationKind,
  Prisma,
  type Severity,
} from '../../../platform/prisma-client/client.ts';
import type { ClaimedAttempt, OutboxTable } from '../../outbox/claim.store.ts';

/** An attempt to send a message over a channel. */
export interface Attempt extends ClaimedAttempt {
  readonly channelId: string;
  readonly channelKind: ChannelKind;
  readonly subscriptionId: string | null;
  readonly messageId: string;
  readonly kind: NotificationKind;
  readonly severity: Severity | null;
  readonly deviceId: string | null;
  readonly alertEventId: string | null;
  readonly eventIds: readonly string[];
  readonly eventCount: number;
  readonly since: Date | null;
  readonly contentEncrypted: string | null;
  /** Of an e-mail. */
  readonly address: string;
  /** Of the code that confirms the address; null when none is awaited. */
  readonly codeHash: Uint8Array | null;
  /** Of a browser. */
  readonly subscriptionEncrypted: string | null;
  readonly locale: string | null;
  readonly obstacle: 'deleted' | 'unconfirmed' | 'confirmed' | 'expired' | 'disabled' | 'unsubscribed' | null;
}

/** The attempts over channels of a kind. @param limitMs of an attempt */
export const messageTable = (kind: ChannelKind, limitMs: number): OutboxTable<Attempt> => ({
  table: Prisma.sql`"Notification"`,
  receiver: Prisma.sql`"channelId"`,
  waiting: Prisma.sql`d.status = 'pending' AND d."channelKind" = ${kind}::"ChannelKind"`,
  health: Prisma.sql`"NotificationChannel" w ON w.id = receivers.id`,
  from: Prisma.sql`"NotificationChannel" c, "User" u`,
  where: Prisma.sql`c.id = d."channelId" AND u.id = d."userId"`,
  columns: (now) => Prisma.sql`
    d."channelId", d."channelKind", d."subscriptionId", d."messageId", d.kind, d.severity, d."deviceId", d."alertEventId",
    coalesce(d."eventIds", '{}')::text[] AS "eventIds", d."eventCount", d.since, d."contentEncrypted",
    c.address, c."codeHash", c."subscriptionEncrypted", u.locale,
    CASE WHEN u."deletedAt" IS NOT NULL THEN 'deleted'
         WHEN d.kind = 'confirmation' THEN CASE WHEN c.status = 'enabled' THEN 'confirmed'
                                               WHEN c."codeExpiresAt" <= ${now} THEN 'expired' END
         WHEN c.status <> 'enabled' THEN c.status::text
         WHEN d."eventCount" > 0 AND NOT EXISTS (
           SELECT 1 FROM "NotificationSubscription" s WHERE s.id = d."subscriptionId" AND s."isEnabled")
         THEN 'unsubscribed' END AS obstacle`,
  limitMs: Prisma.sql`${limitMs}::int`,
  receivers: Prisma.sql`"NotificationChannel"`,
  receiverId: Prisma.sql`"channelId"`,
  responseCode: Prisma.sql`"responseCode"`,
  repeated: Prisma.sql`"channelId", "channelKind", "subscriptionId", "messageId", kind, severity, "deviceId", "sceneId",
    "alertEventId", "eventIds", "eventCount", since, "reportId"`,
  change: ({ contentEncrypted }) => ({
    // Only the attempt that is still to be made has the content.
    made: Prisma.sql`, "contentEncrypted" = NULL`,
    notMade: Prisma.sql`, "contentEncrypted" = NULL`,
    nextColumns: Prisma.sql`, "contentEncrypted"`,
    nextValues: Prisma.sql`, ${contentEncrypted}`,
    only: Prisma.sql`true`,
  }),
});
