import { lockUser } from '../access/user-cap.ts';
import { type Actor, recordAudit, SYSTEM } from '../audit/record-audit.ts';
import { ApiError } from '../http/errors.ts';
import { NEWEST_FIRST, type Page, type PageQuery, pageOf, rowsOf } from '../http/paging.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import type { LastStep } from '../platform/database/last-step.ts';
import { daysBefore, removeOld } from '../platform/database/remove-old.ts';
import { claim } from '../platform/jobs/claim.store.ts';
import { type DataJob, type DataJobKind, Prisma } from '../platform/prisma-client/client.ts';

export type { DataJob };

/** Rows so far, by kind of row. */
export type Counts = Readonly<Record<string, number>>;

export interface NewJob {
  readonly userId: string;
  readonly kind: DataJobKind;
  readonly from: Date;
  readonly to: Date;
  /** Empty: all devices. */
  readonly deviceIds: readonly string[];
  readonly by: Actor;
  readonly now: Date;
}

/** Jobs of a user and kind that wait or run. */
const MOST_OPEN = 5;

const targetOf = ({ id, kind }: Pick<DataJob, 'id' | 'kind'>) => ({ kind, id });

/**
 * Stores a job that waits.
 * @returns null when one of the devices is not the user's @throws ApiError LIMIT_REACHED
 */
export function insertJob(db: Db, job: NewJob, lastStep: LastStep<DataJob>): Promise<DataJob | null> {
  const { userId, kind, from, to, deviceIds, by, now } = job;
  return db.$transaction(async (tx) => {
    await lockUser(tx, userId);
    const own = await tx.device.count({ where: { userId, id: { in: [...deviceIds] }, deletedAt: null } });
    if (own < deviceIds.length) return null;
    const open = await tx.dataJob.count({ where: { userId, kind, status: { in: ['queued', 'running'] } } });
    if (open >= MOST_OPEN) {
      const message = `${open} of your ${kind}s wait or run; the maximum is ${MOST_OPEN}: wait until one is completed`;
      throw new ApiError('LIMIT_REACHED', message);
    }
    const row = await tx.dataJob.create({
      data: { userId, kind, rangeFrom: from, rangeTo: to, deviceIds: [...deviceIds], createdAt: now },
    });
    const details = { from: from.toISOString(), to: to.toISOString(), deviceIds };
    const action = kind === 'export' ? 'export_requested' : 'erasure_requested';
    await recordAudit(tx, { userId, actor: by, action, target: targetOf(row), details, at: now });
    await lastStep(tx, row);
    return row;
  });
}

export interface OwnJob {
  readonly userId: string;
  readonly kind: DataJobKind;
  readonly id: string;
}

export const findJob = (db: Tx, own: OwnJob): Promise<DataJob | null> =>
  db.dataJob.findFirst({ where: { ...own } });

export function listJobs(
  db: Db,
  { userId, kind, ...page }: Pick<OwnJob, 'kind' | 'userId'> & PageQuery,
): Promise<Page<DataJob>> {
  const where = { userId, kind };
  return pageOf(
    db.dataJob.findMany({ where, orderBy: NEWEST_FIRST, ...rowsOf(page) }),
    db.dataJob.count({ where }),
  );
}

/**
 * Cancels a job that waits; an export also while it runs.
 * @returns the job as it is then; null when there is none
 */
export function cancelJob(
  db: Db,
  own: OwnJob,
  { by, now }: { by: Actor; now: Date },
): Promise<DataJob | null> {
  const { userId, id, kind } = own;
  return db.$transaction(async (tx) => {
    const statuses = kind === 'export' ? (['queued', 'running'] as const) : (['queued'] as const);
    const { count } = await tx.dataJob.updateMany({
      // An erasure that has begun and waits for its next try is not whole any more.
      where: { ...own, status: { in: [...statuses] }, ...(kind === 'erasure' && { startedAt: null }) },
      data: { status: 'cancelled', completedAt: now, holder: null, claimedUntil: null },
    });
    const action = kind === 'export' ? 'export_cancelled' : 'erasure_cancelled';
    if (count > 0) await recordAudit(tx, { userId, actor: by, action, target: { kind, id }, at: now });
    return findJob(tx, own);
  });
}

