import type { Tx } from '../../platform/database/db.ts';
import { type AnalysisStatus, Prisma } from '../../platform/prisma-client/client.ts';
import { type HeldColumns, type RunState, SHOWN, shownOf, WITHOUT_RUN, workingNodeOf } from './states.ts';

/** The part of a run's row that its scene shows. */
export interface ShownRun extends HeldColumns {
  readonly id: string;
  readonly sceneId: string;
  readonly startedAt: Date | null;
}

/** What a query of "AnalysisTask" t returns for `showRuns`. */
export const SHOWN_RUN = Prisma.sql`
  t.id, t."sceneId", t.status::text AS status, t."runStatus"::text AS "runStatus", t."stopRequestedAt",
  t."startedAt", t."computeNodeId"`;

/** For SET: the columns of a state. A stop request sets `stopRequestedAt` itself. */
export const columnsOf = (state: RunState): Prisma.Sql =>
  Prisma.sql`status = ${SHOWN[state].task}::"TaskStatus", "runStatus" = ${SHOWN[state].run}::"RunStatus"`;

/** For SET: the columns of the state `then` in rows for which the condition holds, of `otherwise` in the rest. */
export function columnsWhere(condition: Prisma.Sql, then: RunState, otherwise: RunState): Prisma.Sql {
  const [yes, no] = [SHOWN[then], SHOWN[otherwise]];
  return Prisma.sql`
    status = (CASE WHEN ${condition} THEN ${yes.task} ELSE ${no.task} END)::"TaskStatus",
    "runStatus" = (CASE WHEN ${condition} THEN ${yes.run} ELSE ${no.run} END)::"RunStatus"`;
}

/** A condition on "AnalysisTask" t: the node holds the run. Whether its lease has lapsed is another question. */
export const isHeldBy = (nodeId: string): Prisma.Sql =>
  Prisma.sql`t.status = 'PROCESSING' AND t."computeNodeId" = ${nodeId}::uuid`;

/** For a lateral join of "Scene" s: the newest run of the scene, which the scene shows. */
export const NEWEST_RUN = Prisma.sql`
  SELECT * FROM "AnalysisTask" t WHERE t."sceneId" = s.id AND t."deletedAt" IS NULL
  ORDER BY t."createdAt" DESC, t.id DESC LIMIT 1`;

interface ShownScene {
  readonly id: string;
  readonly status: AnalysisStatus;
  readonly startedAt: Date | null;
  readonly nodeId: string | null;
}

function writeScenes(tx: Tx, scenes: readonly ShownScene[]): Promise<number> {
  return tx.$executeRaw`
    UPDATE "Scene" s
    SET "analysisStatus" = n.status, "analysisStartedAt" = n."startedAt", "processingComputeNodeId" = n."nodeId"
    FROM jsonb_to_recordset(${JSON.stringify(scenes)}::jsonb)
      AS n(id uuid, status "AnalysisStatus", "startedAt" timestamptz, "nodeId" uuid)
    WHERE s.id = n.id`;
}

/**
 * Copies the states of runs into the rows of their scenes. Every change of a run's state calls it in the same
 * transaction; nothing else writes these columns.
 * @param runs each the newest of its scene
 */
export async function showRuns(tx: Tx, runs: readonly ShownRun[]): Promise<void> {
  if (runs.length === 0) return;
  const scenes = runs.map((run) => ({
    id: run.sceneId,
    status: shownOf(run).scene,
    startedAt: run.startedAt,
    nodeId: workingNodeOf(run),
  }));
  await writeScenes(tx, scenes);
}

/** The same for a scene of which a run was removed: it shows the newest of the others, or none. */
export async function showNewestRun(tx: Tx, sceneId: string): Promise<void> {
  // Locked first, so that the next statement sees a start that is committed meanwhile.
  await tx.$queryRaw`SELECT 1 FROM "Scene" WHERE id = ${sceneId}::uuid FOR NO KEY UPDATE`;
  const [newest] = await tx.$queryRaw<ShownRun[]>`
    SELECT ${SHOWN_RUN} FROM "Scene" s CROSS JOIN LATERAL (${NEWEST_RUN}) t WHERE s.id = ${sceneId}::uuid`;
  if (newest) await showRuns(tx, [newest]);
  else await writeScenes(tx, [{ id: sceneId, status: WITHOUT_RUN, startedAt: null, nodeId: null }]);
}
