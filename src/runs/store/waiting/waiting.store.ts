import type { Db, Tx } from '../../../platform/database/db.ts';
import { Prisma } from '../../../platform/prisma-client/client.ts';
import { TAKES_RUNS } from '../nodes.store.ts';
import { type StateColumns, stateOf } from '../states.ts';

/** `capacity`: no online node has room for it. `node`: no node is online. */
export type WaitingFor = 'capacity' | 'node';

type Run = StateColumns & { readonly id: string; readonly deviceId: string };

/**
 * What queued runs wait for, by their ids. A run is not in the map when a node is about to claim it: the one that streams its
 * device, or one with room for all devices that come before.
 */
export async function findWaiting(db: Db, runs: readonly Run[]): Promise<ReadonlyMap<string, WaitingFor>> {
  const queued = runs.filter((run) => stateOf(run) === 'queued');
  if (queued.length === 0) return new Map();
  const [nodes] = await db.$queryRaw<[{ online: number; places: number }]>`
    SELECT count(*)::int AS online, coalesce(sum(greatest(n."maxConcurrentDevices" - load.devices, 0))
             FILTER (WHERE n."overloadedSince" IS NULL), 0)::int AS places
    FROM "ComputeNode" n CROSS JOIN LATERAL (
      SELECT count(DISTINCT t."deviceId") AS devices
      FROM "AnalysisTask" t JOIN "Device" d ON d.id = t."deviceId" AND d.kind = 'camera'
      WHERE t.status = 'PROCESSING' AND t."computeNodeId" = n.id) load
    WHERE ${TAKES_RUNS}`;
  if (nodes.online === 0) return new Map(queued.map(({ id }) => [id, 'node']));
  const waiting = await db.$queryRaw<{ deviceId: string }[]>`
    WITH queue AS (
      SELECT t."deviceId", row_number() OVER (
               ORDER BY bool_or(d.kind = 'recording'), min(t.priority), min(t."createdAt"), t."deviceId") AS place
      FROM "AnalysisTask" t JOIN "Device" d ON d.id = t."deviceId"
      WHERE t.status = 'QUEUED' AND NOT EXISTS (
        SELECT 1 FROM "AnalysisTask" s WHERE s.status = 'PROCESSING' AND s."deviceId" = t."deviceId")
      GROUP BY t."deviceId")
    SELECT "deviceId" FROM queue
    WHERE place > ${nodes.places} AND "deviceId" = ANY(${queued.map(({ deviceId }) => deviceId)}::uuid[])`;
  const deviceIds = new Set(waiting.map(({ deviceId }) => deviceId));
  return new Map(queued.flatMap(({ id, deviceId }) => (deviceIds.has(deviceId) ? [[id, 'capacity']] : [])));
}

/** Users are told after this time, so that a run that is claimed at once causes no event. */
const TOLD_AFTER = '5 seconds';

/** A condition on "AnalysisTask" t: the run of a camera waits long enough to tell its user what it waits for. */
const IS_QUEUED_LONG = Prisma.sql`(
  t.status = 'QUEUED' AND t."createdAt" < clock_timestamp() - ${TOLD_AFTER}::interval AND EXISTS (
    SELECT 1 FROM "Device" d WHERE d.id = t."deviceId" AND d.kind = 'camera'))`;

/** A condition: a run may begin or end to wait for capacity, or a user was told so of one that waits. */
export const ANY_WAITING = Prisma.sql`(
  EXISTS (SELECT 1 FROM "AnalysisTask" t WHERE ${IS_QUEUED_LONG})
  OR EXISTS (SELECT 1 FROM "AnalysisTask" WHERE "waitsSince" IS NOT NULL))`;

export interface WaitingRun extends Run {
  /** Null: its user was not told that it waits. */
  readonly waitsSince: Date | null;
}

/** Runs that have been queued for a while, and those of which a user was told that they wait. */
export const findQueuedLong = (db: Db): Promise<WaitingRun[]> =>
  db.$queryRaw<WaitingRun[]>`
    SELECT id, "deviceId", status::text AS status, "runStatus"::text AS "runStatus", "stopRequestedAt", "waitsSince"
    FROM "AnalysisTask" t WHERE ${IS_QUEUED_LONG} OR t."waitsSince" IS NOT NULL ORDER BY id`;

export interface NotedWait {
  /** Since when the run waits or waited. Database clock. */
  readonly since: Date;
  readonly at: Date;
}

/**
 * Notes that a run waits for capacity, or no longer does.
 * @returns null when somebody else noted it, or the run was claimed meanwhile
 */
export async function noteWaiting(tx: Tx, id: string, isWaiting: boolean): Promise<NotedWait | null> {
  const [noted] = isWaiting
    ? await tx.$queryRaw<NotedWait[]>`
        UPDATE "AnalysisTask" SET "waitsSince" = clock_timestamp()
        WHERE id = ${id}::uuid AND status = 'QUEUED' AND "waitsSince" IS NULL
        RETURNING "waitsSince" AS since, "waitsSince" AS at`
    : await tx.$queryRaw<NotedWait[]>`
        WITH told AS (
          SELECT id, "waitsSince" AS since FROM "AnalysisTask"
          WHERE id = ${id}::uuid AND "waitsSince" IS NOT NULL FOR UPDATE)
        UPDATE "AnalysisTask" t SET "waitsSince" = NULL FROM told WHERE t.id = told.id
        RETURNING told.since, clock_timestamp() AS at`;
  return noted ?? null;
}
