import type { Db, Tx } from '../platform/database/db.ts';
import type { Prisma, Severity, VlmError } from '../platform/prisma-client/client.ts';
import type { StructuredResult } from './vlm/answer.ts';

export interface NewInsight {
  readonly alertEventId: string;
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly severity: Severity;
  readonly triggeredAt: Date;
}

/** @returns its id */
export async function insertPending(
  tx: Tx,
  { alertEventId, userId, deviceId, sceneId, severity, triggeredAt }: NewInsight,
  { now, deadlineAt }: { now: Date; deadlineAt: Date },
): Promise<string> {
  const place = { alertEventId, userId, deviceId, sceneId };
  const times = { triggeredAt, vlmDueAt: now, vlmDeadlineAt: deadlineAt };
  const { id } = await tx.insight.create({ data: { ...place, severity, ...times }, select: { id: true } });
  return id;
}

/** An insight that this worker is to describe. */
export interface ClaimedInsight {
  readonly id: string;
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly alertEventId: string;
  readonly triggeredAt: Date;
  readonly deadlineAt: Date;
  /** This try, from 1. A try that a worker died in has the number of the one that takes its place. */
  readonly attempt: number;
}

export interface ClaimLimits {
  readonly now: Date;
  /** So many at once over all workers. */
  readonly concurrency: number;
  /** So many of one user at once. */
  readonly userConcurrency: number;
  /** A worker that has not renewed its claim for so long has died. */
  readonly claimSeconds: number;
}

/**
 * Takes the next insight that is due: of the users with the fewest under way, the oldest, so that nobody's storm holds up
 * another. One claim at a time over all workers: only so the limits hold.
 * @returns null when nothing is due, or the limits are reached
 */
