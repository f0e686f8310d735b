import { within } from '../http/fields.ts';
import { type Page, type PageQuery, rowsOf } from '../http/paging.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import type { AnalysisTask, Prisma, TaskStatus } from '../platform/prisma-client/client.ts';
import { showNewestRun } from './run-state.store.ts';

interface HistoryQuery extends PageQuery {
  readonly status?: TaskStatus | undefined;
  readonly startedAfter?: Date | undefined;
  readonly startedBefore?: Date | undefined;
}

interface TasksQuery extends PageQuery {
  /** A part of the name of the scene or of the device, or of the error message. */
  readonly q?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly status?: Lowercase<TaskStatus> | undefined;
  readonly analysisType?: 'queue_analysis' | undefined;
  readonly sortBy: 'createdAt' | 'startedAt' | 'completedAt' | 'status' | 'priority';
  readonly sortOrder: 'ASC' | 'DESC';
}

const visible = (userId: string) => ({ userId, deletedAt: null });

async function pageOfTasks(
  db: Db,
  page: PageQuery,
  query: { where: Prisma.AnalysisTaskWhereInput; orderBy: Prisma.AnalysisTaskOrderByWithRelationInput[] },
): Promise<Page<AnalysisTask>> {
  const [items, total] = await Promise.all([
    db.analysisTask.findMany({ ...query, ...rowsOf(page) }),
    db.analysisTask.count({ where: query.where }),
  ]);
  return { items, total };
}

/** The runs of a device, newest first. */
export function listHistory(
  db: Db,
  { userId, deviceId }: { userId: string; deviceId: string },
  query: HistoryQuery,
): Promise<Page<AnalysisTask>> {
  const startedAt = within({ startDate: query.startedAfter, endDate: query.startedBefore });
  const where = {
    ...visible(userId),
    deviceId,
    ...(query.status && { status: query.status }),
    ...(startedAt && { startedAt }),
  };
  return pageOfTasks(db, query, { where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
}

/** Tasks of all users that wait for a node, and that one works on. */
export async function countOpenTasks(db: Db): Promise<{ queued: number; processing: number }> {
  const [queued, processing] = await Promise.all([
    db.analysisTask.count({ where: { status: 'QUEUED' } }),
    db.analysisTask.count({ where: { status: 'PROCESSING' } }),
  ]);
  return { queued, processing };
}

const MAY_BE_NULL = new Set(['startedAt', 'completedAt']);

export function listTasks(db: Db, userId: string, query: TasksQuery): Promise<Page<AnalysisTask>> {
  const contains = query.q ? { contains: query.q, mode: 'insensitive' as const } : undefined;
  const sort = query.sortOrder === 'ASC' ? ('asc' as const) : ('desc' as const);
  const where: Prisma.AnalysisTaskWhereInput = {
    ...visible(userId),
    ...(query.deviceId && { deviceId: query.deviceId }),
    ...(query.status && { status: query.status.toUpperCase() as TaskStatus }),
    ...(query.analysisType && { analysisType: query.analysisType }),
    ...(contains && {
      OR: [{ scene: { name: contains } }, { device: { name: contains } }, { errorMessage: contains }],
    }),
  };
  const by = MAY_BE_NULL.has(query.sortBy) ? { sort, nulls: 'last' as const } : sort;
  return pageOfTasks(db, query, { where, orderBy: [{ [query.sortBy]: by }, { id: sort }] });
}

export function findTask(db: Db, userId: string, id: string): Promise<AnalysisTask | null> {
  return db.analysisTask.findFirst({ where: { ...visible(userId), id } });
}

export type NamedRun = AnalysisTask & { readonly scene: { readonly name: string } };

/** Runs with the names of their scenes, whosoever they are. */
export function runsByName(tx: Tx, ids: readonly string[]): Promise<NamedRun[]> {
  return tx.analysisTask.findMany({
    where: { id: { in: [...ids] } },
    include: { scene: { select: { name: true } } },
    orderBy: { id: 'asc' },
  });
}

/** Tasks per status; a status without tasks is missing. */
export async function countTasks(db: Db, userId: string): Promise<Partial<Record<TaskStatus, number>>> {
  const rows = await db.analysisTask.groupBy({
    by: ['status'],
    where: visible(userId),
    _count: { _all: true },
  });
  return Object.fromEntries(rows.map(({ status, _count }) => [status, _count._all]));
}

/**
 * Removes a task; its scene shows the newest of those that are left.
 * @returns false when it is absent, queued or processing
 */
export function removeTask(db: Db, userId: string, id: string): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const [removed] = await tx.analysisTask.updateManyAndReturn({
      where: { ...visible(userId), id, status: { notIn: ['QUEUED', 'PROCESSING'] } },
      data: { deletedAt: new Date() },
      select: { sceneId: true },
    });
    if (removed) await showNewestRun(tx, removed.sceneId);
    return removed !== undefined;
  });
}
