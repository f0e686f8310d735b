import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createDb, type Db } from '../../src/platform/database/db.ts';
import { onServer, testServer, withDatabase } from './servers/cluster.ts';

const MIGRATIONS = join(import.meta.dirname, '../../prisma/migrations');

export const sqlOf = (migration: string): string =>
  readFileSync(join(MIGRATIONS, migration, 'migration.sql'), 'utf8');

export interface OldDatabase {
  readonly client: pg.Client;
  readonly url: string;
  /** Names of roles. */
  readonly owner: string;
  readonly writer: string;
}

let ends: (() => Promise<unknown>)[] = [];

/** Removes what these functions made; for `afterEach`. */
export async function endOldDatabases(): Promise<void> {
  for (const end of ends.toReversed()) await end();
  ends = [];
}

/** A database before a migration, with a user, a camera and a scene. Its owner is no superuser. */
export async function oldDatabase(
  before: string,
  { mayCreateSchemas = true }: { readonly mayCreateSchemas?: boolean } = {},
): Promise<OldDatabase> {
  const server = await testServer();
  const id = randomBytes(6).toString('hex');
  const [name, owner, writer] = [`old_${id}`, `owner_${id}`, `writer_${id}`];
  await onServer(server.url, async (client) => {
    await client.query(`CREATE ROLE ${owner} LOGIN PASSWORD '${owner}'`);
    await client.query(`CREATE ROLE ${writer}`);
    await client.query(`CREATE DATABASE ${name}`);
    await client.query(
      `GRANT CONNECT, TEMPORARY ${mayCreateSchemas ? ', CREATE' : ''} ON DATABASE ${name} TO ${owner}`,
    );
  });
  ends.push(() =>
    onServer(server.url, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await client.query(`DROP ROLE ${owner}`);
      await client.query(`DROP ROLE ${writer}`);
    }),
  );
  const admin = await connect(withDatabase(server.url, name));
  await admin.query(`ALTER SCHEMA public OWNER TO ${owner}`);
  // Only a superuser may create them.
  await admin.query('CREATE EXTENSION unaccent; CREATE EXTENSION btree_gin; CREATE EXTENSION pg_trgm');
  const url = new URL(withDatabase(server.url, name));
  url.username = owner;
  url.password = owner;
  const client = await connect(url.href);
  for (const migration of migrationsBefore(before)) await client.query(sqlOf(migration));
  await client.query(`
    INSERT INTO "User" (email, "updatedAt") VALUES ('shop@example.com', now());
    INSERT INTO "Device" ("userId", name, "streamUrlEncrypted", "updatedAt") SELECT id, 'Till', 'x', now() FROM "User";
    INSERT INTO "Scene" ("userId", "deviceId", name, config, "updatedAt")
      SELECT "userId", id, 'Queue', '{}', now() FROM "Device"`);
  return { client, url: url.href, owner, writer };
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  ends.push(() => client.end());
  return client;
}

export function openDb(url: string): Db {
  const db = createDb(url);
  ends.push(() => db.$disconnect());
  return db;
}

const migrationsBefore = (migration: string): string[] =>
  readdirSync(MIGRATIONS)
    .filter((name) => /^\d/.test(name) && name < migration)
    .sort();
