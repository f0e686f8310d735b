import { ATTRIBUTE_RECORDS } from '../../../src/attributes/partitions.ts';
import { peopleBytes } from '../../../src/attributes/stored-people.ts';
import { WINDOWS } from '../../../src/catalogue/metrics/all.ts';
import { dropOldMonths } from '../../../src/metrics/folded/old-minutes.store.ts';
import { removeOldHours, removeOldMinutes } from '../../../src/metrics/packed/pack.store.ts';
import { packRows } from '../../../src/metrics/packed/pack-rows.job.ts';
import {
  PACKED,
  PACKED_AFTER_DAYS,
  PACKED_ROLLING,
  PACKED_SNAPSHOTS,
} from '../../../src/metrics/packed/packed-tables.store.ts';
import { ROLLING_RECORDS, SNAPSHOTS } from '../../../src/metrics/partitions.ts';
import { PARTITIONED } from '../../../src/partitions.ts';
import { createDb, type Db } from '../../../src/platform/database/db.ts';
import { createPartitions } from '../../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions, startOf } from '../../../src/platform/database/partitions/partitions.store.ts';
import { removeOldPartitions } from '../../../src/platform/database/partitions/remove-old-partitions.store.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import { ALL_ATTRIBUTE_KEYS, SENSITIVE_GROUPS } from '../../../src/vision/attributes/keys.ts';
import { sampleBytes } from '../../seed/numbers.ts';
import { lastMidnight } from '../../seed/plan.ts';
import { measuringCommand } from '../../support/measuring-command.ts';
import { median } from '../../support/numbers.ts';
import { withClient } from '../../support/sql.ts';
import { progress, table } from '../../support/terminal.ts';
import { aimCell, measure, measuredCells } from '../api/measure.ts';
import { openSeededDatabase } from '../api/seeded-database.ts';

const DAY_MS = 86_400_000;
const MAX_P95_MS = 50;
const FEW = { alerts: 1, pictured: 0, snapshots: 1, rolling: 0, tasks: 0, usage: 0, usageDays: 1 };

export const retention = measuringCommand({
  name: 'retention',
  description:
    'Simulates days of snapshots, rolling records, attribute records and minutes of cameras, with the jobs of partitions, packing and retention after each day: ' +
    'seconds of packing and removal, size of the database, and then times of the lists over HTTP. With --rows nothing makes partitions, ' +
    'so that rows are removed one by one.',
  options: {
    cameras: ['cameras, at most ten', 10],
    days: ['simulated days', 90],
    kept: ['days that rows are kept; minutes in whole months', 30],
    seconds: ['how long each list is measured', 5],
    rows: ['make no partitions', false],
  },
  async measure({ cameras, days, kept, seconds, rows }) {
    const until = lastMidnight();
    const database = await openSeededDatabase({ ...FEW, seed: 1, users: 1, devices: 1, until }, 'retention');
    try {
      const db = createDb(database.url, { silenceMs: 600_000, waitMs: 600_000 });
      const scenes = (await sceneIds(database.url)).slice(0, cameras);
      const simulated = await simulate(db, database.url, { until, scenes, days, kept, rows }).finally(() =>
        db.$disconnect(),
      );
      const api = await database.start('src/api.ts', '/readyz');
      try {
        const { key } = database.keys[0]!;
        const lists = [];
        for (const path of LISTS) {
          const requests = scenes.map((id) => ({ path: `/api/v1${path}`.replace('{scene}', id), key }));
          await measure(api, { connections: 1, requests, once: true });
          lists.push({ path, ...(await measure(api, { connections: 1, requests, seconds })) });
        }
        return { days, kept, cameras: scenes.length, partitions: !rows, ...simulated, lists };
      } finally {
        await api.stop();
      }
    } finally {
      await database.stop();
    }
  },
  report({ days, kept, cameras, partitions, rowsOfDay, removal, packing, sizes, lists }) {
    return [
      table([
        ['after days', 'MB', 'partitions'],
        ...sizes.map(({ day, megabytes, count }) => [String(day), megabytes.toFixed(0), String(count)]),
      ]),
      '',
      table([
        ['call', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'aim'],
        ...lists.map(({ path, ...measured }) => [
          path,
          ...measuredCells(measured),
          aimCell(measured, MAX_P95_MS),
        ]),
      ]),
      '',
      `${days} days of ${cameras} cameras, ${rowsOfDay} rows a day, kept ${kept} days, ${partitions ? 'in partitions' : 'without partitions'}.`,
      ...Object.entries({ Removal: removal, Packing: packing }).map(
        ([what, { medianMs, longestMs }]) =>
          `${what} of a day: median ${medianMs.toFixed(0)} ms, longest ${longestMs.toFixed(0)} ms.`,
      ),
    ].join('\n');
  },
});

