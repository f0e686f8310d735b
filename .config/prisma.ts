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

/** A secret of the environment, or of the file that the variable with `_FILE` behind its name has. */
function secret(name: string): string | undefined {
  const file = process.env[`${name}_FILE`];
  return process.env[name] || (file && readFileSync(file, 'utf8').trim());
}

const url = secret('DIRECT_DATABASE_URL') || secret('DATABASE_URL') || developmentDatabase();

export default defineConfig({
  schema: path('prisma/schema.prisma'),
  migrations: { path: path('prisma/migrations') },
  ...(url ? { datasource: { url } } : {}),
});