/** The right of one process to work on a job. */
export interface Claim {
  readonly id: string;
  readonly holder: string;
}

/** A claimed job. */
export interface ClaimedJob {
  readonly job: DataJob;
  /** The process that worked on it before has died. */
  readonly wasLost: boolean;
}

/**
 * Claims a job that is due, or whose process has died. Of a user one job runs at a time.
 * @returns null when there is none
 */
export async function claimJob(db: Db, holder: string, leaseSeconds: number): Promise<ClaimedJob | null> {
  const [claimed] = await claim<{ id: string; wasLost: boolean }>(db, {
    table: 'DataJob',
    due: Prisma.sql`w.status IN ('queued', 'running') AND w."dueAt" <= clock_timestamp()
      AND (w."claimedUntil" IS NULL OR w."claimedUntil" < clock_timestamp())
      AND NOT EXISTS (
        SELECT 1 FROM "DataJob" o WHERE o."userId" = w."userId" AND o.id <> w.id AND o.status = 'running'
          AND o."claimedUntil" >= clock_timestamp())`,
    order: Prisma.sql`w."dueAt", w.id`,
    limit: 1,
    set: Prisma.sql`status = 'running', holder = ${holder}::uuid, "startedAt" = coalesce(w."startedAt", clock_timestamp()),
      "claimedUntil" = clock_timestamp() + make_interval(secs => ${leaseSeconds}), attempts = w.attempts + 1`,
    // As it was before: the claim locks the row, and this copy is read from the same snapshot.
    from: { table: Prisma.sql`"DataJob" before`, on: Prisma.sql`before.id = w.id` },
    returning: Prisma.sql`w.id, before.status = 'running' AS "wasLost"`,
  });
  const job = claimed && (await db.dataJob.findUnique({ where: { id: claimed.id } }));
  return job ? { job, wasLost: claimed.wasLost } : null;
}

/** Prolongs the claim and stores the progress. @returns false when the job is cancelled, gone or held by another process */
export async function renewJob(
  db: Db,
  { id, holder }: Claim,
  {
    leaseSeconds,
    progressPercent,
    counts,
  }: { leaseSeconds: number; progressPercent: number; counts: Counts },
): Promise<boolean> {
  const renewed = await db.$executeRaw`
    UPDATE "DataJob"
    SET "claimedUntil" = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
        "progressPercent" = ${progressPercent}, counts = ${JSON.stringify(counts)}::jsonb
    WHERE id = ${id}::uuid AND holder = ${holder}::uuid AND status = 'running'`;
  return renewed > 0;
}