const LISTS = [
  '/analytics/snapshots?sceneId={scene}',
  '/analytics/snapshots/latest?sceneId={scene}',
  '/analytics/rolling?sceneId={scene}',
  '/analytics/rolling?sceneId={scene}&windowType=60min',
  '/analytics/rolling/latest?sceneId={scene}',
  '/analysis/attributes?sceneId={scene}',
];

const sceneIds = (url: string): Promise<string[]> =>
  withClient(url, async (client) =>
    (await client.query<{ id: string }>('SELECT id FROM "Scene" ORDER BY id')).rows.map(({ id }) => id),
  );

const PERSON = {
  trackId: 4711,
  box: { left: 0.4123, top: 0.2071, right: 0.5119, bottom: 0.8042 },
  ...{ confidence: 0.81, attributes: ALL_ATTRIBUTE_KEYS.slice(0, 3), known: ALL_ATTRIBUTE_KEYS },
};
const SAMPLES = Array.from({ length: 1_000 }, (_, at) => sampleBytes(createRandom(1, at)));

interface Simulation {
  readonly until: Date;
  readonly scenes: readonly string[];
  readonly days: number;
  readonly kept: number;
  readonly rows: boolean;
}

/** Tables whose retention removes a day. */
const BY_DAY = [SNAPSHOTS, ROLLING_RECORDS, ATTRIBUTE_RECORDS];

async function simulate(db: Db, url: string, { until, scenes, days, kept, rows }: Simulation) {
  await empty(db);
  const [removals, packings]: [number[], number[]] = [[], []];
  const sizes: { day: number; megabytes: number; count: number }[] = [];
  let rowsOfDay = 0;
  const bar = progress('simulate', days, 'days');
  for (let day = 1; day <= days; day++) {
    const start = new Date(until.getTime() - (days - day + 1) * DAY_MS);
    const end = new Date(start.getTime() + DAY_MS);
    if (!rows) for (const spec of PARTITIONED) requireNone(await createPartitions(db, spec, start));
    rowsOfDay = await fillDay(url, scenes, { start, end });
    await db.scene.updateMany({ data: { metricsUpdatedAt: end } });
    const packedAt = performance.now();
    await packRows({ db, clock: { now: () => end } });
    if (day > PACKED_AFTER_DAYS + 1) packings.push(performance.now() - packedAt);
    const before = new Date(end.getTime() - kept * DAY_MS);
    const startedAt = performance.now();
    for (const spec of BY_DAY) requireNone(await removeOldPartitions(db, spec, before));
    for (const spec of [PACKED_SNAPSHOTS, PACKED_ROLLING]) await removeOldHours(db, spec, before);
    if (!rows) requireNone((await dropOldMonths(db, startOf('month', before))).reason);
    await removeOldMinutes(db, startOf('month', before));
    if (day > kept) removals.push(performance.now() - startedAt);
    // What autovacuum does within a day.
    const parts = (await Promise.all(PARTITIONED.map((spec) => listPartitions(db, spec)))).flat();
    for (const { schema, name, from, to, isDefault } of parts)
      if (isDefault || (from && to && from <= start && to >= end))
        await db.$executeRawUnsafe(`VACUUM (ANALYZE) "${schema}"."${name}"`);
    for (const { hours } of PACKED) await db.$executeRawUnsafe(`VACUUM (ANALYZE) "${hours}"`);
    if (day % 30 === 0 || day === days) {
      await db.$executeRaw`CHECKPOINT`;
      const [{ bytes }] = await db.$queryRaw<[{ bytes: number }]>`
        SELECT pg_database_size(current_database())::float8 AS bytes`;
      sizes.push({ day, megabytes: bytes / 1e6, count: parts.length });
    }
    bar.step();
  }
  bar.stop();
  return { rowsOfDay, removal: spreadOf(removals), packing: spreadOf(packings), sizes };
}

