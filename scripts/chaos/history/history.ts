import type { Installation } from '../../support/installation.ts';

/** A state of a run, as the database recorded it at a change. */
export interface RunChange {
  readonly atMs: number;
  readonly taskId: string;
  readonly epoch: number;
  readonly nodeId: string | null;
  readonly status: string;
  readonly leaseEndMs: number | null;
  readonly frameMs: number | null;
}

/** The totals of a scene, as the database recorded them at a change. */
export interface TotalsChange {
  readonly atMs: number;
  readonly sceneId: string;
  readonly counts: readonly number[];
}

const RECORD = `
  CREATE TABLE IF NOT EXISTS chaos_run (
    seq bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(), task uuid, epoch int, node uuid,
    status text, lease timestamptz, frame timestamptz);
  CREATE TABLE IF NOT EXISTS chaos_totals (
    seq bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(), scene uuid, counts int[]);
  CREATE OR REPLACE FUNCTION chaos_run_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO chaos_run (task, epoch, node, status, lease, frame)
    SELECT NEW.id, NEW.epoch, NEW."computeNodeId", NEW.status,
           (SELECT "expiresAt" FROM "RunLease" WHERE "taskId" = NEW.id AND epoch = NEW.epoch), NEW."lastFrameAt";
    RETURN NULL; END $$;
  CREATE OR REPLACE FUNCTION chaos_totals_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO chaos_totals (scene, counts)
    VALUES (NEW."sceneId", ARRAY[NEW.arrivals, NEW."completedCount", NEW."abandonedCount", NEW."lostCount"]);
    RETURN NULL; END $$;
  CREATE OR REPLACE TRIGGER chaos_run AFTER INSERT OR UPDATE ON "AnalysisTask"
    FOR EACH ROW EXECUTE FUNCTION chaos_run_changed();
  CREATE OR REPLACE TRIGGER chaos_totals AFTER INSERT OR UPDATE ON "SceneTotals"
    FOR EACH ROW EXECUTE FUNCTION chaos_totals_changed();`;

/**
 * From now on triggers record every change of a run and of a scene's totals, in the order of the changes. So the history
 * also has what happens between two queries of the command.
 */
export async function recordHistory(installation: Installation): Promise<void> {
  await installation.query(RECORD);
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

export const readRunChanges = (installation: Installation): Promise<RunChange[]> =>
  installation.query(
    `SELECT ${ms('at')} AS "atMs", task AS "taskId", epoch, node AS "nodeId", status, ${ms('lease')} AS "leaseEndMs",
            ${ms('frame')} AS "frameMs" FROM chaos_run ORDER BY seq`,
  );

export const readTotalsChanges = (installation: Installation): Promise<TotalsChange[]> =>
  installation.query(
    `SELECT ${ms('at')} AS "atMs", scene AS "sceneId", counts FROM chaos_totals ORDER BY seq`,
  );
