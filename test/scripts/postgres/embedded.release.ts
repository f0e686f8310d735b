import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { findCluster, startCluster } from '../../../scripts/postgres/embedded.ts';
import { checkDatabase } from '../../../src/platform/database/database-check.ts';
import { createDb } from '../../../src/platform/database/db.ts';
import { processStartTime } from '../../../src/platform/processes/processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-'));
});
afterAll(async () => {
  await (await findCluster(join(folder, 'db')))?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('a cluster', () => {
  test('started twice at once is one; its rows outlive a stop and a crash', async () => {
    const dataDir = join(folder, 'db');
    const options = { dataDir, disposable: false };
    const [first, second] = await Promise.all([startCluster(options), startCluster(options)]);
    expect(first.url).toBe(second.url);
    expect([first.adopted, second.adopted].filter(Boolean)).toHaveLength(1);
    expect(statSync(join(dataDir, 'cluster.json')).mode & 0o777).toBe(0o600);
    await query(first.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)');
    await expect(query(first.url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/password/);

    await first.stop();
    expect(processStartTime(first.pid)).toBeNull();
    expect(await findCluster(dataDir)).toBeNull();

    const third = await startCluster(options);
    expect(third).toMatchObject({ url: first.url, adopted: false });
    process.kill(third.pid, 'SIGKILL');
    while (processStartTime(third.pid) !== null) await new Promise((resolve) => setTimeout(resolve, 10));
    const fourth = await startCluster(options);
    expect(await query(fourth.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);

    // Whoever lost the record of a running server gets a new one, not two on the same files.
    const file = join(dataDir, 'cluster.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"startTime": "/, '"startTime": "0'));
    const fifth = await startCluster(options);
    expect(fifth.adopted).toBe(false);
    expect(processStartTime(fourth.pid)).toBeNull();
    expect(await query(fifth.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
    await fifth.stop();
  });

  test('a port that is taken and a folder that is none are said plainly', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await expect(startCluster({ dataDir: join(folder, 'taken'), port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is taken by another program`,
    );
    other.close();
    writeFileSync(join(folder, 'file'), '');
    await expect(startCluster({ dataDir: join(folder, 'file') })).rejects.toThrow(/folder .* cannot be used/);
    if (process.getuid?.() === 0) return; // root may write everywhere
    chmodSync(folder, 0o500);
    await expect(startCluster({ dataDir: join(folder, 'locked') })).rejects.toThrow(/cannot be used/);
    chmodSync(folder, 0o700);
  });
});

test('a database that is away says where and what to do, without the password', async () => {
  const url = 'postgresql://somebody:secret@127.0.0.1:1/analytics';
  const db = createDb(url);
  const failure = checkDatabase(db, url);
  await expect(failure).rejects.toThrow(
    'PostgreSQL at 127.0.0.1:1/analytics does not answer: start it (in development with `npm run db`)',
  );
  await expect(failure).rejects.not.toThrow(/secret/);
  await db.$disconnect();
});
