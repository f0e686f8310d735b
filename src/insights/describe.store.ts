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

/** @returns the id of the insight */
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

/** An insight that this program describes now. */
export interface ClaimedInsight {
  readonly id: string;
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly alertEventId: string;
  readonly triggeredAt: Date;
  readonly deadlineAt: Date;
  /** Number of this attempt, from 1. An attempt that was cut off is repeated with the same number. */
  readonly attempt: number;
}

export interface ClaimLimits {
  readonly now: Date;
  /** How many insights may be in progress at once, over all programs. */
  readonly concurrency: number;
  /** How many insights of one user may be in progress at once. */
  readonly userConcurrency: number;
  /** A claim expires after so long without renewal. */
  readonly claimSeconds: number;
}

/**
 * Claims the next insight that is due: the oldest of the users with the fewest insights in progress, so that one user
 * cannot delay the others. A lock makes claims one after the other over all programs; without it the limits would not
 * hold.
 * @returns null when no insight is due, or the limits are reached
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
  user: { select: { timezone: true, locale: true } },
  device: { select: { name: true, timezone: true, schedule: true } },
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
type MaterialRow = Prisma.InsightGetPayload<{ include: typeof MATERIAL }>;

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

/** @returns false when the insight is not pending any more, or another program has made this attempt */
async function changeClaimed(
  tx: Tx,
  { id, attempt }: ClaimedInsight,
  data: Prisma.InsightUncheckedUpdateManyInput,
): Promise<boolean> {
  const where = { id, vlmStatus: 'pending', vlmAttempts: attempt - 1 } as const;
  return (await tx.insight.updateMany({ where, data })).count > 0;
}

/** The program still works on the insight. */
export const renewClaim = (db: Db, claimed: ClaimedInsight, until: Date): Promise<boolean> =>
  changeClaimed(db, claimed, { vlmClaimedUntil: until });

/** Hands the insight back; the attempt does not count. */
export const releaseClaim = (db: Db, claimed: ClaimedInsight): Promise<boolean> =>
  changeClaimed(db, claimed, { vlmClaimedUntil: null });

/** Tokens of this attempt where another program has completed it; else 0. */
export async function tokensOfAttempt(
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
 * The insight waits for its image until its deadline. If no image will come any more, it is due at once.
 * @returns false as `changeClaimed`
 */
export async function awaitImage(tx: Tx, claimed: ClaimedInsight, now: Date): Promise<boolean> {
  // `wakeInsight` takes the same lock after an image was added. So either the image is seen here, or `wakeInsight`
  // makes the insight due.
  await tx.$queryRaw`SELECT 1 FROM "Insight" WHERE id = ${claimed.id}::uuid FOR NO KEY UPDATE`;
  const where = { id: claimed.alertEventId, awaitsPictures: true };
  const vlmDueAt = (await tx.alertEvent.count({ where })) > 0 ? claimed.deadlineAt : now;
  return changeClaimed(tx, claimed, { vlmError: 'SNAPSHOT_MISSING', vlmDueAt, vlmClaimedUntil: null });
}

/** Makes an insight due that waits for images, when they are added or will not come. @returns whether it was waiting */
export async function wakeInsight(tx: Tx, id: string, now: Date): Promise<boolean> {
  // Waits for an `awaitImage` in progress.
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

/** The ids of insights that are pending past their deadline. */
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

/**
 * Fails an overdue insight with the error of its last attempt.
 * @returns an empty list where it is not pending any more or its row is locked
 */
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
