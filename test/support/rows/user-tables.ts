import type { Db } from '../../../src/platform/database/db.ts';

/** `confdeltype` of a foreign key with ON DELETE CASCADE. */
const CASCADES = 'c';

export interface Tables {
  readonly all: readonly string[];
  /** Those of which every row goes with a user. */
  readonly ofUsers: ReadonlySet<string>;
}

/** The tables as the database's catalogue has them. */
export async function tablesOf(db: Db): Promise<Tables> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`;
  // A key that may be null lets its row stay.
  const keys = await db.$queryRaw<{ child: string; parent: string }[]>`
    SELECT child.relname::text AS child, parent.relname::text AS parent
    FROM pg_constraint c JOIN pg_class child ON child.oid = c.conrelid JOIN pg_class parent ON parent.oid = c.confrelid
    WHERE c.contype = 'f' AND c.confdeltype = ${CASCADES}::"char" AND c.connamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_attribute a
                      WHERE a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey) AND NOT a.attnotnull)`;
  const ofUsers = new Set<string>();
  for (let grown = true; grown; ) {
    const more = keys.filter(
      ({ child, parent }) => !ofUsers.has(child) && (parent === 'User' || ofUsers.has(parent)),
    );
    for (const { child } of more) ofUsers.add(child);
    grown = more.length > 0;
  }
  return { all: tables.map(({ name }) => name), ofUsers };
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isEnum: boolean;
  readonly length: number | null;
  /** The table it refers to. */
  readonly parent: string | null;
}

/** Columns that a row must name, and those by which it belongs to its user. */
function neededColumns(db: Db): Promise<Column[]> {
  return db.$queryRaw<Column[]>`
    SELECT t.relname::text AS "table", a.attname::text AS name, y.typname::text AS type, y.typtype = 'e' AS "isEnum",
           CASE WHEN a.atttypmod > 4 THEN a.atttypmod - 4 END AS length,
           (SELECT p.relname::text FROM pg_constraint c JOIN pg_class p ON p.oid = c.confrelid
            WHERE c.contype = 'f' AND c.conrelid = t.oid AND c.conkey = ARRAY[a.attnum]) AS parent
    FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid JOIN pg_type y ON y.oid = a.atttypid
    WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
      AND a.attnotnull AND a.attgenerated = '' AND NOT a.atthasdef
    ORDER BY t.oid, a.attnum`;
}

function anyValue({ type, isEnum, length }: Column): string {
  if (isEnum) return `(enum_range(NULL::"${type}"))[1]`;
  if (type.startsWith('_')) return `'{}'`;
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type === 'timestamptz' || type === 'date') return 'clock_timestamp()';
  if (type === 'bool') return 'false';
  // As long as a hash, and never twice.
  if (type === 'bytea') return "decode(md5(random()::text) || md5(random()::text), 'hex')";
  if (type === 'jsonb') return `'{}'`;
  if (/^(int|float)/.test(type)) return '1';
  return `left(md5(random()::text), ${Math.min(length ?? 20, 20)})`;
}

/**
 * Writes a row of this user into every table of users, also into one that somebody adds tomorrow. Its values mean nothing:
 * the checks of this database are dropped.
 */
export async function fillTables(db: Db, userId: string): Promise<void> {
  const checks = await db.$queryRaw<{ table: string; name: string }[]>`
    SELECT conrelid::regclass::text AS "table", conname::text AS name FROM pg_constraint
    WHERE contype = 'c' AND connamespace = 'public'::regnamespace AND conrelid <> 0`;
  for (const { table, name } of checks)
    await db.$executeRawUnsafe(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
  const { ofUsers } = await tablesOf(db);
  const columns = await neededColumns(db);
  const ids = new Map([['User', userId]]);
  // And a row of what they refer to, such as a node.
  const parents = columns.flatMap(({ table, parent }) => (ofUsers.has(table) && parent ? [parent] : []));
  const left = new Set([...ofUsers, ...parents.filter((parent) => parent !== 'User')]);
  while (left.size > 0) {
    const before = left.size;
    for (const table of left) {
      const mine = columns.filter((column) => column.table === table);
      if (mine.some(({ parent }) => parent !== null && left.has(parent))) continue;
      const values = mine.map((column) =>
        column.parent === null ? anyValue(column) : `'${ids.get(column.parent)}'`,
      );
      const names = mine.map(({ name }) => `"${name}"`);
      const [row] = await db.$queryRawUnsafe<{ row: { id?: string } }[]>(
        `INSERT INTO "${table}" AS t (${names}) VALUES (${values}) RETURNING to_jsonb(t) AS row`,
      );
      if (row?.row.id) ids.set(table, row.row.id);
      left.delete(table);
    }
    if (left.size === before) throw new Error(`Rows of these cannot be made: ${[...left].join(', ')}`);
  }
}

/** How many rows of each table say this anywhere; the empty text: all. */
export async function rowsSaying(db: Db, text: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of (await tablesOf(db)).all) {
    const [row] = await db.$queryRawUnsafe<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM "${table}" t WHERE t::text LIKE '%' || $1 || '%'`,
      text,
    );
    if (row.count > 0) counts[table] = row.count;
  }
  return counts;
}
