import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { MIGRATIONS_DIR } from '../../../src/platform/config.ts';
import { PROJECT } from '../../../src/platform/project.ts';
import { prisma } from '../../support/prisma-cli.ts';

/**
 * What a version was seen to do: rows that it had stored, and statements that its API and worker then sent. `record-version.ts`
 * records it from the programs of the version: a device, its scene, rule and run with an alert event, insight and webhook until it
 * stopped, and then the same again.
 */
export interface RecordedVersion {
  readonly version: string;
  /** The last migration of that version. */
  readonly lastMigration: string;
  /** By table. */
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  /** The statements, each once. */
  readonly texts: readonly string[];
  readonly calls: readonly RecordedCall[];
}

export type Row = Readonly<Record<string, unknown>>;

export interface RecordedCall {
  /** Place in `texts`. */
  readonly text: number;
  readonly values: readonly (string | null)[];
  /** By table: the ids that the database gave to the new rows. Later statements name them. */
  readonly ids?: Readonly<Record<string, readonly string[]>>;
}

export function recordedVersions(): RecordedVersion[] {
  const files = readdirSync(import.meta.dirname).filter((name) => /^version-.*\.json$/.test(name));
  return files.map((name) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')));
}

/** The name of the newest migration in a folder. */
export const lastMigrationIn = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => /^\d/.test(name))
    .sort()
    .at(-1)!;

/** Tables whose rows a version stores. Not those of live pictures, which are gone after seconds. */
export async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(`
    SELECT relname AS "table" FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relpersistence = 'p' AND NOT relispartition
      AND relname <> '_prisma_migrations' ORDER BY 1`);
  return rows.map(({ table }) => table);
}

/** Applies the migrations up to a named one. */
export async function migrateTo(databaseUrl: string, lastMigration: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  try {
    const migrations = join(folder, 'migrations');
    mkdirSync(migrations);
    const names = readdirSync(MIGRATIONS_DIR).filter((name) => /^\d/.test(name) && name <= lastMigration);
    for (const name of [...names, 'migration_lock.toml'])
      cpSync(join(MIGRATIONS_DIR, name), join(migrations, name), { recursive: true });
    const config = join(folder, 'prisma.config.mjs');
    const schema = JSON.stringify(join(PROJECT, 'prisma/schema.prisma'));
    writeFileSync(
      config,
      `process.env.PRISMA_SCHEMA_ENGINE_BINARY = ${JSON.stringify(join(PROJECT, 'scripts/schema-engine.mjs'))};
export default { schema: ${schema}, migrations: { path: ${JSON.stringify(migrations)} }, datasource: { url: process.env.DATABASE_URL } };\n`,
    );
    const { exitCode, stdout, stderr } = await prisma(['migrate', 'deploy', '--config', config], databaseUrl);
    if (exitCode !== 0) throw new Error(`The migrations failed:\n${stdout}${stderr}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Stores the rows of the version, as a restore does: without triggers. */
export async function storeRows(client: pg.Client, { rows }: RecordedVersion): Promise<void> {
  await client.query('SET session_replication_role = replica');
  for (const [table, stored] of Object.entries(rows)) {
    const { rows: told } = await client.query<{ columns: string }>(
      `SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    );
    const [name, columns] = [pg.escapeIdentifier(table), told[0]!.columns];
    // What the migrations stored is among the rows.
    await client.query(`DELETE FROM ${name}`);
    await client.query(
      `INSERT INTO ${name} (${columns})
       SELECT ${columns} FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb)`,
      [JSON.stringify(stored)],
    );
  }
  // Beyond the numbers of the stored rows.
  await client.query(`SELECT setval(oid::regclass, 1000) FROM pg_class WHERE relkind = 'S'`);
  await client.query('RESET session_replication_role');
}

/** By table: the columns of the version, of all rows that are there now. */
export async function readRows(
  client: pg.Client,
  { rows }: RecordedVersion,
): Promise<Record<string, readonly Row[]>> {
  const found: Record<string, readonly Row[]> = {};
  for (const [table, [first]] of Object.entries(rows)) {
    const columns = Object.keys(first!);
    const answer = await client.query<{ row: Row }>(
      `SELECT (SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(t)) WHERE key = ANY($1)) AS row
       FROM ${pg.escapeIdentifier(table)} t`,
      [columns],
    );
    found[table] = answer.rows.map(({ row }) => row);
  }
  return found;
}

/** A new row gets the id that it had when the statement was recorded. */
const GIVE_IDS = `
  CREATE FUNCTION give_recorded_id() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE waiting jsonb := current_setting('recorded.ids')::jsonb;
  BEGIN
    IF coalesce(jsonb_array_length(waiting -> TG_ARGV[0]), 0) = 0 THEN RETURN NEW; END IF;
    IF NOT waiting -> TG_ARGV[0] ? NEW.id::text THEN NEW.id := waiting -> TG_ARGV[0] ->> 0; END IF;
    PERFORM set_config('recorded.ids',
      jsonb_set(waiting, ARRAY[TG_ARGV[0]], (waiting -> TG_ARGV[0]) - NEW.id::text)::text, false);
    RETURN NEW;
  END $$`;

/** What a statement did: how many rows it gave or changed, or the code of its error. */
export interface Outcome {
  readonly text: string;
  readonly rows: number | string;
}

/** Sends the recorded statements, in their order, each in a transaction of its own. */
export async function replay(
  client: pg.Client,
  { texts, calls }: Pick<RecordedVersion, 'texts' | 'calls'>,
): Promise<Outcome[]> {
  await client.query(GIVE_IDS);
  const tables = new Set(calls.flatMap(({ ids }) => Object.keys(ids ?? {})));
  for (const table of tables) {
    await client.query(
      `CREATE TRIGGER a_recorded_id BEFORE INSERT ON ${pg.escapeIdentifier(table)}
       FOR EACH ROW EXECUTE FUNCTION give_recorded_id(${pg.escapeLiteral(table)})`,
    );
  }
  const outcomes: Outcome[] = [];
  for (const { text, values, ids = {} } of calls) {
    await client.query("SELECT set_config('recorded.ids', $1, false)", [JSON.stringify(ids)]);
    const rows = await client.query(texts[text]!, [...values]).then(
      ({ rowCount }) => rowCount ?? 0,
      (error: pg.DatabaseError) => `${error.code} ${error.message}`,
    );
    outcomes.push({ text: texts[text]!, rows });
  }
  return outcomes;
}
