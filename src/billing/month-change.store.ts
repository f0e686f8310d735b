import type { Db, Tx } from '../platform/database/db.ts';
import { inBatches } from '../platform/database/in-batches.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import type { Period } from './period.ts';
import type { QuotaOwner } from './quota.store.ts';

const OWNERS_AT_ONCE = 50;
const NOBODY = '00000000-0000-0000-0000-000000000000';

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
    (atMost, last) => findUnopened(db, period, { scope, after: last?.scopeId ?? NOBODY, atMost }),
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

/** A user's months come in their order, the first being that of the first use or of the user's making. */
const UNFINISHED = Prisma.sql`
  SELECT u.id AS "userId", due.period
  FROM "User" u CROSS JOIN LATERAL (
    SELECT coalesce(
      (SELECT to_char((max(c.period) || '-01')::date + interval '1 month', 'YYYY-MM')
       FROM "BillingCycle" c WHERE c."userId" = u.id),
      least(to_char(u."createdAt" AT TIME ZONE 'UTC', 'YYYY-MM'),
            (SELECT min(q.period) FROM "Quota" q WHERE q."userId" = u.id))) AS period) due
  WHERE u."deletedAt" IS NULL`;

/** Users with a month before `present` that is not finished, without those named. */
export async function findUnfinished(
  db: Db,
  { present, except, atMost }: { present: Period; except: readonly string[]; atMost: number },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ userId: string }[]>`
    ${UNFINISHED} AND due.period < ${present} AND NOT u.id = ANY(${[...except]}::uuid[]) LIMIT ${atMost}`;
  return rows.map(({ userId }) => userId);
}

/**
 * Writes down the totals of the oldest month of a user before `present` that is not finished yet, unless somebody else is at
 * that user: each month once.
 * @returns what was written; `looked` 0: nothing is left to do
 */
export async function finishMonths(
  tx: Tx,
  { present, userId }: { present: Period; userId: string },
): Promise<{ finished: FinishedMonth[]; looked: number }> {
  const due = await tx.$queryRaw<{ userId: string; period: Period }[]>`
    ${UNFINISHED} AND due.period < ${present} AND u.id = ${userId}::uuid FOR NO KEY UPDATE OF u SKIP LOCKED`;
  if (due.length === 0) return { finished: [], looked: 0 };
  const finished = await tx.$queryRaw<FinishedMonth[]>`
    WITH totals AS (
      SELECT d."userId", d.period,
             coalesce(sum(q.used) FILTER (WHERE q.feature = 'analysis'), 0) AS analysis,
             coalesce(sum(q.used) FILTER (WHERE q.feature = 'alert'), 0) AS alert,
             coalesce(sum(q.used) FILTER (WHERE q.feature = 'attribute'), 0) AS attribute,
             coalesce(sum(q.used) FILTER (WHERE q.feature = 'vlm'), 0) AS vlm
      FROM unnest(${due.map(({ userId }) => userId)}::uuid[], ${due.map(({ period }) => period)}::text[])
        d("userId", period)
      LEFT JOIN "Quota" q ON q.scope = 'user' AND q."scopeId" = d."userId" AND q.period = d.period
      GROUP BY 1, 2)
    INSERT INTO "BillingCycle" ("userId", period, "analysisSeconds", "alertCount", "attributeCount", "vlmTokens")
    SELECT * FROM totals
    ON CONFLICT DO NOTHING
    RETURNING "userId", period, "analysisSeconds"::float8 AS analysis, "alertCount"::float8 AS alert,
              "attributeCount"::float8 AS attribute, "vlmTokens"::float8 AS vlm`;
  return { finished, looked: due.length };
}
