import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../../src/config.ts';
import { sealStreamUrl } from '../../../src/devices/stream-url.ts';
import { Sealer } from '../../../src/platform/crypto.ts';
import { loadSecrets } from '../../../src/platform/secrets.ts';
import type { Cluster } from '../../postgres/embedded.ts';
import type { SeededKey } from '../../seed/people.ts';
import type { SeedPlan } from '../../seed/plan.ts';
import { seedDatabase } from '../../seed/seed-database.ts';
import { migrate } from '../../support/database.ts';
import { startOwnCluster } from '../../support/own-cluster.ts';

export interface BenchDatabase {
  readonly url: string;
  /** Of its server's first process. */
  readonly pid: number;
  /** Of the users, the largest first. */
  readonly keys: readonly SeededKey[];
  /** DATA_DIR of the API: the secrets that the rows are sealed with. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** A seeded database of this plan, in a cluster of the benches' own; kept for the next time. @param kind begins its name */
export async function openBenchDatabase(plan: SeedPlan, kind = 'bench'): Promise<BenchDatabase> {
  const dataDir = join(loadConfig().dataDir, 'bench');
  mkdirSync(dataDir, { recursive: true });
  const cluster = await startWithMemory(join(dataDir, 'postgres'));
  const name = `${kind}_${plan.users}_${plan.alerts}_${plan.snapshots}`;
  const url = Object.assign(new URL(cluster.url), { pathname: `/${name}` }).href;
  const keysFile = join(dataDir, `${name}.json`);
  try {
    if (!existsSync(keysFile)) {
      await recreate(cluster.url, name);
      await migrate(url);
      const { encryptionKeys } = loadSecrets({ ...loadConfig(), dataDir });
      const sealer = new Sealer(encryptionKeys);
      const made = await seedDatabase(url, plan, (address) => sealStreamUrl(sealer, address));
      // Written last: a seeding that was cut short begins anew.
      writeFileSync(keysFile, JSON.stringify(made), { mode: 0o600 });
    }
    await migrate(url);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  const keys = JSON.parse(readFileSync(keysFile, 'utf8')) as SeededKey[];
  return { url, pid: cluster.pid, keys, dataDir, stop: () => cluster.stop() };
}

/** What PostgreSQL comes with is for the smallest machines: no server of this size would be left like that. */
const SHARED_BUFFERS = '1GB';

/** A cluster with as much memory; it takes this up when it starts. */
async function startWithMemory(dataDir: string): Promise<Cluster> {
  const cluster = await startOwnCluster({ dataDir });
  const isSet = await withClient(cluster.url, async (client) => {
    const { rows } = await client.query<{ shared_buffers: string }>('SHOW shared_buffers');
    if (rows[0]?.shared_buffers === SHARED_BUFFERS) return true;
    await client.query(`ALTER SYSTEM SET shared_buffers = '${SHARED_BUFFERS}'`);
    return false;
  });
  if (isSet) return cluster;
  await cluster.stop();
  return startOwnCluster({ dataDir });
}

async function recreate(serverUrl: string, name: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  });
}

/** Connects, lets it be used, disconnects. */
export async function withClient<Result>(
  url: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
