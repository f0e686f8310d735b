import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb, type Db } from '../../src/platform/database/db.ts';
import { onServer, testServer, withDatabase } from './servers/cluster.ts';

export interface TestDatabase {
  readonly db: Db;
  readonly url: string;
  /** Where programs of this database keep their images; made by the first of them. */
  readonly imagesDir: string;
  /** Disconnects and drops it: call it in `afterAll`. */
  drop(): Promise<void>;
}

/** Longer than any test: on a busy machine a call takes its time, and none of these tests is about the limits. */
const PATIENT = { silenceMs: 300_000, waitMs: 300_000, limits: { idleMs: 300_000 } };

/** A fresh database with all migrations, for one test file: a copy of a migrated template. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await testServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying files takes less than half the time of writing 800 relations to the log, which is PostgreSQL's way if not told.
  const copy = `CREATE DATABASE ${name} TEMPLATE ${server.template} STRATEGY file_copy`;
  await onServer(server.url, (client) => client.query(copy));
  const url = withDatabase(server.url, name);
  const db = createDb(url, PATIENT);
  const imagesDir = join(tmpdir(), name);
  return {
    db,
    url,
    imagesDir,
    async drop() {
      await db.$disconnect();
      await rm(imagesDir, { recursive: true, force: true });
      await onServer(server.url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}
