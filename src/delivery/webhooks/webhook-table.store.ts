import { type EventType, Prisma } from '../../platform/prisma-client/client.ts';
import type { ClaimedAttempt, OutboxTable } from '../outbox/claim.store.ts';

/** An attempt to send an event to a webhook. */
export interface Attempt extends ClaimedAttempt {
  readonly eventId: string;
  readonly eventType: EventType;
  /** The alert event that the event is about; null of other events. */
  readonly alertEventId: string | null;
  readonly body: Uint8Array;
  readonly url: string;
  readonly timeoutMs: number;
  readonly secretEncrypted: string;
  readonly previousSecretEncrypted: string | null;
  readonly previousSecretValidUntil: Date | null;
  readonly obstacle: 'deleted' | 'disabled' | null;
}

/** The attempts to webhooks. A user has one webhook. */
export const WEBHOOK_TABLE: OutboxTable<Attempt> = {
  table: Prisma.sql`"WebhookDelivery"`,
  receiver: Prisma.sql`"userId"`,
  waiting: Prisma.sql`d.status = 'pending'`,
  health: Prisma.sql`"Webhook" w ON w."userId" = receivers.id AND w."deletedAt" IS NULL`,
  from: Prisma.sql`"Webhook" w, "User" u, "Event" e`,
  where: Prisma.sql`w.id = d."webhookId" AND u.id = d."userId" AND e.id = d."eventId"`,
  columns: () => Prisma.sql`
    d."eventId", d."notificationType" AS "eventType", d."alertEventId", e.body, w.url, w."timeoutMs", w."secretEncrypted",
    w."previousSecretEncrypted", w."previousSecretValidUntil",
    CASE WHEN w."deletedAt" IS NOT NULL OR u."deletedAt" IS NOT NULL THEN 'deleted'
         WHEN w.status = 'disabled' THEN 'disabled' END AS obstacle`,
  limitMs: Prisma.sql`w."timeoutMs"`,
  receivers: Prisma.sql`"Webhook"`,
  receiverId: Prisma.sql`"webhookId"`,
  responseCode: Prisma.sql`"httpStatusCode"`,
  repeated: Prisma.sql`"webhookId", "webhookUrl", "eventId", "alertEventId", "notificationType", severity, "deviceId", "sceneId",
    series, "isTest"`,
  change: ({ url }) => ({
    made: Prisma.sql`, "webhookUrl" = ${url}`,
    notMade: Prisma.empty,
    nextColumns: Prisma.empty,
    nextValues: Prisma.empty,
    // What the attempt says about another address does not count.
    only: Prisma.sql`w.url = ${url}`,
  }),
};
