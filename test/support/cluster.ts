import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Cluster, startCluster } from '../../src/platform/postgres-embedded.ts';
import { removeWithParent } from './leash.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEMPLATE = 'analytics_template';

let cluster: Cluster | undefined;
let release: (() => Promise<void>) | undefined;

/**
 * Once for a run of the tests: a cluster of its own in a temporary folder (or the server that TEST_DATABASE_URL
 * names), and in it one migrated database that every test file's is copied from.
 */
export async function startTestCluster(): Promise<void> {
  let server = process.env.TEST_DATABASE_URL;
  if (!server) {
    const dataDir = await mkdtemp(join(tmpdir(), 'analytics-test-'));
    cluster = await startCluster({ dataDir, disposable: true });
    release = removeWithParent(cluster.pid, dataDir);
    server = cluster.url;
  }
  process.env.TEST_SERVER_URL = server;
  const template = new URL(server);
  template.pathname = `/${TEMPLATE}_${process.pid}`;
  process.env.TEST_TEMPLATE_URL = template.href;
  const name = pg.escapeIdentifier(template.pathname.slice(1));
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  await migrate(template.href);
}

/** Applies the migrations as an operator does. */
export async function migrate(databaseUrl: string): Promise<void> {
  const cli = join(ROOT, 'node_modules/prisma/build/index.js');
  const env = { ...process.env, DATABASE_URL: databaseUrl, DIRECT_DATABASE_URL: '', CHECKPOINT_DISABLE: '1' };
  await promisify(execFile)(process.execPath, [cli, 'migrate', 'deploy'], { cwd: ROOT, env });
}

export async function stopTestCluster(): Promise<void> {
  if (cluster) {
    await cluster.stop();
    await release?.();
    return;
  }
  const server = process.env.TEST_SERVER_URL;
  const template = process.env.TEST_TEMPLATE_URL;
  if (!server || !template) return;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(
    `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(new URL(template).pathname.slice(1))} WITH (FORCE)`,
  );
  await client.end();
}
