import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createDb, type Db } from '../../src/platform/db.ts';

export interface TestDatabase {
  readonly db: Db;
  readonly url: string;
  /** Disconnects and drops it: call it in `afterAll`. */
  drop(): Promise<void>;
}

/** A fresh database with all migrations, for one test file: a copy of the migrated template (about 50 ms). */
export async function testDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_SERVER_URL;
  const template = process.env.TEST_TEMPLATE_URL;
  if (!server || !template) throw new Error('No test database: run the tests with .config/jest.config.mjs.');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const source = pg.escapeIdentifier(new URL(template).pathname.slice(1));
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const db = createDb(url.href);
  return {
    db,
    url: url.href,
    async drop() {
      await db.$disconnect();
      await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    // Copies of one template at the same time refuse each other ("being accessed by other users"): take turns.
    await client.query('SELECT pg_advisory_lock(727274)');
    await client.query(statement);
  } finally {
    await client.end();
  }
}
