import { readdir } from 'node:fs/promises';
import { MIGRATIONS_DIR, VERSION } from '../config.ts';
import { isDatabaseAway, isDatabaseBusy } from './database-away.ts';
import type { Db } from './db.ts';

/**
 * Checks at the start of a program that the database answers and has the tables of this version. A newer version may have
 * added to them: migrations only add, so that a program works beside the next version.
 * @param migrations folder of the migrations that must have been applied
 * @returns one sentence for the log where the database is newer than this program, else null
 * @throws Error one sentence that says what to do
 */
export async function checkDatabase(
  db: Db,
  databaseUrl: string,
  migrations = MIGRATIONS_DIR,
): Promise<string | null> {
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
  const known = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  const names = [...known].filter((name) => !applied.has(name)).sort();
  if (names.length > 0) {
    throw new Error(
      `The database at ${place(databaseUrl)} lacks ${names.length} migration(s), ${names[0]} first: ` +
        'run `npx prisma migrate deploy`.',
    );
  }
  const newer = [...applied].filter((name) => !known.has(name)).sort();
  if (newer.length === 0) return null;
  return (
    `The database at ${place(databaseUrl)} belongs to a newer version: ${newer.length} of its migrations, ${newer[0]} first, are ` +
    `unknown to this program (${VERSION}). It works beside the next version only: update this program too.`
  );
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
  if (isDatabaseBusy(error) || code === 'P2028') {
    return say(
      `PostgreSQL at ${place(databaseUrl)} was too slow, because this machine is busy or another program holds the rows. ` +
        'Nothing was changed: try again.',
    );
  }
  if (isDatabaseAway(error)) {
    return say(
      `PostgreSQL at ${place(databaseUrl)} does not answer: start it (in development with \`npm run db\`), ` +
        'or correct DATABASE_URL.',
    );
  }
  if (error instanceof Error && error.name.startsWith('PrismaClient')) return say(lastLine(error.message));
  return error instanceof Error ? error : new Error(String(error));
}

/** Prisma writes a piece of our source before what went wrong. */
const lastLine = (message: string): string => message.trim().replace(/.*\n/s, '').trim();

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
