import { randomUUID } from 'node:crypto';
import { recordCapture } from '../../../src/attributes/record-capture.ts';
import { charge } from '../../../src/billing/charge.ts';
import { WINDOWS } from '../../../src/catalogue/metrics/all.ts';
import { TIME_SUM_NAMES } from '../../../src/catalogue/metrics/sums.ts';
import { packRows } from '../../../src/metrics/packed/pack-rows.job.ts';
import { PACKED } from '../../../src/metrics/packed/packed-tables.store.ts';
import { type SceneRecords, writeRecords } from '../../../src/metrics/recorder.store.ts';
import { FILLED, PARTITIONED } from '../../../src/partitions.ts';
import { createDb, type Db, queryRows } from '../../../src/platform/database/db.ts';
import { fillIndexes } from '../../../src/platform/database/fill-indexes.store.ts';
import { createPartitions } from '../../../src/platform/database/partitions/create-partitions.store.ts';
import { createRandom, type Random } from '../../../src/simulator/random.ts';
import { ALL_ATTRIBUTE_KEYS } from '../../../src/vision/attributes/keys.ts';
import type { Visit } from '../../../src/vision/types.ts';
import { sampleMetrics } from '../../seed/numbers.ts';
import { lastMidnight } from '../../seed/plan.ts';
import { seedDatabase } from '../../seed/seed-database.ts';
import { migrate, startOwnCluster } from '../../support/database.ts';
import { measuringCommand } from '../../support/measuring-command.ts';
import { query, withClient } from '../../support/sql.ts';
import { withTemporaryFolder } from '../../support/temporary-folder.ts';
import { progress, table } from '../../support/terminal.ts';
import { type Kept, LEVEL_01, LEVEL_02 } from './kept-rows.ts';

const STEP_MS = 10_000;
const STEPS = [5, 4, 3, 2, 1, 0];
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The indexes of a table without partitions are built again when they are a fifth larger: on average they are half of that larger. */
const GROWTH = 1.1;

interface Camera {
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly computeNodeId: string;
  readonly taskId: string;
}

export const storage = measuringCommand({
  name: 'storage',
  description:
    'What a camera holds once each row is as old as it gets. The writers of the service store some minutes of several cameras, in the order ' +
    'of time, with a visit, a slice and an attribute record of one person in each, and dead rows are removed as often as in service; ' +
    'bytes of a row, with its indexes, are multiplied with the rows of a camera that is analysed all day. Every number of the catalogue is measured, so that no row is larger.',
  options: { minutes: ['minutes that are stored', 480], cameras: ['cameras whose rows alternate', 10] },
  measure: ({ minutes, cameras }) =>
    withTemporaryFolder('analytics-storage', async (folder) => {
      const database = await startOwnCluster({ dataDir: folder });
      const db = createDb(database.url);
      try {
        await migrate(database.url);
        // It looks at tables once a minute of the clock, in which this stores hours: what it finds would be an accident.
        await query(database.url, 'ALTER SYSTEM SET autovacuum = off');
        await query(database.url, 'SELECT pg_reload_conf()');
        const places = await addCameras(db, database.url, cameras);
        for (const spec of PARTITIONED)
          await createPartitions(db, spec, new Date(lastMidnight().getTime() - DAY_MS));
        await store(db, places, minutes);
        await withClient(database.url, (client) => client.query('VACUUM (ANALYZE)'));
        const written = holdings(await readSizes(database.url), 1);
        // When the partitions of all rows are over.
        const now = new Date(lastMidnight().getTime() + 62 * DAY_MS);
        await fillIndexes(db, database.url, { tables: FILLED, now, leastBytes: 0 });
        const filled = await readSizes(database.url);
        await db.scene.updateMany({ data: { metricsUpdatedAt: now } });
        await packRows({ db, clock: { now: () => now } });
        await withClient(database.url, (client) => client.query('VACUUM (ANALYZE)'));
        const sizes = new Map([...filled, ...(await readPacked(database.url))]);
        return { minutes, cameras, written, ...holdings(sizes, GROWTH) };
      } finally {
        await db.$disconnect();
        await database.stop();
      }
    }),
  report: ({ minutes, cameras, written, rows, level01, level02 }) =>
    [
      table([
        [
          'table',
          'rows a day',
          'bytes of a row',
          'of them indexes',
          'as written',
          'kept for days',
          'MB a camera',
        ],
        ...rows.map(({ name, perDay, bytes, indexBytes, days, megabytes }, at) => [
          ...[
            name,
            String(perDay),
            bytes.toFixed(0),
            indexBytes.toFixed(0),
            written.rows[at]!.bytes.toFixed(0),
            days === null ? 'stays' : String(days),
          ],
          days === null ? `${megabytes.toFixed(1)} a year` : megabytes.toFixed(1),
        ]),
      ]),
      '',
      `LEVEL_01 ${level01.toFixed(0)} MB, LEVEL_02 ${level02.toFixed(0)} MB, beside what stays; if indexes stayed as they were written, ` +
        `${written.level01.toFixed(0)} and ${written.level02.toFixed(0)} MB. Bytes of a row are of ${minutes} minutes of ` +
        `${cameras} cameras; the rest is reckoned.`,
    ].join('\n'),
});

