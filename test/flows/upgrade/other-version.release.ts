import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Program, startProgram } from '../../../scripts/support/programs.ts';
import { query } from '../../../scripts/support/sql.ts';
import { checkDatabase } from '../../../src/platform/database/database-check.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

const NEWER = '20991231235959_of_a_later_version';

const folder = mkdtempSync(join(tmpdir(), 'versions-'));
const programs: Program[] = [];
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await database.drop();
  rmSync(folder, { recursive: true });
});

function start(file: string): Program {
  const env = {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info' },
    ...{ LANES: '1', EXECUTION_PROVIDER: 'cpu', NODE_NAME: 'beside-a-later-version' },
  };
  const program = startProgram(file, env, folder);
  programs.push(program);
  return program;
}

const logOf = ({ logFile }: Program) => readFileSync(logFile, 'utf8');

test('API and worker run on a database of the next version, and say in one line of the log that it is newer', async () => {
  await query(
    database.url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, '', $1, now(), 1)`,
    [NEWER],
  );
  const api = start('src/api.ts');
  const worker = start('src/worker.ts');
  await eventually('the API listens', () => logOf(api).includes('The API listens'));
  await eventually('the node is registered', async () => (await database.db.computeNode.count()) === 1);
  for (const program of [api, worker]) {
    const told = logOf(program)
      .split('\n')
      .filter((line) => line.includes('belongs to a newer version'));
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0]!)).toMatchObject({
      level: 40,
      msg: expect.stringMatching(
        /1 of its migrations, 20991231235959_of_a_later_version first, .* update this program/,
      ),
    });
    expect(program.running).toBe(true);
    await program.stop();
  }
  await query(database.url, 'DELETE FROM _prisma_migrations WHERE id = $1', [NEWER]);
  expect(await checkDatabase(database.db, database.url)).toBeNull();
});

test('API and worker end on a database of a former version, and say what to do', async () => {
  await query(
    database.url,
    `DELETE FROM _prisma_migrations
     WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`,
  );
  for (const program of [start('src/api.ts'), start('src/worker.ts')]) {
    expect(await program.ended).toBe(1);
    expect(logOf(program)).toContain('lacks 1 migration(s)');
    expect(logOf(program)).toContain('run `npx prisma migrate deploy`');
  }
});
