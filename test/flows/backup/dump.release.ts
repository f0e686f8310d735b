import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { migrate } from '../../../scripts/support/database.ts';
import { query } from '../../../scripts/support/sql.ts';
import { testWhere } from '../../support/installed.ts';
import {
  initSystemServer,
  POSTGRES_PROGRAMS,
  runProgram,
  type SystemServer,
  startSystemServer,
} from '../../support/servers/system-postgres.ts';
import { alertsIn, auditRestored, type Kept, Shop } from './shop.ts';

const testWithPostgres = testWhere(POSTGRES_PROGRAMS !== null);
if (POSTGRES_PROGRAMS === null)
  process.stderr.write('Skipped: pg_dump needs PostgreSQL of the system (apt-get install postgresql).\n');

const folder = mkdtempSync(join(tmpdir(), 'dump-'));
const logs = join(folder, 'logs');
const servers: SystemServer[] = [];
const shops: Shop[] = [];

async function emptyServer(name: string): Promise<SystemServer> {
  const rows = join(folder, name, 'postgres');
  mkdirSync(join(folder, name));
  await initSystemServer(rows);
  const server = await startSystemServer(rows);
  servers.push(server);
  return server;
}

async function open(...given: Parameters<typeof Shop.open>): Promise<Shop> {
  const shop = await Shop.open(...given);
  shops.push(shop);
  return shop;
}

beforeAll(() => mkdirSync(logs));
afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.stop()));
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

testWithPostgres(
  'a dump and a copy of the pictures, restored into an empty server, continue the analysis (needs pg_dump)',
  async () => {
    const first = await emptyServer('first');
    await query(first.url('postgres'), 'CREATE DATABASE analytics');
    const original: Kept = { databaseUrl: first.url('analytics'), dataDir: join(folder, 'data') };
    mkdirSync(original.dataDir);
    await migrate(original.databaseUrl);
    const shop = await open(original, 'before', logs);
    const sceneId = await shop.startAnalysis();
    const alertId = await shop.fireAlert(sceneId, 'before the dump');

    // While everything runs, the rows first: each picture of a row is stored before the row.
    const dump = join(folder, 'analytics.dump');
    runProgram('pg_dump', ['--format=custom', `--file=${dump}`, original.databaseUrl]);
    const copy = join(folder, 'copy');
    cpSync(join(original.dataDir, 'images'), join(copy, 'images'), { recursive: true });
    cpSync(join(original.dataDir, 'secrets.json'), join(copy, 'secrets.json'));
    const dumped = await shop.run(sceneId);
    await shop.fireAlert(sceneId, 'after the dump');
    await shop.crash();
    await first.stop();

    const second = await emptyServer('second');
    const restore = async (database: string, ...options: string[]): Promise<Kept> => {
      await query(second.url('postgres'), `CREATE DATABASE ${database}`);
      const target = `--dbname=${second.url(database)}`;
      runProgram('pg_restore', ['--exit-on-error', '--no-owner', ...options, target, dump]);
      return { databaseUrl: second.url(database), dataDir: copy };
    };
    const restored = await restore('analytics');
    await auditRestored(restored);
    expect(await alertsIn(restored)).toEqual(['before the dump']);

    const again = await open(restored, 'after', logs, shop.key);
    await again.untilFrames(sceneId, 5);
    const { id, status, epoch, frames } = await again.run(sceneId);
    // The same run of another node, with the numbers that it had.
    expect({ id, status }).toEqual({ id: dumped.id, status: 'PROCESSING' });
    expect(epoch).toBeGreaterThan(dumped.epoch);
    expect(frames).toBeGreaterThanOrEqual(dumped.frames);
    expect(await again.openPictures(alertId)).toBe(2);
    await again.fireAlert(sceneId, 'after the restore');
    await again.stop();
    await auditRestored(restored);

    // The queue holds nothing that the rows do not say: the programs make its schema again.
    const withoutQueue = await restore('without_queue', '--exclude-schema=pgboss');
    const third = await open(withoutQueue, 'third', logs, shop.key);
    await third.untilFrames(sceneId, 2);
    await third.fireAlert(sceneId, 'without the old queue');
  },
);
