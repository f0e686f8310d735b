import type pg from 'pg';

/**
 * Creates the functions of the filling statements in this connection's temporary schema: random numbers that depend only
 * on the seed, a row's number and a salt, and ids that look and sort like those of the database.
 */
export async function createFunctions(client: pg.Client, seed: number): Promise<void> {
  await client.query(`
    CREATE FUNCTION pg_temp.hash(n bigint, salt int) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS $$ SELECT hashint8extended(n, salt::bigint * 1000003 + ${seed}) $$;
    CREATE FUNCTION pg_temp.below(n bigint, salt int, size int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS $$ SELECT ((pg_temp.hash(n, salt) & 4611686018427387903) % size)::int $$;
    CREATE FUNCTION pg_temp.unit(n bigint, salt int) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS $$ SELECT (pg_temp.hash(n, salt) & 1048575) / 1048576.0::float8 $$;
    CREATE FUNCTION pg_temp.id(at timestamptz, n bigint, salt int) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS $$ SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
        || '7' || lpad(to_hex(n & 4095), 3, '0')
        || '8' || substr(lpad(to_hex(pg_temp.hash(n, salt)), 16, '0'), 2))::uuid $$;
  `);
}

/** Salts of the rows' ids, one per table. */
export const ID_SALT = {
  user: 1,
  device: 2,
  scene: 3,
  rule: 4,
  node: 5,
  task: 6,
  alert: 7,
  insight: 8,
  image: 9,
  snapshot: 10,
  rolling: 11,
  usage: 12,
  attribute: 13,
  visit: 14,
  visitRun: 15,
} as const;

/** A text literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A text array literal. */
export const array = (texts: readonly string[]): string => `ARRAY[${texts.map(literal).join(',')}]`;

/** One of these texts, chosen by a row's number. */
export const pickFrom = (texts: readonly string[], row: string, salt: number): string =>
  `(${array(texts)})[1 + pg_temp.below(${row}, ${salt}, ${texts.length})]`;
