// Once after all tests, in the process that ran the set-up.
import pg from 'pg';

export default async function teardown() {
  await globalThis.endTestCluster?.();
  const url = process.env.TEST_DATABASE_URL;
  if (!url) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${process.env.TEST_TEMPLATE} WITH (FORCE)`);
  await client.end();
}
