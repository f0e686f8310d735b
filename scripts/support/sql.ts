import pg from 'pg';

/** Connects to a database, lets `use` work with the connection, and disconnects. */
export async function withClient<Result>(
  url: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  // A server that ends meanwhile makes the query fail. Without a listener it would also end this process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs one query over a new connection: the server may have been restarted since the last query. */
export const query = <Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => withClient(url, async (client) => (await client.query<Row>(sql, [...values])).rows);
