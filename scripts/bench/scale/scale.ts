import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createUser } from '../../../src/access/administer.ts';
import { sealStreamUrl } from '../../../src/cameras/devices/stream-url.ts';
import { loadConfig } from '../../../src/platform/config.ts';
import { type Context, createContext } from '../../../src/platform/context.ts';
import { migrate, startOwnCluster } from '../../support/database.ts';
import { measuringCommand } from '../../support/measuring-command.ts';
import { quantile, rounded } from '../../support/numbers.ts';
import { withClient } from '../../support/sql.ts';
import { withTemporaryFolder } from '../../support/temporary-folder.ts';
import { table } from '../../support/terminal.ts';
import { readCounters, useBetween } from './database-use.ts';
import { coresOf, NodeProcesses } from './node-processes.ts';
import { TAPE_CONFIG } from './tape.ts';

/** After each node has its cameras: first records, first renewals. */
const WARM_UP_MS = 10_000;
/** PostgreSQL counts rows of a session that works on within a second. */
const SETTLE_MS = 1_500;
/** A renewal after more than this share of RENEW_SECONDS was late. */
const LATE_SHARE = 1.5;
const MOST_SECONDS = 120;

interface Options {
  readonly nodes: number;
  readonly cameras: number;
  readonly users: number;
  readonly seconds: number;
  readonly processes: number;
}

export const scale = measuringCommand({
  name: 'scale',
  description:
    'What many compute nodes cost the database: virtual nodes claim runs, renew leases, send heartbeats and store what a simulated ' +
    'shop gives at 5 frames a second, with the code of the product and without cameras, lanes, images and background jobs, into a ' +
    'PostgreSQL of its own on the same machine. 200 nodes need about five cores.',
  options: {
    nodes: ['compute nodes', 200],
    cameras: ['cameras of each node', 1],
    users: ['users, to whom the cameras belong in turns', 20],
    seconds: [`how long it is measured, at most ${MOST_SECONDS}`, 60],
    processes: ['processes of the nodes', Math.max(1, availableParallelism() - 1)],
  },
  measure: (options) => withTemporaryFolder('scale', (folder) => measure(folder, options)),
  report: ({ tables, rowsPerSecond, ...figures }) =>
    [
      table([
        ['figure', 'value'],
        ...Object.entries(figures).map(([name, value]): [string, string] => [name, String(value)]),
      ]),
      table([
        ['rows a second of', 'inserted', 'updated', 'deleted'],
        ...[{ table: 'all tables', ...rowsPerSecond }, ...tables].map(
          (each): [string, number, number, number] => [each.table, each.inserted, each.updated, each.deleted],
        ),
      ]),
    ].join('\n\n'),
});

async function measure(folder: string, options: Options) {
  const { nodes: all, cameras, users, processes } = options;
  if (options.seconds > MOST_SECONDS) throw new Error(`--seconds is at most ${MOST_SECONDS}.`);
  const cluster = await startStatisticsCluster(join(folder, 'postgres'));
  try {
    await migrate(cluster.url);
    const config = loadConfig({ DATABASE_URL: cluster.url, DATA_DIR: folder, LOG_LEVEL: 'silent' });
    const context = createContext(config, 'bench');
    await addScenes(context, options).finally(() => context.db.$disconnect());
    const nodes = await NodeProcesses.start(processes, { url: cluster.url, folder, all, cameras });
    try {
      return await withClient(cluster.url, async (client) => {
        await client.query('CREATE EXTENSION pg_stat_statements');
        await pause(WARM_UP_MS);
        const epochs = await epochSum(client);
        const before = await readCounters(client, cluster.pid);
        nodes.begin();
        const connections = await mostConnections(client, options.seconds);
        const { timings, cpuSeconds } = await nodes.end();
        await pause(SETTLE_MS);
        const use = useBetween(before, await readCounters(client, cluster.pid));
        const lapsedLeases = (await epochSum(client)) - epochs;
        return {
          ...{ nodes: all, cameras: all * cameras, users, processes, seconds: one(use.seconds) },
          ...figuresOf(use),
          ...connections,
          nodeProcessesCores: rounded(coresOf(cpuSeconds, options.seconds), 2),
          ...timesOf(timings, config.renewSeconds * 1000 * LATE_SHARE),
          /** Runs that were taken from a node because its lease had ended. */
          lapsedLeases,
        };
      });
    } finally {
      await nodes.stop();
    }
  } finally {
    await cluster.stop();
  }
}

