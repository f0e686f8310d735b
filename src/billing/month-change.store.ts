import type { Db, Tx } from '../platform/database/db.ts';
import { inBatches } from '../platform/database/in-batches.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import type { Period } from './period.ts';
import type { QuotaOwner } from './quota.store.ts';

const OWNERS_AT_ONCE = 50;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export interface UnopenedQuota extends QuotaOwner {
  readonly userId: string;
}

/** Users, or devices with limits of their own, whose month is not open yet. */
export const everyUnopened = (
  db: Db,
  period: Period,
  scope: 'user' | 'device',
): AsyncGenerator<UnopenedQuota> =>
  inBatches<UnopenedQuota>(
    (atMost, last) => findUnopened(db, period, { scope, after: last?.scopeId ?? FIRST_ID, atMost }),
    OWNERS_AT_ONCE,
  );

function findUnopened(
  db: Db,
  period: Period,
  { scope, after, atMost }: { scope: 'user' | 'device'; after: string; atMost: number },
): Promise<UnopenedQuota[]> {
  if (scope === 'device') {
    return db.$queryRaw`
      SELECT DISTINCT 'device' AS scope, b."scopeId", b."userId"
      FROM "QuotaBase" b JOIN "Device" d ON d.id = b."scopeId" AND d."deletedAt" IS NULL
      WHERE b.scope = 'device' AND b."scopeId" > ${after}::uuid
        AND NOT EXISTS (
          SELECT 1 FROM "Quota" q
          WHERE q.scope = 'device' AND q."scopeId" = b."scopeId" AND q.period = ${period} AND q.feature = b.feature)
      ORDER BY b."scopeId" LIMIT ${atMost}`;
  }
  return db.$queryRaw`
    SELECT 'user' AS scope, u.id AS "scopeId", u.id AS "userId"
    FROM "User" u
    WHERE u."deletedAt" IS NULL AND u.id > ${after}::uuid
      AND (SELECT count(*) FROM "Quota" q
           WHERE q.scope = 'user' AND q."scopeId" = u.id AND q.period = ${period}) < 4
    ORDER BY u.id LIMIT ${atMost}`;
}

export interface FinishedMonth {
  readonly userId: string;
  readonly period: Period;
  readonly analysis: number;
  readonly alert: number;
  readonly attribute: number;
  readonly vlm: number;
}

/**
 * The next month to finish of each user. The first one is the month of the first usage or of the creation of the user.
 */
const UNFINISHED = Prisma.sql`
  SELECT u.id AS "userId", due.period
  FROM "User" u CROSS JOIN LATERAL (
    SELECT coalesce(
      (SELECT to_char((max(c.period) || '-01')::date + interval '1 month', 'YYYY-MM')
       FROM "BillingCycle" c WHERE c."userId" = u.id),
      least(to_char(u."createdAt" AT TIME ZONE 'UTC', 'YYYY-MM'),
            (SELECT min(q.period) FROM "Quota" q WHERE q."userId" = u.id))) AS period) due
  WHERE u."deletedAt" IS NULL`;

/** Users with an unfinished month before `present`, except those in `except`. */
export async function findUnfinished(
  db: Db,
  { present, except, atMost }: { present: Period; except: readonly string[]; atMost: number },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ userId: string }[]>`
    ${UNFINISHED} AND due.period < ${present} AND NOT u.id = ANY(${[...except]}::uuid[]) LIMIT ${atMost}`;
  return rows.map(({ userId }) => userId);
}

/**
 * Stores the totals of the oldest unfinished month of a user before `present`, unless another program does it at the
 * same time. Each month is stored once.
 * @returns the stored month; null when nothing is due
 */
export async function finishOldestMonth(
  tx: Tx,
  { present, userId }: { present: Period; userId: string },
): Promise<FinishedMonth[] | null> {
  const [due] = await tx.$queryRaw<{ period: Period }[]>`
    ${UNFINISHED} AND due.period < ${present} AND u.id = ${userId}::uuid FOR NO KEY UPDATE OF u SKIP LOCKED`;
  if (!due) return null;
  return tx.$queryRaw<FinishedMonth[]>`
    INSERT INTO "BillingCycle" ("userId", period, "analysisSeconds", "alertCount", "attributeCount", "vlmTokens")
    SELECT ${userId}::uuid, ${due.period}::text,
           coalesce(sum(used) FILTER (WHERE feature = 'analysis'), 0),
           coalesce(sum(used) FILTER (WHERE feature = 'alert'), 0),
           coalesce(sum(used) FILTER (WHERE feature = 'attribute'), 0),
           coalesce(sum(used) FILTER (WHERE feature = 'vlm'), 0)
    FROM "Quota" WHERE scope = 'user' AND "scopeId" = ${userId}::uuid AND period = ${due.period}
    ON CONFLICT DO NOTHING
    RETURNING "userId", period, "analysisSeconds"::float8 AS analysis, "alertCount"::float8 AS alert,
              "attributeCount"::float8 AS attribute, "vlmTokens"::float8 AS vlm`;
}