const spreadOf = (timesMs: readonly number[]) => ({
  medianMs: timesMs.length > 0 ? median(timesMs) : 0,
  longestMs: Math.max(0, ...timesMs),
});

async function empty(db: Db): Promise<void> {
  // The plan with attributes.
  await db.device.updateMany({ data: { plan: 'LEVEL_02' } });
  // The simulated days lie before it.
  await db.$executeRaw`UPDATE "_prisma_migrations" SET finished_at = 'epoch'`;
  for (const spec of PARTITIONED) {
    for (const { schema, name, isDefault } of await listPartitions(db, spec))
      if (!isDefault) await db.$executeRawUnsafe(`DROP TABLE "${schema}"."${name}"`);
    await db.$executeRawUnsafe(`TRUNCATE "${spec.table}"`);
  }
}

function requireNone(refusal: string | null): void {
  if (refusal) throw new Error(refusal);
}

/** The rows of these scenes in a day, in the order of time. @returns their number */
const fillDay = (
  url: string,
  scenes: readonly string[],
  { start, end }: { start: Date; end: Date },
): Promise<number> =>
  withClient(url, async (client) => {
    // Their scenes exist: to look each of them up takes longer than everything else.
    await client.query('SET session_replication_role = replica');
    const snapshots = await client.query(
      `INSERT INTO "MetricSnapshot" ("sceneId", "deviceId", "windowStart", "windowEnd", "durationSeconds", numbers, "createdAt")
       SELECT s.id, s."deviceId", at - interval '10 s', at, 10, decode($4::jsonb->>(n % 1000)::int, 'hex'), at
       FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 ms', interval '10 s') WITH ORDINALITY t(at, n),
         "Scene" s WHERE s.id = ANY($3::uuid[])
       ORDER BY at`,
      [start, end, scenes, JSON.stringify(SAMPLES.map(({ current }) => current))],
    );
    const rolling = await client.query(
      `INSERT INTO "RollingRecord" ("sceneId", "deviceId", "windowType", "windowStart", "windowEnd", numbers, "createdAt")
       SELECT s.id, s."deviceId", w, at - interval '5 min', at, decode($5::jsonb->>(n % 1000)::int, 'hex'), at
       FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 ms', interval '1 min') WITH ORDINALITY t(at, n),
         "Scene" s, unnest($4::text[]) w WHERE s.id = ANY($3::uuid[])
       ORDER BY at`,
      [
        ...[start, end, scenes, [...WINDOWS.map(({ windowType }) => windowType), 'total']],
        JSON.stringify(SAMPLES.map(({ rolling15Min }) => rolling15Min)),
      ],
    );
    // Half a day of records with one person each.
    const attributes = await client.query(
      `INSERT INTO "AttributeRecord" ("userId", "deviceId", "sceneId", "capturedAt", "totalPersons", people, "createdAt", "updatedAt")
       SELECT s."userId", s."deviceId", s.id, at, 1, $4, at, at
       FROM generate_series($1::timestamptz, $2::timestamptz - interval '12 hours 1 ms', interval '10 s') t(at), "Scene" s
       WHERE s.id = ANY($3::uuid[]) ORDER BY at`,
      [
        start,
        end,
        scenes,
        Buffer.from(peopleBytes({ persons: [PERSON], coveredKeys: ALL_ATTRIBUTE_KEYS }, SENSITIVE_GROUPS)),
      ],
    );
    const minutes = await client.query(
      `INSERT INTO "OccupancyMinute"
       SELECT s.id, at, 60000, 60000 * (n % 7), 60000 * (n % 3), 60000, n % 7 + 1, n % 3 + 1
       FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 ms', interval '1 min') WITH ORDINALITY t(at, n), "Scene" s
       WHERE s.id = ANY($3::uuid[]) ORDER BY at`,
      [start, end, scenes],
    );
    return [snapshots, rolling, attributes, minutes].reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
  });
