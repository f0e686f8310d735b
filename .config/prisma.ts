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

const url = process.env.DIRECT_DATABASE_URL || process.env.DATABASE_URL || developmentDatabase();

export default defineConfig({
  schema: path('prisma/schema.prisma'),
  migrations: { path: path('prisma/migrations') },
  ...(url ? { datasource: { url } } : {}),
});
