// Records what the programs of this version do with their database: node --import tsx test/flows/upgrade/record-version.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { logFile } from '../../../scripts/postgres/server.ts';
import { Installation } from '../../../scripts/support/installation.ts';
import { MIGRATIONS_DIR, VERSION } from '../../../src/platform/config.ts';
import { testReceiver } from '../../support/servers/receiver.ts';
import { readStatements } from './recorded-statements.ts';
import { lastMigrationIn, type RecordedVersion, type Row, tablesOf } from './recorded-version.ts';

/** The rows of a first camera, then the statements with which a second one is set up, analysed and stopped. */
async function record(): Promise<RecordedVersion> {
  const receiver = await testReceiver();
  const installation = await Installation.open({
    workers: 1,
    environment: {
      ...{ WEBHOOK_CA_FILE: receiver.caFile, WEBHOOK_ALLOW_HOSTS: 'localhost', EXECUTION_PROVIDER: 'cpu' },
      LOG_LEVEL: 'warn',
    },
  });
  const client = new pg.Client({ connectionString: installation.databaseUrl });
  try {
    await client.connect();
    await installation.client.post('/users/me/webhook', { url: receiver.url });
    await analyse(installation, 'First', () => receiver.arrived.length);
    const rows = await readAll(client);
    await logIds(client);
    const log = logFile(join(installation.folder, 'postgres'));
    const before = readFileSync(log).length;
    await setLogging(client, 'all');
    await analyse(installation, 'Second', () => receiver.arrived.length);
    await setLogging(client, 'none');
    const text = readFileSync(log).subarray(before).toString();
    const lastMigration = lastMigrationIn(MIGRATIONS_DIR);
    return { version: VERSION, lastMigration, rows, ...readStatements(text, await tablesOf(client)) };
  } finally {
    await client.end();
    await installation.close();
    await receiver.stop();
  }
}

/** A camera with its scene and a rule, until an alert event has its insight and came by webhook; then the run is stopped. */
async function analyse(installation: Installation, name: string, arrived: () => number): Promise<void> {
  const { client } = installation;
  const camera = await installation.addCamera(name, 'sim:shop?seed=1&start=120', 5);
  await client.patch(`/devices/${camera.deviceId}`, { plan: 'LEVEL_02' });
  await installation.addRule(camera);
  const before = arrived();
  await installation.start(camera);
  const count = async (sql: string) => (await installation.query(sql, [camera.sceneId])).length;
  const holds = async () =>
    (await count(`SELECT 1 FROM "Insight" WHERE "sceneId" = $1 AND "vlmStatus" = 'completed'`)) > 0 &&
    (await count('SELECT 1 FROM "AttributeRecord" WHERE "sceneId" = $1')) > 1 &&
    (await count('SELECT 1 FROM "MetricSnapshot" WHERE "sceneId" = $1')) > 3 &&
    (await count('SELECT 1 FROM "Visit" WHERE "sceneId" = $1')) > 0 &&
    arrived() > before;
  await installation.until('everything is stored', holds, 600);
  for (const path of READ)
    await client.get(path.replace('SCENE', camera.sceneId).replace('DEVICE', camera.deviceId));
  await installation.stop(camera);
  const hasEnded = `SELECT 1 FROM "AnalysisTask" WHERE "sceneId" = $1 AND status = 'COMPLETED'`;
  await installation.until('the run has ended', async () => (await count(hasEnded)) > 0, 600);
}

/** What a client reads. */
const READ = [
  '/devices',
  '/devices/DEVICE',
  '/devices/DEVICE/analysis/status',
  '/scenes',
  '/scenes/SCENE',
  '/analysis/alerts',
  '/analysis/insights',
  '/analysis/attributes?deviceId=DEVICE',
  '/analytics/scenes/SCENE/latest',
  '/analytics/scenes/SCENE/series?bucket=1h',
  '/users/me',
];

async function readAll(client: pg.Client): Promise<Record<string, Row[]>> {
  const rows: Record<string, Row[]> = {};
  for (const table of await tablesOf(client)) {
    const answer = await client.query<{ row: Row }>(
      `SELECT to_jsonb(t) AS row FROM ${pg.escapeIdentifier(table)} t`,
    );
    if (answer.rows.length > 0) rows[table] = answer.rows.map(({ row }) => row);
  }
  return rows;
}

/** Each new row with an id writes it into the log, behind the statement that added it. */
async function logIds(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE FUNCTION log_id() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE LOG 'new row % %', TG_ARGV[0], NEW.id; RETURN NULL; END $$`);
  const { rows } = await client.query<{ table: string }>(`
    SELECT table_name AS "table" FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND column_name = 'id' AND data_type = 'uuid' AND table_type = 'BASE TABLE'`);
  for (const { table } of rows) {
    const name = pg.escapeIdentifier(table);
    await client.query(
      `CREATE TRIGGER z_log_id AFTER INSERT ON ${name} FOR EACH ROW EXECUTE FUNCTION log_id(${pg.escapeLiteral(table)})`,
    );
  }
}

async function setLogging(client: pg.Client, what: 'all' | 'none'): Promise<void> {
  await client.query(`ALTER SYSTEM SET log_line_prefix = '~%p '`);
  await client.query(`ALTER SYSTEM SET log_statement = ${pg.escapeLiteral(what)}`);
  await client.query('SELECT pg_reload_conf()');
}

const file = join(import.meta.dirname, `version-${VERSION}.json`);
writeFileSync(file, `${JSON.stringify(await record(), null, 1)}\n`);
process.stderr.write(`${file}\n`);