export function claimDue(db: Db, limits: ClaimLimits): Promise<ClaimedInsight | null> {
  const { now, concurrency, userConcurrency, claimSeconds } = limits;
  const until = new Date(now.getTime() + claimSeconds * 1000);
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('describe-insight'))`;
    const [claimed] = await tx.$queryRaw<ClaimedInsight[]>`
      WITH under_way AS (
        SELECT "userId", count(*) AS many FROM "Insight"
        WHERE "vlmStatus" = 'pending' AND "vlmClaimedUntil" > ${now} GROUP BY "userId"),
      next AS (
        SELECT i.id FROM "Insight" i LEFT JOIN under_way u ON u."userId" = i."userId"
        WHERE i."vlmStatus" = 'pending' AND i."vlmDueAt" <= ${now} AND i."vlmDeadlineAt" > ${now}
          AND (i."vlmClaimedUntil" IS NULL OR i."vlmClaimedUntil" <= ${now})
          AND coalesce(u.many, 0) < ${userConcurrency}
          AND (SELECT coalesce(sum(many), 0) FROM under_way) < ${concurrency}
        ORDER BY coalesce(u.many, 0), i."vlmDueAt", i.id LIMIT 1
        FOR NO KEY UPDATE OF i SKIP LOCKED)
      UPDATE "Insight" i
      SET "vlmClaimedUntil" = ${until}, "vlmRequestedAt" = coalesce(i."vlmRequestedAt", ${now})
      FROM next WHERE i.id = next.id
      RETURNING i.id, i."userId", i."deviceId", i."sceneId", i."alertEventId", i."triggeredAt",
                i."vlmDeadlineAt" AS "deadlineAt", (i."vlmAttempts" + 1)::int AS attempt`;
    return claimed ?? null;
  });
}

const MATERIAL = {
  device: { select: { name: true } },
  scene: { select: { name: true } },
  alertEvent: {
    select: {
      message: true,
      metricPath: true,
      operator: true,
      threshold: true,
      actualValue: true,
      facts: true,
      awaitsPictures: true,
      images: {
        where: { kind: { not: 'thumbnail' } },
        orderBy: [{ index: 'asc' }, { kind: 'desc' }],
        select: { objectKey: true, kind: true },
      },
    },
  },
} as const satisfies Prisma.InsightInclude;
export type MaterialRow = Prisma.InsightGetPayload<{ include: typeof MATERIAL }>;

export function readMaterial(db: Db, id: string): Promise<MaterialRow | null> {
  return db.insight.findUnique({ where: { id }, include: MATERIAL });
}

export interface WrittenInsight {
  readonly provider: string;
  readonly model: string | null;
  readonly result: StructuredResult;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** @returns false when the insight is not pending any more, or another worker has made this attempt meanwhile */
async function changeClaimed(
  tx: Tx,
  { id, attempt }: ClaimedInsight,
  data: Prisma.InsightUncheckedUpdateManyInput,
): Promise<boolean> {
  const where = { id, vlmStatus: 'pending', vlmAttempts: attempt - 1 } as const;
  return (await tx.insight.updateMany({ where, data })).count > 0;
}

/** The worker is still working on it. */
export const renewClaim = (db: Db, claimed: ClaimedInsight, until: Date): Promise<boolean> =>
  changeClaimed(db, claimed, { vlmClaimedUntil: until });

/** The worker gives the insight back; the attempt does not count. */
export const releaseClaim = (db: Db, claimed: ClaimedInsight): Promise<boolean> =>
  changeClaimed(db, claimed, { vlmClaimedUntil: null });

/** Tokens of this very try, where somebody else who made it has completed the insight; else 0. */
export async function tokensOfTry(
  tx: Tx,
  { id, attempt }: Pick<ClaimedInsight, 'id' | 'attempt'>,
): Promise<number> {
  const where = { id, vlmStatus: 'completed', vlmAttempts: attempt } as const;
  return (await tx.insight.findFirst({ where, select: { vlmTokensUsed: true } }))?.vlmTokensUsed ?? 0;
}

/** @returns false as `changeClaimed` */
export function completeInsight(
  tx: Tx,
  claimed: ClaimedInsight,
  { written, now }: { written: WrittenInsight; now: Date },
): Promise<boolean> {
  const { provider, model, result, inputTokens, outputTokens } = written;
  return changeClaimed(tx, claimed, {
    vlmStatus: 'completed',
    vlmSummary: result.summary,
    vlmStructuredResult: {
      ...result,
      activities: [...result.activities],
      suggestions: [...result.suggestions],
    },
    riskLevel: result.riskLevel,
    personCount: result.personCount,
    vlmProvider: provider,
    vlmModel: model,
    vlmError: null,
    vlmAttempts: claimed.attempt,
    vlmTokensUsed: inputTokens + outputTokens,
    vlmInputTokensUsed: inputTokens,
    vlmOutputTokensUsed: outputTokens,
    vlmCompletedAt: now,
    vlmClaimedUntil: null,
  });
}

/** An attempt has failed and another follows. @returns false as `changeClaimed` */
export const postponeInsight = (
  tx: Tx,
  claimed: ClaimedInsight,
  { error, dueAt }: { error: VlmError; dueAt: Date },
): Promise<boolean> =>
  changeClaimed(tx, claimed, {
    vlmAttempts: claimed.attempt,
    vlmError: error,
    vlmDueAt: dueAt,
    vlmClaimedUntil: null,
  });

/**
 * An insight without the picture it needs waits until its deadline, unless its alert awaits none any more: then it is due
 * at once. @returns false as `changeClaimed`
 */
export async function awaitPicture(tx: Tx, claimed: ClaimedInsight, now: Date): Promise<boolean> {
  // Whoever adds a picture takes this lock afterwards: either that is seen here, or it wakes the insight.
  await tx.$queryRaw`SELECT 1 FROM "Insight" WHERE id = ${claimed.id}::uuid FOR NO KEY UPDATE`;
  const where = { id: claimed.alertEventId, awaitsPictures: true };
  const vlmDueAt = (await tx.alertEvent.count({ where })) > 0 ? claimed.deadlineAt : now;
  return changeClaimed(tx, claimed, { vlmError: 'SNAPSHOT_MISSING', vlmDueAt, vlmClaimedUntil: null });
}

/** Its pictures have come, or will not come. @returns whether the insight is pending and has waited for it */
export async function wakeInsight(tx: Tx, id: string, now: Date): Promise<boolean> {
  // Somebody may just be deciding that it has to wait.
  await tx.$queryRaw`SELECT 1 FROM "Insight" WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const { count } = await tx.insight.updateMany({
    where: { id, vlmStatus: 'pending', vlmError: 'SNAPSHOT_MISSING' },
    data: { vlmDueAt: now, vlmError: null },
  });
  return count > 0;
}

/** @returns false as `changeClaimed` */
export const failInsight = (
  tx: Tx,
  claimed: ClaimedInsight,
  { error, provider, now }: { error: VlmError; provider: string; now: Date },
): Promise<boolean> =>
  changeClaimed(tx, claimed, {
    vlmStatus: 'failed',
    vlmError: error,
    vlmProvider: provider,
    vlmAttempts: claimed.attempt,
    vlmCompletedAt: now,
    vlmClaimedUntil: null,
  });

/** Insights that are pending beyond their deadline. @returns their ids */
export async function findOverdue(db: Db, { now, atMost }: { now: Date; atMost: number }): Promise<string[]> {
  const where = { vlmStatus: 'pending', vlmDeadlineAt: { lte: now } } as const;
  const rows = await db.insight.findMany({
    where,
    orderBy: { id: 'asc' },
    take: atMost,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** One of them: failed with what went wrong last. @returns none where it is pending no more, or somebody is at it */
export function failOverdue(
  tx: Tx,
  { now, id }: { now: Date; id: string },
): Promise<{ id: string; userId: string; attempt: number }[]> {
  return tx.$queryRaw`
    UPDATE "Insight" SET "vlmStatus" = 'failed', "vlmError" = coalesce("vlmError", 'VLM_TIMEOUT'),
      "vlmCompletedAt" = ${now}, "vlmClaimedUntil" = NULL
    WHERE id IN (
      SELECT id FROM "Insight" WHERE id = ${id}::uuid AND "vlmStatus" = 'pending' AND "vlmDeadlineAt" <= ${now}
      FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, "userId", ("vlmAttempts" + 1)::int AS attempt`;
}
