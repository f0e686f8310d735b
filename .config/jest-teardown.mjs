// Once after all tests: the database that they copied goes from a server that stays (the run's own ends with it).
import pg from 'pg';

export default async function teardown() {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${process.env.TEST_TEMPLATE} WITH (FORCE)`);
  await client.end();
}