const one = (value: number) => rounded(value, 1);

const figuresOf = ({ rowsPerSecond, tables, cpuCores, ...use }: ReturnType<typeof useBetween>) => ({
  statementsPerSecond: one(use.statementsPerSecond),
  commitsPerSecond: one(use.commitsPerSecond),
  walKilobytesPerSecond: one(use.walBytesPerSecond / 1000),
  databaseGrowthMegabytes: one(use.databaseGrowthBytes / 1e6),
  postgresCores: cpuCores === null ? null : rounded(cpuCores, 2),
  rowsPerSecond: roundedRows(rowsPerSecond),
  tables: tables.map(({ table: name, ...rows }) => ({ table: name, ...roundedRows(rows) })),
});

const roundedRows = (rows: { inserted: number; updated: number; deleted: number }) => ({
  inserted: one(rows.inserted),
  updated: one(rows.updated),
  deleted: one(rows.deleted),
});

const timesOf = (
  { writes, beats, beatsTook }: Awaited<ReturnType<NodeProcesses['end']>>['timings'],
  lateMs: number,
) => ({
  /** All that a node stores of a second. */
  writeP50Ms: one(quantile(writes, 0.5)),
  writeP95Ms: one(quantile(writes, 0.95)),
  heartbeatP95Ms: one(quantile(beatsTook, 0.95)),
  renewals: beats.length,
  lateRenewals: beats.filter((ms) => ms > lateMs).length,
  longestRenewalGapSeconds: one(Math.max(0, ...beats) / 1000),
});

/** A PostgreSQL with its usual durability that counts statements. */
async function startStatisticsCluster(dataDir: string) {
  const first = await startOwnCluster({ dataDir });
  try {
    await withClient(first.url, (client) =>
      client.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'"),
    );
  } finally {
    await first.stop();
  }
  return startOwnCluster({ dataDir });
}

/** Users with cameras and queued runs. */
async function addScenes({ db, sealer }: Context, { nodes, cameras, users }: Options): Promise<void> {
  const owners: string[] = [];
  for (let at = 0; at < users; at += 1)
    owners.push((await createUser(db, `user${at}@example.com`, false)).userId);
  const streamUrlEncrypted = sealStreamUrl(sealer, 'sim:shop?seed=1');
  const config = JSON.parse(JSON.stringify(TAPE_CONFIG)) as object;
  for (let at = 0; at < nodes * cameras; at += 1) {
    const userId = owners[at % users]!;
    const device = await db.device.create({
      data: { userId, name: `Camera ${at}`, streamUrlEncrypted, onlineStatus: 'online' },
    });
    const place = { userId, deviceId: device.id };
    const scene = await db.scene.create({
      data: { ...place, name: 'Queue', analysisStatus: 'starting', config },
    });
    await db.analysisTask.create({ data: { ...place, sceneId: scene.id } });
  }
}

/** The most connections while time passes: open, and with a statement under way. */
async function mostConnections(client: pg.Client, seconds: number) {
  let [open, active] = [0, 0];
  const endMs = performance.now() + seconds * 1000;
  while (performance.now() < endMs) {
    const { rows } = await client.query<{ open: number; active: number }>(
      `SELECT count(*)::int AS open, count(*) FILTER (WHERE state = 'active')::int AS active FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    open = Math.max(open, rows[0]!.open);
    active = Math.max(active, rows[0]!.active);
    await pause(250);
  }
  return { mostConnections: open, mostActiveConnections: active };
}

async function epochSum(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ epochs: number }>(
    'SELECT coalesce(sum(epoch), 0)::int AS epochs FROM "AnalysisTask"',
  );
  return rows[0]!.epochs;
}
