import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type CliResult, prisma } from '../support/prisma-cli.ts';
import { onServer, testServer, withDatabase } from '../support/servers/cluster.ts';

// A small project of its own beside ours: the same CLI, the same bridge.
const ENGINE = join(import.meta.dirname, '../../scripts/schema-engine.mjs');
const DATABASE = `schema_engine_test_${process.pid}`;
const SCHEMA = `generator client {
  provider = "prisma-client"
  output   = "./client"
}
datasource db {
  provider = "postgresql"
}
model Shop {
  id   Int    @id @default(autoincrement())
  name String
}
`;

let folder: string;
let serverUrl: string;
let url: string;

beforeAll(async () => {
  serverUrl = (await testServer()).url;
  url = withDatabase(serverUrl, DATABASE);
  folder = mkdtempSync(join(tmpdir(), 'schema-engine-'));
  mkdirSync(join(folder, '.config'));
  writeFileSync(
    join(folder, '.config/prisma.mjs'),
    `process.env.PRISMA_SCHEMA_ENGINE_BINARY = ${JSON.stringify(ENGINE)};
export default {
  schema: ${JSON.stringify(join(folder, 'schema.prisma'))},
  migrations: { path: ${JSON.stringify(join(folder, 'migrations'))} },
  datasource: { url: process.env.DATABASE_URL },
};
`,
  );
  writeSchema(SCHEMA);
});
afterAll(async () => {
  await onServer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`));
  rmSync(folder, { recursive: true });
});

const writeSchema = (text: string) => writeFileSync(join(folder, 'schema.prisma'), text);
const run = (...args: string[]): Promise<CliResult> => prisma(args, url, { cwd: folder, asTerminal: true });
const migrations = () =>
  readdirSync(join(folder, 'migrations')).filter((name) => name !== 'migration_lock.toml');
const sqlFile = (end: string) =>
  join(folder, 'migrations', migrations().find((name) => name.endsWith(end)) ?? end, 'migration.sql');

async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('prisma migrate through the bridge', () => {
  test('dev makes the database, the first migration, and applies it', async () => {
    const made = await run('migrate', 'dev', '--name', 'first');
    expect(made).toMatchObject({ exitCode: 0 });
    expect(readFileSync(sqlFile('_first'), 'utf8')).toContain('CREATE TABLE "Shop"');
    expect(await query('SELECT * FROM "Shop"')).toEqual([]);
  });

  test('dev keeps what was written by hand, and runs scripts whole', async () => {
    writeSchema(SCHEMA.replace('  name String\n', '  name String\n  city String?\n'));
    expect(await run('migrate', 'dev', '--create-only', '--name', 'second')).toMatchObject({ exitCode: 0 });
    const byHand = `
-- A remark; with a semicolon.
CREATE UNIQUE INDEX "Shop_name_key" ON "Shop"("name") WHERE "city" = 'a;b';
CREATE FUNCTION twice(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN n := n * 2; RETURN n; END $$;
`;
    writeFileSync(sqlFile('_second'), readFileSync(sqlFile('_second'), 'utf8') + byHand);
    expect(await run('migrate', 'dev')).toMatchObject({ exitCode: 0 });
    expect(await query('SELECT twice(21) AS n')).toEqual([{ n: 42 }]);

    const again = await run('migrate', 'dev');
    expect(again.stdout).toContain('Already in sync');
    expect(migrations()).toHaveLength(2);
    const left = await query<{ n: string }>(
      "SELECT count(*) AS n FROM pg_database WHERE datname LIKE 'prisma_migrate_shadow%'",
    );
    expect(left).toEqual([{ n: '0' }]);
  });

  test('status, execute, diff and reset', async () => {
    expect((await run('migrate', 'status')).stdout).toContain('up to date');
    writeFileSync(join(folder, 'change.sql'), 'ALTER TABLE "Shop" ADD COLUMN extra int; -- ;\n');
    expect(await run('db', 'execute', '--file', 'change.sql')).toMatchObject({ exitCode: 0 });
    const args = ['migrate', 'diff', '--from-schema', 'schema.prisma', '--to-config-datasource', '--script'];
    const diff = await run(...args, '--exit-code');
    expect(diff.exitCode).toBe(2);
    expect(diff.stdout).toContain('ADD COLUMN     "extra" INTEGER');
    expect(await run('migrate', 'reset', '--force')).toMatchObject({ exitCode: 0 });
    expect((await run(...args, '--exit-code')).exitCode).toBe(0);
  });

  test('a faulty migration and a server that is away are said plainly', async () => {
    mkdirSync(join(folder, 'migrations/20990101000000_faulty'));
    writeFileSync(join(folder, 'migrations/20990101000000_faulty/migration.sql'), 'CREATE TABEL x ();');
    const faulty = await run('migrate', 'deploy');
    expect(faulty.exitCode).toBe(1);
    expect(faulty.stderr).toContain('syntax error at or near "TABEL"');
    const away = await prisma(['migrate', 'deploy'], 'postgresql://a:b@127.0.0.1:1/x', { cwd: folder });
    expect(away.exitCode).toBe(1);
    expect(away.stderr).toMatch(/P1001|127\.0\.0\.1:1/);
    expect(away.stderr).not.toContain('a:b');
  });
});
