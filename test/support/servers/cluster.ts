import pg from 'pg';
import { startCluster } from '../../../scripts/postgres/embedded.ts';
import { prisma } from '../prisma-cli.ts';
import { guardMoves } from '../rows/guard-moves.ts';

/** The server of this run of the tests, and on it the migrated database that every test file's is copied from. */
export interface TestServer {
  /** Of the server's first database: for CREATE and DROP DATABASE. */
  readonly url: string;
  readonly template: string;
}

/**
 * The server that TEST_DATABASE_URL names, else a cluster of this run's own (scripts/test/run-folders.mjs made its
 * folder, keeper.mjs ends it). The first test file that needs it starts it, so that tests without a database wait for none.
 */
export function testServer(): Promise<TestServer> {
  found ??= findServer();
  return found;
}

/** It is asked once in each Jest worker: whose cluster it is and where it listens does not change in a run. */
let found: Promise<TestServer> | undefined;

async function findServer(): Promise<TestServer> {
  const folder = process.env.TEST_CLUSTER_DIR;
  const given = process.env.TEST_DATABASE_URL;
  if (!given && !folder) throw new Error('No test database: run the tests with `npm test`.');
  const url = given ?? (await startCluster({ dataDir: folder!, disposable: true })).url;
  const template = process.env.TEST_TEMPLATE ?? 'analytics_test_template';
  await onServer(url, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (rowCount) return;
    // Renamed when it is whole: a run that was cut short leaves nothing that looks finished.
    const draft = `${template}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft}`);
    await migrate(withDatabase(url, draft));
    await guardMoves(withDatabase(url, draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  });
  return { url, template };
}

/** Applies the migrations as an operator does. */
export async function migrate(databaseUrl: string): Promise<void> {
  const { exitCode, stdout, stderr } = await prisma(['migrate', 'deploy'], databaseUrl);
  if (exitCode !== 0) throw new Error(`The migrations failed:\n${stdout}${stderr}`);
}

/** One after the other over all test files: copies of one template at the same time refuse each other. */
export async function onServer(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // The query that waits is told too; without a listener a server that stops would end the test run.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(727274)');
    await use(client);
  } finally {
    await client.end();
  }
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
