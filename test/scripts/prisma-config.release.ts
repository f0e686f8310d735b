import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const PROJECT = join(import.meta.dirname, '../..');
function prisma(
  args: readonly string[],
  changes: NodeJS.ProcessEnv,
): Promise<{ code: number; said: string }> {
  const { DATABASE_URL: _, DIRECT_DATABASE_URL: __, ...others } = process.env;
  const command = ['node_modules/prisma/build/index.js', ...args];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      command,
      { cwd: PROJECT, env: { ...others, ...changes } },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, said: `${stdout}${stderr}` }),
    );
  });
}

test('a migration without DATABASE_URL says in one sentence how to get a database', async () => {
  // In production the database of `npm run db` is not taken.
  const production = { NODE_ENV: 'production' };
  const { code, said } = await prisma(['migrate', 'deploy'], production);
  expect(code).toBe(1);
  expect(said).toContain('DATABASE_URL is not set. `npm run db` starts a PostgreSQL');
  expect(said).not.toContain('datasource.url');
  expect((await prisma(['validate'], production)).code).toBe(0);
});

test('a file with the address that cannot be read is named', async () => {
  expect(await prisma(['migrate', 'deploy'], { DATABASE_URL_FILE: '/missing/database' })).toEqual({
    code: 1,
    said: expect.stringContaining('DATABASE_URL_FILE: the file /missing/database cannot be read.'),
  });
});
