import { readdir } from 'node:fs/promises';
import { MIGRATIONS_DIR } from '../config.ts';
import { isDatabaseAway } from './database-away.ts';
import type { Db } from './db.ts';

/**
 * Checks at the start of a program that the database answers and has the tables of this version.
 * @param migrations folder of the migrations that must have been applied
 * @throws Error one sentence that says what to do
 */
export async function checkDatabase(db: Db, databaseUrl: string, migrations = MIGRATIONS_DIR): Promise<void> {
  let applied: Set<string>;
  try {
    const rows = await db.$queryRaw<{ name: string }[]>`
      SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
    applied = new Set(rows.map(({ name }) => name));
  } catch (error) {
    throw describeDatabaseError(error, databaseUrl);
  }
  const entries = await readdir(migrations, { withFileTypes: true });
  const missing = entries.filter((entry) => entry.isDirectory() && !applied.has(entry.name));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).sort();
    throw new Error(
      `The database at ${place(databaseUrl)} lacks ${names.length} migration(s), ${names[0]} first: ` +
        'run `npx prisma migrate deploy`.',
    );
  }
}

/**
 * Turns an error of the database into one sentence that says what to do, without the password. The error becomes its cause.
 * Any other error is returned unchanged.
 */
export function describeDatabaseError(error: unknown, databaseUrl: string): Error {
  const say = (sentence: string) => new Error(sentence, { cause: error });
  const { code, meta } = error as { code?: string; meta?: Meta };
  const kind = meta?.driverAdapterError?.cause?.kind;
  const postgresCode = meta?.driverAdapterError?.cause?.originalCode ?? code;
  if (kind === 'AuthenticationFailed' || postgresCode === '28P01' || postgresCode === '28000') {
    return say(
      `PostgreSQL at ${place(databaseUrl)} refuses the user or password: correct them in DATABASE_URL.`,
    );
  }
  if (kind === 'DatabaseDoesNotExist' || postgresCode === '3D000') {
    return say(`There is no database at ${place(databaseUrl)}: \`npx prisma migrate deploy\` makes it.`);
  }
  if (kind === 'TableDoesNotExist' || postgresCode === '42P01') {
    return say(`The database at ${place(databaseUrl)} has no tables yet: run \`npx prisma migrate deploy\`.`);
  }
  if (isDatabaseAway(error)) {
    return say(
      `PostgreSQL at ${place(databaseUrl)} does not answer: start it (in development with \`npm run db\`), ` +
        'or correct DATABASE_URL.',
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** The error of the driver inside an error of Prisma. */
interface Meta {
  readonly driverAdapterError?: {
    readonly cause?: { readonly kind?: string; readonly originalCode?: string };
  };
}

/** `host:port/database` */
function place(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname}:${port || 5432}${decodeURIComponent(pathname)}`;
}