async function addCameras(db: Db, url: string, cameras: number): Promise<Camera[]> {
  const none = { alerts: 0, pictured: 0, snapshots: 0, rolling: 0, tasks: 0, usage: 0, usageDays: 1 };
  // A user has ten cameras.
  const plan = { seed: 1, users: 1, devices: Math.ceil(cameras / 10), ...none, until: lastMidnight() };
  await seedDatabase(url, plan, (address) => address);
  await db.device.updateMany({ data: { plan: 'LEVEL_02' } });
  const node = await db.computeNode.findFirstOrThrow();
  const scenes = await db.scene.findMany({ take: cameras, orderBy: { id: 'asc' } });
  const places: Camera[] = [];
  for (const { id: sceneId, deviceId, userId } of scenes) {
    const place = { userId, deviceId, sceneId, computeNodeId: node.id };
    const { id } = await db.analysisTask.create({
      data: { ...place, id: randomUUID(), status: 'PROCESSING' },
    });
    places.push({ ...place, taskId: id });
  }
  return places;
}

/** Every number of a minute, and the visits of one run. */
class Run {
  readonly camera: Camera;
  readonly #random: Random;
  #open: Visit[] = [];
  #number = 0;

  constructor(camera: Camera, at: number) {
    this.camera = camera;
    this.#random = createRandom(2, at);
  }

