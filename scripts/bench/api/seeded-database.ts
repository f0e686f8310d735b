import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';
import { sealStreamUrl } from '../../../src/cameras/devices/stream-url.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { Sealer } from '../../../src/platform/crypto.ts';
import { loadSecrets } from '../../../src/platform/secrets.ts';
import type { Cluster } from '../../postgres/embedded.ts';
import type { SeededKey } from '../../seed/people.ts';
import type { SeedPlan } from '../../seed/plan.ts';
import { seedDatabase } from '../../seed/seed-database.ts';
import { migrate, startOwnCluster } from '../../support/database.ts';
import { type ServerProgram, startServer } from '../../support/programs.ts';
import { query, withClient } from '../../support/sql.ts';

export interface SeededDatabase {
  readonly url: string;
  /** Of its server's first process. */
  readonly pid: number;
  /** The users' keys, the largest user first. */
  readonly keys: readonly SeededKey[];
  /** Starts a program of this repository on the database, and waits until it answers `readyPath`. */
  start(file: string, readyPath: string): Promise<ServerProgram>;
  stop(): Promise<void>;
}

/**
 * Opens the seeded database of this plan, in the cluster that all benches share in DATA_DIR/bench. It is seeded the first
 * time and kept. @param kind begins its name
 */
export async function openSeededDatabase(plan: SeedPlan, kind = 'bench'): Promise<SeededDatabase> {
  const folder = join(loadConfig().dataDir, 'bench');
  mkdirSync(folder, { recursive: true });
  const cluster = await startWithMemory(join(folder, 'postgres'));
  const name = `${kind}_${plan.users}_${plan.alerts}_${plan.snapshots}`;
  const url = Object.assign(new URL(cluster.url), { pathname: `/${name}` }).href;
  const keysFile = join(folder, `${name}.json`);
  try {
    if (!existsSync(keysFile)) {
      await recreate(cluster.url, name);
      await migrate(url);
      const sealer = new Sealer(loadSecrets({ ...loadConfig(), dataDir: folder }).encryptionKeys);
      const keys = await seedDatabase(url, plan, (address) => sealStreamUrl(sealer, address));
      // This file is written last: without it the next call seeds again.
      writeFileSync(keysFile, JSON.stringify(keys), { mode: 0o600 });
    }
    await migrate(url);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return {
    ...{ url, pid: cluster.pid, stop: () => cluster.stop() },
    keys: JSON.parse(readFileSync(keysFile, 'utf8')) as SeededKey[],
    start(file, readyPath) {
      // The log of an API has a line for each request: only that of the last bench is kept.
      rmSync(join(folder, `${basename(file, '.ts')}.log`), { force: true });
      // DATA_DIR has the secrets with which the rows are encrypted.
      const env = { DATABASE_URL: url, DATA_DIR: folder };
      return startServer(file, { env, logFolder: folder, readyPath });
    },
  };
}

/** PostgreSQL's default is for the smallest machines. A server for a database of this size has more. */
const SHARED_BUFFERS = '1GB';

/** A cluster with SHARED_BUFFERS, which take effect at a start. */
async function startWithMemory(dataDir: string): Promise<Cluster> {
  const cluster = await startOwnCluster({ dataDir });
  const [row] = await query<{ shared_buffers: string }>(cluster.url, 'SHOW shared_buffers');
  if (row?.shared_buffers === SHARED_BUFFERS) return cluster;
  await query(cluster.url, `ALTER SYSTEM SET shared_buffers = '${SHARED_BUFFERS}'`);
  await cluster.stop();
  return startOwnCluster({ dataDir });
}

const recreate = (serverUrl: string, name: string): Promise<void> =>
  withClient(serverUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  });
