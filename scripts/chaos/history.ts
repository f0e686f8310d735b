import pg from 'pg';

/**
 * What happened, as the database itself wrote it down: a row for every change of a run and of a scene's totals, in
 * the order of the changes. Nothing is missed between two looks.
 */
export interface RunChange {
  readonly atMs: number;
  readonly taskId: string;
  readonly epoch: number;
  readonly nodeId: string | null;
  readonly status: string;
  readonly leaseEndMs: number | null;
  readonly frameMs: number | null;
}

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

/** Asks the database with a connection of its own each time: it may have been restarted meanwhile. */
export async function ask<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** From now on the database writes its history down. */
export async function recordHistory(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(RECORD);
  await client.end();
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

export const readRunChanges = (url: string): Promise<RunChange[]> =>
  ask(
    url,
    `SELECT ${ms('at')} AS "atMs", task AS "taskId", epoch, node AS "nodeId", status, ${ms('lease')} AS "leaseEndMs",
            ${ms('frame')} AS "frameMs" FROM chaos_run ORDER BY seq`,
  );

export const readTotalsChanges = (url: string): Promise<TotalsChange[]> =>
  ask(url, `SELECT ${ms('at')} AS "atMs", scene AS "sceneId", counts FROM chaos_totals ORDER BY seq`);
