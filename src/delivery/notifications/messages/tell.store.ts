import type { Db, Tx } from '../../../platform/database/db.ts';
import type { Schedule } from '../../../platform/jobs/schedule.ts';
import { TEST_EVENTS } from '../../events/event.store.ts';
import { TOLD_KINDS } from '../kinds.ts';
import type { Plan, Subscription, ToldEvent } from './plan-messages.ts';

/** The place in the event stream up to which everything is told. The first migration makes it. */
const POSITION = 'notificationsAfter';

/** Whether the next event behind the position is so old. */
export async function hasNewEvents(db: Db, ageMs: number): Promise<boolean> {
  const [next] = await db.$queryRaw<{ isOld: boolean }[]>`
    SELECT "createdAt" <= clock_timestamp() - make_interval(secs => ${ageMs}::int / 1000.0) AS "isOld"
    FROM "Event" WHERE sequence > (SELECT (value #>> '{}')::bigint FROM "Setting" WHERE key = ${POSITION})
    ORDER BY sequence LIMIT 1`;
  return next?.isOld ?? false;
}

/** Takes the position for this transaction. @returns null while another process has it */
export async function takePosition(tx: Tx): Promise<bigint | null> {
  const [row] = await tx.$queryRaw<{ after: bigint }[]>`
    SELECT (value #>> '{}')::bigint AS after FROM "Setting" WHERE key = ${POSITION} FOR UPDATE SKIP LOCKED`;
  return row?.after ?? null;
}

export async function movePosition(tx: Tx, after: bigint): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Setting" SET value = to_jsonb(${after}::bigint), "updatedAt" = clock_timestamp() WHERE key = ${POSITION}`;
}

export interface NextEvents {
  /** Place of the last event that was read; null when there was none. */
  readonly last: bigint | null;
  readonly count: number;
  /** Those that users may want to be told of: no tests of webhooks, nothing of recordings. */
  readonly told: readonly ToldEvent[];
}

/** Reads the events after a position, in order. */
export async function readEvents(tx: Tx, after: bigint, atMost: number): Promise<NextEvents> {
  const rows = await tx.$queryRaw<(ToldEvent & { sequence: bigint; isTold: boolean })[]>`
    SELECT e.sequence, e.id, e."userId", e.type::text AS kind, e.severity, e."deviceId", e."sceneId", e."alertEventId",
           a."ruleId", e."occurredAt",
           e.type::text = ANY(${[...TOLD_KINDS]}) AND e."dedupeKey" NOT LIKE ${`${TEST_EVENTS}%`}
             AND d.kind IS DISTINCT FROM 'recording' AS "isTold"
    FROM "Event" e
    LEFT JOIN "AlertEvent" a ON a.id = e."alertEventId"
    LEFT JOIN "Device" d ON d.id = e."deviceId"
    WHERE e.sequence > ${after} ORDER BY e.sequence LIMIT ${atMost}::int`;
  return {
    last: rows.at(-1)?.sequence ?? null,
    count: rows.length,
    told: rows.filter(({ isTold }) => isTold),
  };
}

/**
 * The subscriptions of these users whose channel can be used, each locked until the end of the transaction, with the message that
 * takes further events.
 */
export function lockSubscriptions(tx: Tx, userIds: readonly string[]): Promise<Subscription[]> {
  return tx.$queryRaw<(Subscription & { quietHours: Schedule | null })[]>`
    WITH s AS (
      SELECT s.* FROM "NotificationSubscription" s
      JOIN "NotificationChannel" c ON c.id = s."channelId" AND c.status = 'enabled'
      JOIN "User" u ON u.id = s."userId" AND u."deletedAt" IS NULL
      WHERE s."userId" = ANY(${[...userIds]}::uuid[]) AND s."isEnabled"
      ORDER BY s.id FOR NO KEY UPDATE OF s FOR KEY SHARE OF c),
    held AS (
      SELECT n."messageId", n."dueAt", n."eventIds", n."eventCount" FROM "Notification" n
      WHERE n."messageId" IN (SELECT "heldId" FROM s) AND n."attemptNumber" = 1
        AND n.status = 'pending' AND n."claimedUntil" IS NULL
      ORDER BY n."messageId" FOR NO KEY UPDATE)
    SELECT s.id, s."userId", s."channelId", s.kinds::text[] AS kinds, coalesce(s.severities::text[], '{}') AS severities,
           coalesce(s."ruleIds", '{}')::text[] AS "ruleIds", coalesce(s."deviceIds", '{}')::text[] AS "deviceIds",
           coalesce(s."siteIds", '{}')::text[] AS "siteIds",
           ARRAY(SELECT d."deviceId"::text FROM "SiteDevice" d WHERE d."siteId" = ANY(s."siteIds")) AS "siteDeviceIds",
           s."quietHours", s."minDistanceSeconds", s."nextAt",
           CASE WHEN held."messageId" IS NOT NULL THEN jsonb_build_object('messageId', held."messageId",
             'dueAt', to_char(held."dueAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'eventIds', held."eventIds", 'eventCount', held."eventCount") END AS held
    FROM s LEFT JOIN held ON held."messageId" = s."heldId"`.then((rows) =>
    rows.map((row) => ({
      ...row,
      held: row.held && { ...row.held, dueAt: new Date(row.held.dueAt) },
    })),
  );
}

/** Stores a plan: new messages, further events of messages that wait, and the state of subscriptions. */
export async function storePlan(
  tx: Tx,
  { messages, states }: Plan,
  { maxAttempts }: { maxAttempts: number },
): Promise<void> {
  const rows = JSON.stringify(
    messages.map(({ newest, ...message }) => ({
      ...message,
      eventId: newest.id,
      kind: newest.kind,
      severity: newest.severity,
      deviceId: newest.deviceId,
      sceneId: newest.sceneId,
      alertEventId: newest.alertEventId,
    })),
  );
  await tx.$executeRaw`
    WITH m AS (
      SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS m (
        "messageId" uuid, "dueAt" timestamptz, "eventIds" uuid[], "eventCount" int, "subscriptionId" uuid,
        "channelId" uuid, "isStored" boolean, since timestamptz, kind "NotificationKind", severity "Severity",
        "deviceId" uuid, "sceneId" uuid, "alertEventId" uuid)),
    further AS (
      UPDATE "Notification" n
      SET "eventIds" = m."eventIds", "eventCount" = m."eventCount", kind = m.kind, severity = m.severity,
          "deviceId" = m."deviceId", "sceneId" = m."sceneId", "alertEventId" = m."alertEventId"
      FROM m WHERE m."isStored" AND n."messageId" = m."messageId" AND n."attemptNumber" = 1)
    INSERT INTO "Notification" ("userId", "channelId", "channelKind", "subscriptionId", "messageId", kind, severity, "deviceId",
                                "sceneId", "alertEventId", "eventIds", "eventCount", since, "maxAttempts", "dueAt")
    SELECT c."userId", c.id, c.kind, m."subscriptionId", m."messageId", m.kind, m.severity, m."deviceId",
           m."sceneId", m."alertEventId", m."eventIds", m."eventCount", m.since, ${maxAttempts}::int, m."dueAt"
    FROM m JOIN "NotificationChannel" c ON c.id = m."channelId" WHERE NOT m."isStored"`;
  const next = JSON.stringify(states);
  await tx.$executeRaw`
    UPDATE "NotificationSubscription" s SET "nextAt" = n."nextAt", "heldId" = n."heldId"
    FROM jsonb_to_recordset(${next}::jsonb) AS n (id uuid, "nextAt" timestamptz, "heldId" uuid) WHERE s.id = n.id`;
}
