import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Cluster, startCluster } from '../../../scripts/postgres/embedded.ts';
import { migrate } from '../../../scripts/support/database.ts';
import { query, withClient } from '../../../scripts/support/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { startS3, type TestS3 } from '../../support/servers/s3.ts';
import { alertsIn, auditRestored, type Kept, Shop } from './shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'point-in-time-'));
const archive = join(folder, 'archive');
const logs = join(folder, 'logs');
const clusters: Cluster[] = [];
const shops: Shop[] = [];
let s3: TestS3;

async function start(dataDir: string): Promise<Cluster> {
  const cluster = await startCluster({ dataDir });
  clusters.push(cluster);
  return cluster;
}

async function open(...given: Parameters<typeof Shop.open>): Promise<Shop> {
  const shop = await Shop.open(...given);
  shops.push(shop);
  return shop;
}

beforeAll(async () => {
  s3 = await startS3();
  // The account of the server enters it.
  chmodSync(folder, 0o755);
  for (const each of [archive, logs]) mkdirSync(each);
  chmodSync(archive, 0o777);
});
afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.stop()));
  await Promise.all(clusters.map((cluster) => cluster.stop()));
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What `pg_basebackup` does, with the server alone: the package from npm has no such program. */
async function baseBackup(url: string, rows: string, target: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("SELECT pg_backup_start('base', fast => true)");
    // Files of queries end while they are copied.
    execFileSync('cp', ['-a', rows, target], { stdio: 'ignore' });
    const { rows: told } = await client.query(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => true)',
    );
    for (const lock of ['postmaster.pid', 'postmaster.opts']) rmSync(join(target, lock), { force: true });
    for (const part of ['pg_wal', 'pg_replslot'])
      execFileSync('find', [join(target, part), '-type', 'f', '-delete']);
    writeFileSync(join(target, 'backup_label'), told[0].labelfile);
  });
}

test('a base backup and the archived log restore the database at a point in time, and a copy of the bucket its pictures', async () => {
  const place = join(folder, 'first');
  const configured = await start(place);
  await query(configured.url, 'ALTER SYSTEM SET archive_mode = on');
  await query(configured.url, `ALTER SYSTEM SET archive_command = 'cp %p ${archive}/%f'`);
  await configured.stop();
  const first = await start(place);
  const original: Kept = {
    ...{ databaseUrl: first.url, dataDir: join(folder, 'data') },
    bucket: { endpoint: s3.endpoint, name: 'images' },
  };
  mkdirSync(original.dataDir);
  await migrate(original.databaseUrl);
  const shop = await open(original, 'before', logs);
  const sceneId = await shop.startAnalysis();
  await shop.fireAlert(sceneId, 'before the base backup');

  const second = join(folder, 'second');
  mkdirSync(second);
  chmodSync(second, 0o711);
  await baseBackup(first.url, join(place, 'postgres'), join(second, 'postgres'));
  const alertId = await shop.fireAlert(sceneId, 'after the base backup');
  const { id, epoch } = await shop.run(sceneId);
  const [{ at }] = (await query<{ at: string }>(first.url, 'SELECT clock_timestamp()::text AS at')) as [
    { at: string },
  ];
  await shop.fireAlert(sceneId, 'after the point in time');
  const [{ name }] = (await query<{ name: string }>(
    first.url,
    'SELECT pg_walfile_name(pg_switch_wal()) AS name',
  )) as [{ name: string }];
  await eventually('the log is archived', async () => {
    const sql = 'SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver';
    return (await query<{ done: boolean | null }>(first.url, sql, [name]))[0]!.done;
  });
  const copy = join(folder, 'copy');
  // The pictures of three alert events.
  expect(await s3.copyTo('copied-images')).toBeGreaterThanOrEqual(9);
  mkdirSync(copy);
  cpSync(join(original.dataDir, 'secrets.json'), join(copy, 'secrets.json'));
  await shop.crash();
  await first.stop();

  const rows = join(second, 'postgres');
  // The password is in the rows; `cluster.json` is where the tools of this project keep it.
  cpSync(join(place, 'cluster.json'), join(second, 'cluster.json'));
  writeFileSync(join(rows, 'recovery.signal'), '');
  const settings = {
    archive_mode: 'off',
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: at,
    recovery_target_action: 'promote',
  };
  const lines = Object.entries(settings).map(([setting, value]) => `${setting} = '${value}'\n`);
  writeFileSync(join(rows, 'postgresql.auto.conf'), lines.join(''));
  for (const file of ['recovery.signal', 'backup_label'])
    execFileSync('chown', [`--reference=${rows}`, join(rows, file)]);
  const recovered = await start(second);
  await eventually('the recovery has ended', async () => {
    const [row] = await query<{ recovers: boolean }>(recovered.url, 'SELECT pg_is_in_recovery() AS recovers');
    return row && !row.recovers;
  });
  const restored: Kept = {
    ...{ databaseUrl: recovered.url, dataDir: copy },
    bucket: { endpoint: s3.endpoint, name: 'copied-images' },
  };
  expect(await alertsIn(restored)).toEqual(['before the base backup', 'after the base backup']);
  await auditRestored(restored);
  const again = await open(restored, 'after', logs, shop.key);
  await again.untilFrames(sceneId, 5);
  const continued = await again.run(sceneId);
  expect(continued).toMatchObject({ id, status: 'PROCESSING' });
  expect(continued.epoch).toBeGreaterThan(epoch);
  expect(await again.openPictures(alertId)).toBe(2);
});
