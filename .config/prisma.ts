// The Prisma CLI finds this file by itself.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

const path = (relative: string) => fileURLToPath(new URL(`../${relative}`, import.meta.url));

// Always our own bridge, so that migrations work the same where the native engine cannot be downloaded.
process.env.PRISMA_SCHEMA_ENGINE_BINARY = path('scripts/schema-engine.mjs');

/** The development cluster of `npm run db`, when there is one. */
function developmentDatabase(): string | undefined {
  try {
    const { url } = JSON.parse(readFileSync(path('.data/db/cluster.json'), 'utf8')) as { url?: string };
    return url;
  } catch {
    return undefined;
  }
}

/** Ends the command with one sentence, which Prisma would surround with a stack. */
function end(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** A secret of the environment, or of the file that the variable with `_FILE` behind its name has. */
function secret(name: string): string | undefined {
  const file = process.env[`${name}_FILE`];
  if (process.env[name] || !file) return process.env[name];
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    end(`${name}_FILE: the file ${file} cannot be read.`);
  }
}

const url =
  secret('DIRECT_DATABASE_URL') ||
  secret('DATABASE_URL') ||
  (process.env.NODE_ENV !== 'production' && developmentDatabase());
const NEEDS_DATABASE = /^(migrate (deploy|dev|reset|resolve|status)|db (execute|pull|push|seed))$/;
if (!url && process.argv.some((word, at, all) => NEEDS_DATABASE.test(`${word} ${all[at + 1]}`)))
  end(
    'DATABASE_URL is not set. `npm run db` starts a PostgreSQL for development and prints the line to use.',
  );

export default defineConfig({
  schema: path('prisma/schema.prisma'),
  migrations: { path: path('prisma/migrations') },
  ...(url ? { datasource: { url } } : {}),
});
