import { containing, within } from '../../http/fields.ts';
import { NEWEST_FIRST, type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import type {
  AnalysisTask,
  DeviceKind,
  Prisma,
  StopReason,
  TaskStatus,
} from '../../platform/prisma-client/client.ts';
import { NEWEST_RUN, SHOWN_RUN, type ShownRun, showNewestRun } from './run-state.store.ts';
import { ACTIVE_TASKS, SHOWN } from './states.ts';

interface HistoryQuery extends PageQuery {
  readonly status?: TaskStatus | undefined;
  readonly startedAfter?: Date | undefined;
  readonly startedBefore?: Date | undefined;
}

/** The status of a task in the list of tasks. */
export type TaskState = Lowercase<TaskStatus>;

const stateNameOf = (status: TaskStatus) => status.toLowerCase() as TaskState;

interface TasksQuery extends PageQuery {
  /** Part of the scene's name, the device's name or the error message. */
  readonly q?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly status?: TaskState | undefined;
  readonly analysisType?: 'queue_analysis' | undefined;
  readonly sortBy: 'createdAt' | 'startedAt' | 'completedAt' | 'status' | 'priority';
  readonly sortOrder: 'ASC' | 'DESC';
}

/** The runs that a user can see. */
const visible = (userId: string) => ({ userId, deletedAt: null });
/** Those that lists have: the runs of recordings are shown with their recordings. */
const listed = (userId: string) => ({ ...visible(userId), positionMs: null });

async function pageOfTasks(
  db: Db,
  page: PageQuery,
  query: { where: Prisma.AnalysisTaskWhereInput; orderBy: Prisma.AnalysisTaskOrderByWithRelationInput[] },
): Promise<Page<AnalysisTask>> {
  return pageOf(
    db.analysisTask.findMany({ ...query, ...rowsOf(page) }),
    db.analysisTask.count({ where: query.where }),
  );
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
  return pageOfTasks(db, query, { where, orderBy: NEWEST_FIRST });
}

/** Tasks of all users that are queued, and that a node holds. */
export async function countOpenTasks(db: Db): Promise<{ queued: number; processing: number }> {
  const [queued, processing] = await Promise.all([
    db.analysisTask.count({ where: { status: SHOWN.queued.task } }),
    db.analysisTask.count({ where: { status: SHOWN.running.task } }),
  ]);
  return { queued, processing };
}

/** The runs of all users that wait, and that a node holds; since when the oldest waits, by the clock of the database. */
export async function readRunQueue(
  db: Db,
): Promise<{ queued: number; processing: number; oldestQueuedAgeMs: number | null }> {
  const [row] = await db.$queryRaw<
    [{ queued: number; processing: number; oldestQueuedAgeMs: number | null }]
  >`
    SELECT count(*) FILTER (WHERE status::text = ${SHOWN.queued.task})::int AS queued,
           count(*) FILTER (WHERE status::text = ${SHOWN.running.task})::int AS processing,
           (extract(epoch FROM now() - min("createdAt") FILTER (WHERE status::text = ${SHOWN.queued.task})) * 1000)::float8
             AS "oldestQueuedAgeMs"
    FROM "AnalysisTask" WHERE status = 'QUEUED' OR status = 'PROCESSING'`;
  return row;
}

const MAY_BE_NULL = new Set(['startedAt', 'completedAt']);

export function listTasks(db: Db, userId: string, query: TasksQuery): Promise<Page<AnalysisTask>> {
  const contains = query.q ? containing(query.q) : undefined;
  const sort = query.sortOrder === 'ASC' ? ('asc' as const) : ('desc' as const);
  const where: Prisma.AnalysisTaskWhereInput = {
    ...listed(userId),
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

export type NamedRun = AnalysisTask & {
  readonly scene: { readonly name: string };
  readonly device: { readonly kind: DeviceKind };
};

/** Runs of any user, with the names of their scenes and the kinds of their devices. */
export function runsByName(tx: Tx, ids: readonly string[]): Promise<NamedRun[]> {
  return tx.analysisTask.findMany({
    where: { id: { in: [...ids] } },
    include: { scene: { select: { name: true } }, device: { select: { kind: true } } },
    orderBy: { id: 'asc' },
  });
}

/** The tasks of a user per status, and all together. */
export async function countTasks(db: Db, userId: string): Promise<Record<TaskState | 'total', number>> {
  const rows = await db.analysisTask.groupBy({
    by: ['status'],
    where: listed(userId),
    _count: { _all: true },
  });
  const counts = { total: 0, queued: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 };
  for (const { status, _count } of rows) {
    counts[stateNameOf(status)] += _count._all;
    counts.total += _count._all;
  }
  return counts;
}

/**
 * Removes a task. Its scene then shows the newest of the others.
 * @returns false when it is absent, queued or processing
 */
export function removeTask(
  db: Db,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const [removed] = await tx.analysisTask.updateManyAndReturn({
      where: { ...visible(userId), id, status: { notIn: [...ACTIVE_TASKS] } },
      data: { deletedAt: at },
      select: { sceneId: true },
    });
    if (removed) await showNewestRun(tx, removed.sceneId);
    return removed !== undefined;
  });
}

/** The newest run of a scene. */
export interface LatestRun extends ShownRun {
  readonly deviceId: string;
  /** The node for which a queued run is reserved. */
  readonly reservedNodeId: string | null;
  /** Milliseconds since the first claim, or of the whole run once it is over. */
  readonly uptimeMs: number;
  readonly stats: unknown;
  readonly errorMessage: string | null;
  readonly reason: StopReason | null;
  readonly completedAt: Date | null;
  /** Of a recording: presentation time up to which it is analysed. */
  readonly positionMs: number | null;
}

/** The newest run of each scene of these devices, newest first. */
export function findLatestRuns(
  db: Tx,
  { userId, deviceIds }: { userId: string; deviceIds: readonly string[] },
): Promise<LatestRun[]> {
  return db.$queryRaw<LatestRun[]>`
    SELECT ${SHOWN_RUN}, t."deviceId", t."reservedNodeId", t.stats, t."errorMessage", t.reason::text AS reason,
           t."completedAt", t."positionMs",
           coalesce(t."processingTimeMs"::float8,
                    floor(extract(epoch FROM clock_timestamp() - t."startedAt") * 1000)::float8, 0) AS "uptimeMs"
    FROM "Scene" s CROSS JOIN LATERAL (${NEWEST_RUN}) t
    WHERE s."deviceId" = ANY(${[...deviceIds]}::uuid[]) AND s."userId" = ${userId}::uuid AND s."deletedAt" IS NULL
    ORDER BY t."createdAt" DESC, t.id DESC`;
}

/** Removes the rows of all runs of a scene that is erased. They must have ended. */
export async function eraseRuns(tx: Tx, sceneId: string): Promise<void> {
  await tx.analysisTask.deleteMany({ where: { sceneId } });
}