/** Stores that visits of a scene are about to be erased. */
export async function noteScene(db: Db, { id }: Claim, sceneId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "DataJob" SET "sceneIds" = array_append("sceneIds", ${sceneId}::uuid)
    WHERE id = ${id}::uuid AND NOT ${sceneId}::uuid = ANY("sceneIds")`;
}

export async function notedScenes(db: Db, { id }: Claim): Promise<string[]> {
  return (await db.dataJob.findUnique({ where: { id }, select: { sceneIds: true } }))?.sceneIds ?? [];
}

/** Of a finished export. */
export interface ExportFile {
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly expiresAt: Date;
}

/** @returns false when the job is cancelled, gone or held by another process: then its file belongs to nobody */
export function completeJob(
  db: Db,
  { id, holder }: Claim,
  { now, counts, file }: { now: Date; counts: Counts; file?: ExportFile | undefined },
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const [done] = await tx.dataJob.updateManyAndReturn({
      where: { id, holder, status: 'running' },
      data: {
        ...{ status: 'completed', progressPercent: 100, completedAt: now, holder: null, claimedUntil: null },
        ...{ counts, errorMessage: null },
        ...file,
      },
    });
    if (!done) return false;
    const { kind, userId } = done;
    const action = kind === 'export' ? 'export_completed' : 'erasure_completed';
    const target = targetOf(done);
    await recordAudit(tx, { userId, actor: SYSTEM, action, target, details: counts, at: now });
    return true;
  });
}

/** Lets a job wait for its next try, or fail. */
export async function giveJobBack(
  db: Db,
  { id, holder }: Claim,
  { errorMessage, waitSeconds, now }: { errorMessage: string | null; waitSeconds: number | null; now: Date },
): Promise<void> {
  const isOver = waitSeconds === null;
  await db.$executeRaw`
    UPDATE "DataJob"
    SET status = ${isOver ? 'failed' : 'queued'}::"DataJobStatus", holder = NULL, "claimedUntil" = NULL,
        "errorMessage" = ${errorMessage}, "dueAt" = clock_timestamp() + make_interval(secs => ${waitSeconds ?? 0}),
        "completedAt" = ${isOver ? now : null}
    WHERE id = ${id}::uuid AND holder = ${holder}::uuid AND status = 'running'`;
}

/** Exports whose file has expired, at most `atMost`. */
export const expiredFiles = (
  db: Db,
  now: Date,
  atMost: number,
): Promise<{ id: string; objectKey: string | null }[]> =>
  db.dataJob.findMany({
    where: { objectKey: { not: null }, expiresAt: { lte: now } },
    select: { id: true, objectKey: true },
    take: atMost,
  });

/** The files are removed. */
export async function forgetFiles(db: Db, ids: readonly string[]): Promise<void> {
  await db.dataJob.updateMany({ where: { id: { in: [...ids] } }, data: { objectKey: null } });
}

/** Cancels exports that would hold what is erased. @returns those with a file, which is to be removed */
export async function revokeExports(
  db: Db,
  { userId, rangeFrom, rangeTo, deviceIds }: Pick<DataJob, 'deviceIds' | 'rangeFrom' | 'rangeTo' | 'userId'>,
  now: Date,
): Promise<{ id: string; objectKey: string | null }[]> {
  const overlapping = {
    userId,
    kind: 'export' as const,
    rangeFrom: { lt: rangeTo },
    rangeTo: { gt: rangeFrom },
    ...(deviceIds.length > 0 && {
      OR: [{ deviceIds: { isEmpty: true } }, { deviceIds: { hasSome: [...deviceIds] } }],
    }),
  };
  await db.$transaction(async (tx) => {
    const revoked = await tx.dataJob.updateManyAndReturn({
      where: { ...overlapping, status: { in: ['queued', 'running'] } },
      data: { status: 'cancelled', completedAt: now, holder: null, claimedUntil: null },
    });
    for (const { id } of revoked) {
      const target = { kind: 'export', id };
      await recordAudit(tx, { userId, actor: SYSTEM, action: 'export_cancelled', target, at: now });
    }
  });
  return db.dataJob.findMany({
    where: { ...overlapping, objectKey: { not: null } },
    select: { id: true, objectKey: true },
  });
}

/** Those of the keys that belong to an export. */
export async function knownFiles(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.dataJob.findMany({
    where: { objectKey: { in: [...keys] } },
    select: { objectKey: true },
  });
  return new Set(rows.flatMap(({ objectKey }) => objectKey ?? []));
}

/** Jobs are listed so long after their end, as long as the audit log has them. */
const KEPT_DAYS = 365;

export const removeOldJobs = (db: Db, now: Date): Promise<void> =>
  removeOld(db, {
    table: 'DataJob',
    column: 'completedAt',
    before: daysBefore(now, KEPT_DAYS),
    only: WITHOUT_FILE,
  });

const WITHOUT_FILE = Prisma.sql`t."objectKey" IS NULL`;