  /** @param timeMs the end of the minute */
  recordsOf(timeMs: number): SceneRecords {
    const sums = TIME_SUM_NAMES.map((name) => [
      name,
      Math.floor(this.#random.between(0, name.startsWith('max') ? 9 : 3 * MINUTE_MS)),
    ]);
    const minute = { minuteMs: timeMs - MINUTE_MS, coveredMs: MINUTE_MS, ...Object.fromEntries(sums) };
    const window = (endMs: number, lengthMs: number) => ({
      windowStartMs: endMs - lengthMs,
      windowEndMs: endMs,
    });
    const { total, current: _, ...windows } = sampleMetrics(this.#random);
    return {
      ...this.camera,
      visits: this.#changed(timeMs),
      minutes: [minute as SceneRecords['minutes'][number]],
      totals: null,
      snapshots: STEPS.map((step) => ({
        ...window(timeMs - step * STEP_MS, STEP_MS),
        durationSeconds: STEP_MS / 1000,
        currentMetrics: sampleMetrics(this.#random).current,
      })),
      rolling: [
        ...WINDOWS.map(({ name, windowType, lengthMs }) => ({
          ...{ windowType, metrics: windows[name] },
          ...window(timeMs, lengthMs),
        })),
        { windowType: 'total', metrics: total, ...window(timeMs, 31 * 86_400_000) },
      ],
      said: [],
    };
  }

  /** Every minute a person joins, is served in the next one, and goes in the third: three writes of one row. */
  #changed(timeMs: number): Visit[] {
    this.#number++;
    const joined: Visit = {
      ...{ id: this.#number, trackId: this.#number, state: 'queued', outcome: null },
      ...{
        queueEnteredAtMs: timeMs - 3_000,
        queueLeftAtMs: null,
        serviceStartedAtMs: null,
        serviceEndedAtMs: null,
      },
      ...{ arrivalDecidedAtMs: timeMs, outcomeDecidedAtMs: null },
    };
    const changed = this.#open.map((visit): Visit => {
      if (visit.state === 'queued')
        return { ...visit, state: 'in_service', queueLeftAtMs: timeMs, serviceStartedAtMs: timeMs };
      return {
        ...{
          ...visit,
          state: 'closed',
          outcome: 'completed',
          serviceEndedAtMs: timeMs,
          outcomeDecidedAtMs: timeMs,
        },
        ...{
          services: [{ tillId: 't1', startedAtMs: timeMs - MINUTE_MS, endedAtMs: timeMs }],
          isInTime: true,
        },
      };
    });
    this.#open = [joined, ...changed].filter(({ state }) => state !== 'closed');
    return [joined, ...changed];
  }
}

async function store(db: Db, cameras: readonly Camera[], minutes: number): Promise<void> {
  const runs = cameras.map((camera, at) => new Run(camera, at));
  const endMs = lastMidnight().getTime();
  const bar = progress('store', minutes, 'minutes');
  for (let timeMs = endMs - (minutes - 1) * MINUTE_MS; timeMs <= endMs; timeMs += MINUTE_MS) {
    const records = runs.map((run) => run.recordsOf(timeMs));
    await db.$transaction((tx) => writeRecords(tx, records));
    for (const camera of cameras) {
      await buySlice(db, camera, timeMs);
      await capture(db, camera, timeMs);
    }
    await vacuum(db);
    bar.step();
  }
  bar.stop();
}

/** Tables of which autovacuum would remove dead rows. Its threshold of 50 rows is left out: it is nothing beside the rows of years. */
const DUE = `
  SELECT s.relid::regclass::text AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE n_dead_tup > n_live_tup * coalesce(
    (SELECT option_value FROM pg_options_to_table(c.reloptions) WHERE option_name = 'autovacuum_vacuum_scale_factor'),
    current_setting('autovacuum_vacuum_scale_factor'))::float8`;

/** What autovacuum does, each stored minute: so a table has at its end the dead and free room that it has in service. */
async function vacuum(db: Db): Promise<void> {
  // All writes used this connection of the pool, one after the other.
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`;
  for (const { name } of await queryRows<{ name: string }>(db, DUE, []))
    await db.$executeRawUnsafe(`VACUUM ${name}`);
}

async function buySlice(db: Db, { computeNodeId: _, ...whose }: Camera, timeMs: number): Promise<void> {
  const what = { feature: 'analysis', quantity: 60, sourceId: `${whose.taskId}:${timeMs}` } as const;
  await db.$transaction((tx) => charge(tx, { ...whose, ...what, occurredAt: new Date(timeMs - MINUTE_MS) }));
}

const TOLD = ALL_ATTRIBUTE_KEYS.filter((_, at) => at % 4 === 0);

const capture = (db: Db, camera: Camera, atMs: number): Promise<unknown> =>
  db.$transaction((tx) =>
    recordCapture(tx, camera, {
      atMs,
      persons: [
        {
          trackId: Math.floor(atMs / MINUTE_MS) % 100_000,
          box: { left: 0.4123, top: 0.2071, right: 0.5119, bottom: 0.8042 },
          ...{ confidence: 0.8123, attributes: TOLD, known: ALL_ATTRIBUTE_KEYS },
        },
      ],
      coveredKeys: ALL_ATTRIBUTE_KEYS,
    }),
  );

interface Size {
  readonly name: string;
  readonly rows: number;
  readonly heap: number;
  readonly indexes: number;
}

/** Of tables with partitions those that have rows. Without the pages that a table has only once: maps, first pages, BRIN. */
async function readSizes(url: string): Promise<ReadonlyMap<string, Size>> {
  const found = await query<Size>(
    url,
    `SELECT c.relname AS name, sum(l.reltuples)::float8 AS rows, sum(pg_relation_size(l.oid))::float8 AS heap,
       sum((SELECT sum(pg_relation_size(indexrelid) - 8192) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
            JOIN pg_am a ON a.oid = x.relam WHERE i.indrelid = l.oid AND a.amname = 'btree'))::float8 AS indexes
     FROM pg_class c
     JOIN LATERAL (SELECT relid FROM pg_partition_tree(c.oid) WHERE isleaf UNION SELECT c.oid WHERE c.relkind = 'r') p ON true
     JOIN pg_class l ON l.oid = p.relid AND l.reltuples > 0
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY 1`,
    [],
  );
  return new Map(found.map((size) => [size.name, size]));
}

/** Of tables with packed rows: of each packed row, with what is stored apart. */
async function readPacked(url: string): Promise<ReadonlyMap<string, Size>> {
  const found = await query<Size>(
    url,
    PACKED.map(
      ({ hours }) => `
        SELECT '${hours}' AS name, (SELECT sum(rows) FROM "${hours}")::float8 AS rows,
          (pg_relation_size('"${hours}"') + pg_relation_size(c.reltoastrelid) + pg_indexes_size(c.reltoastrelid))::float8 AS heap,
          pg_relation_size('"${hours}_pkey"')::float8 AS indexes
        FROM pg_class c WHERE c.oid = '"${hours}"'::regclass`,
    ).join(' UNION ALL '),
    [],
  );
  return new Map(found.map((size) => [size.name, size]));
}

/** @param growth of the indexes of a table without partitions */
function holdings(sizes: ReadonlyMap<string, Size>, growth: number) {
  const isWhole = (name: string) => !PARTITIONED.some(({ table: partitioned }) => partitioned === name);
  const hold = ({ name, perDay, days, bytes: known }: Kept) => {
    const { rows, heap, indexes: measured } = sizes.get(name) ?? { rows: 1, heap: known ?? 0, indexes: 0 };
    const indexes = measured * (isWhole(name) && FILLED.includes(name) ? growth : 1);
    const bytes = (heap + indexes) / rows;
    return {
      name,
      perDay,
      days,
      bytes,
      indexBytes: indexes / rows,
      megabytes: (bytes * perDay * (days ?? 365)) / 1e6,
    };
  };
  const first = LEVEL_01.map(hold);
  const second = LEVEL_02.map(hold);
  const sum = (held: typeof first) =>
    held.reduce((total, { days, megabytes }) => total + (days === null ? 0 : megabytes), 0);
  return {
    rows: [...first, ...second.map((row) => ({ ...row, name: `${row.name} (LEVEL_02)` }))],
    level01: sum(first),
    level02: sum(first) + sum(second),
  };
}
