import pg from 'pg';

/** An index that is no constraint. */
interface Index {
  readonly name: string;
  readonly definition: string;
}

/**
 * Drops the tables' indexes (but those of constraints), fills, makes them again: many times faster than keeping
 * them up row by row. They are made again also when filling fails.
 * @param onIndex told of each that is made again
 */
export async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  { fill, onIndex }: { fill: () => Promise<void>; onIndex: (name: string) => void },
): Promise<void> {
  const { rows } = await client.query<Index>(
    `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = ANY($1::regclass[]) AND NOT i.indisprimary
       AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.indexrelid)`,
    [tables.map((table) => pg.escapeIdentifier(table))],
  );
  await client.query(
    rows.map(({ name }) => `DROP INDEX ${pg.escapeIdentifier(name)}`).join(';') || 'SELECT 1',
  );
  try {
    await fill();
  } finally {
    for (const { name, definition } of rows) {
      onIndex(name);
      await client.query(definition);
    }
  }
}
