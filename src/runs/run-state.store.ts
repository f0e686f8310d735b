import type { Tx } from '../platform/database/db.ts';
import { type AnalysisStatus, Prisma } from '../platform/prisma-client/client.ts';
import { type RunState, SHOWN, type StateColumns, shownOf, WITHOUT_RUN, workingNodeOf } from './states.ts';

/** A run's row, as far as its scene shows it. */
export interface ShownRun extends StateColumns {
  readonly sceneId: string;
  readonly startedAt: Date | null;
  readonly computeNodeId: string | null;
}

/** What an update or select of "AnalysisTask" t returns for `showRuns`. */
export const SHOWN_RUN = Prisma.sql`
  t.id, t."sceneId", t.status::text AS status, t."runStatus"::text AS "runStatus", t."stopRequestedAt",
  t."startedAt", t."computeNodeId"`;

/** For an update's SET: the columns of a state. `stopRequestedAt` is for whoever asks. */
export const columnsOf = (state: RunState): Prisma.Sql =>
  Prisma.sql`status = ${SHOWN[state].task}::"TaskStatus", "runStatus" = ${SHOWN[state].run}::"RunStatus"`;

/** For a lateral join of "Scene" s: its newest run, the one it shows. */
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
 * Copies what the newest runs of scenes show into the rows of these scenes. Whoever changes the state of a run calls it
 * in the same transaction; nobody else writes these columns.
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

/** The same for a scene of which a run was removed: the newest of those that are left, or none. */
export async function showNewestRun(tx: Tx, sceneId: string): Promise<void> {
  // Locked first: the statement that follows sees a start that was under way.
  await tx.$queryRaw`SELECT 1 FROM "Scene" WHERE id = ${sceneId}::uuid FOR NO KEY UPDATE`;
  const [newest] = await tx.$queryRaw<ShownRun[]>`
    SELECT ${SHOWN_RUN} FROM "Scene" s CROSS JOIN LATERAL (${NEWEST_RUN}) t WHERE s.id = ${sceneId}::uuid`;
  if (newest) await showRuns(tx, [newest]);
  else await writeScenes(tx, [{ id: sceneId, status: WITHOUT_RUN, startedAt: null, nodeId: null }]);
}
