import { definedFields, within } from '../../http/fields.ts';
import { type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { removeOld } from '../../platform/database/remove-old.ts';
import { type Event, type EventType, Prisma, type Severity } from '../../platform/prisma-client/client.ts';

/** A new id from the database. The body contains it, so it is needed before the row is written. */
export async function nextEventId(tx: Tx): Promise<string> {
  const [row] = await tx.$queryRaw<[{ id: string }]>`SELECT uuid_v7() AS id`;
  return row.id;
}

/** The user of an event, and what it is about. */
export interface EventHead {
  readonly userId: string;
  /** When it happened: `timestamp` of the body. */
  readonly occurredAt: Date;
  /** Identifies the event, e.g. `analysis_started:<run>`. A second event with the same key is ignored. */
  readonly dedupeKey: string;
  readonly severity?: Severity | null;
  readonly deviceId?: string | null;
  readonly sceneId?: string | null;
  readonly alertEventId?: string | null;
}

interface EventRow extends EventHead {
  readonly id: string;
  readonly type: EventType;
  readonly body: Uint8Array;
}

/**
 * Stores an event and, if the user's webhook subscribes to its type, the first delivery. A trigger gives the event its position in
 * the event stream at commit and notifies readers.
 * @returns false when an event with this dedupeKey exists
 */
export async function insertEvent(tx: Tx, event: EventRow): Promise<boolean> {
  const { id, userId, type, body, occurredAt, dedupeKey } = event;
  const { severity = null, deviceId = null, sceneId = null, alertEventId = null } = event;
  const [row] = await tx.$queryRaw<[{ inserted: boolean }]>`
    WITH e AS (
      INSERT INTO "Event" (id, "userId", type, severity, "deviceId", "sceneId", "alertEventId", body, "dedupeKey",
                           "occurredAt")
      VALUES (${id}::uuid, ${userId}::uuid, ${type}::"EventType", ${severity}::"Severity", ${deviceId}::uuid,
              ${sceneId}::uuid, ${alertEventId}::uuid, ${body}, ${dedupeKey}, ${occurredAt})
      ON CONFLICT ("dedupeKey") DO NOTHING
      RETURNING *),
    d AS (
      INSERT INTO "WebhookDelivery" ("userId", "webhookId", "webhookUrl", "eventId", "alertEventId",
                                     "notificationType", severity, "deviceId", "sceneId", "maxAttempts",
                                     "isFinalAttempt")
      SELECT e."userId", w.id, w.url, e.id, e."alertEventId", e.type, e.severity, e."deviceId", e."sceneId",
             w."maxRetries" + 1, w."maxRetries" = 0
      FROM e JOIN "Webhook" w ON w."userId" = e."userId"
      WHERE w."deletedAt" IS NULL AND w.status = 'enabled'
        AND (coalesce(cardinality(w."subscribedTypes"), 0) = 0 OR e.type = ANY(w."subscribedTypes")))
    SELECT EXISTS (SELECT 1 FROM e) AS inserted`;
  return row.inserted;
}

export interface StreamedEvent {
  /** Position in the event stream. */
  readonly sequence: bigint;
  readonly type: EventType;
  readonly body: Uint8Array;
}

/** Prefix of the `dedupeKey` of a test delivery's event. */
export const TEST_EVENTS = 'webhook_test:';

/** The next events of a user after a position in the event stream, in order, without test deliveries. */
export function eventsAfter(
  db: Db,
  { userId, types, after }: { userId: string; types: readonly EventType[]; after: bigint },
  atMost: number,
): Promise<StreamedEvent[]> {
  return db.event.findMany({
    where: {
      userId,
      sequence: { gt: after },
      type: { in: [...types] },
      NOT: { dedupeKey: { startsWith: TEST_EVENTS } },
    },
    orderBy: { sequence: 'asc' },
    take: atMost,
    select: { sequence: true, type: true, body: true },
  });
}

/** The columns of an event that its list shows. */
const LISTED = {
  ...{ id: true, type: true, severity: true, deviceId: true, sceneId: true },
  ...{ alertEventId: true, body: true, occurredAt: true },
} as const;
export type ListedEvent = Pick<Event, keyof typeof LISTED>;

/** Events of these types, newest first, without test deliveries. */
export function listEvents(
  db: Db,
  userId: string,
  query: PageQuery & {
    readonly types: readonly EventType[];
    readonly deviceId?: string | undefined;
    readonly sceneId?: string | undefined;
    readonly from?: Date | undefined;
    readonly to?: Date | undefined;
  },
): Promise<Page<ListedEvent>> {
  const { types, deviceId, sceneId, from, to } = query;
  const occurredAt = within({ startDate: from, endDate: to });
  const where = {
    userId,
    type: { in: [...types] },
    ...definedFields({ deviceId, sceneId, occurredAt }),
    NOT: { dedupeKey: { startsWith: TEST_EVENTS } },
  };
  return pageOf(
    db.event.findMany({
      where,
      select: LISTED,
      orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
      ...rowsOf(query),
    }),
    db.event.count({ where }),
  );
}

/** The newest position of a user's event stream; 0 when there are no events. */
export async function newestSequence(db: Db, userId: string): Promise<bigint> {
  const newest = await db.event.findFirst({
    where: { userId },
    orderBy: { sequence: 'desc' },
    select: { sequence: true },
  });
  return newest?.sequence ?? 0n;
}

/** Removes events before a time to which no attempt of a webhook belongs. */
export function removeOldEvents(db: Db, before: Date): Promise<void> {
  const only = Prisma.sql`NOT EXISTS (SELECT 1 FROM "WebhookDelivery" d WHERE d."eventId" = t.id)`;
  return removeOld(db, { table: 'Event', before, only });
}
