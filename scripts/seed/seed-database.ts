import type pg from 'pg';
import { PARTITIONED } from '../../src/partitions.ts';
import { createDb } from '../../src/platform/database/db.ts';
import { AHEAD, createPartitions } from '../../src/platform/database/partitions/create-partitions.store.ts';
import { withClient } from '../support/sql.ts';
import { progress } from '../support/terminal.ts';
import { fillAlertEvents, fillImages, fillInsights } from './alerts.ts';
import { DERIVE_ATTRIBUTES, fillAttributes } from './attributes.ts';
import { createFunctions } from './functions.ts';
import { DERIVE_QUARTERS, DERIVE_TILLS, fillMinutes, fillVisitRuns, fillVisits } from './history.ts';
import { withoutIndexes } from './indexes.ts';
import { fillRolling, fillSnapshots, snapshotSteps } from './metrics.ts';
import { addPeople, type SeededKey } from './people.ts';
import { emailOf, type SeedPlan, scenesOf } from './plan.ts';
import { DERIVE_USAGE, fillTasks, fillUsage } from './usage.ts';

/** Rows of one statement: many, to be fast; few enough that the progress bar moves. */
const CHUNK = 50_000;

/** A statement over `$1` to `$2`, for the numbers from `from` to `to`. */
interface Filling {
  readonly label: string;
  readonly sql: string;
  readonly from?: number;
  readonly to: number;
  /** How many rows the statement fills for each number. */
  readonly rows?: number;
  /** Starts with the largest number. */
  readonly backwards?: true;
}

const TABLES = [
  ...['AlertEvent', 'Insight', 'StoredImage', 'MetricSnapshot', 'RollingRecord', 'AnalysisTask'],
  ...['AttributeRecord', 'UsageEvent', 'QuotaTransaction', 'OccupancyMinute', 'Visit'],
];

function fillings(plan: SeedPlan): Filling[] {
  const { alerts, pictured, rolling, tasks, attributes = 0, usage, minutes = 0, visits = 0 } = plan;
  const scenes = scenesOf(plan);
  const { first, others } = snapshotSteps(plan);
  const snapshots = { label: 'snapshots', sql: fillSnapshots(plan), backwards: true } as const;
  const rollingSteps = Math.ceil(rolling / scenes / 5);
  return [
    { label: 'alert events', sql: fillAlertEvents(plan), to: alerts },
    { label: 'insights', sql: fillInsights(plan), to: alerts },
    { label: 'images', sql: fillImages(plan), from: Math.max(1, alerts - pictured + 1), to: alerts, rows: 3 },
    { ...snapshots, from: others, to: first - 1 },
    { ...snapshots, from: 0, to: others - 1, rows: scenes },
    {
      ...{
        label: 'rolling records',
        sql: fillRolling(plan),
        from: 0,
        to: rollingSteps - 1,
        rows: scenes * 5,
      },
      backwards: true,
    },
    { label: 'runs', sql: fillTasks(plan), to: tasks },
    {
      ...{ label: 'minutes', sql: fillMinutes(plan), from: 0, to: Math.ceil(minutes / scenes) - 1 },
      ...{ rows: scenes, backwards: true as const },
    },
    { label: 'runs of visits', sql: fillVisitRuns(plan), to: visits > 0 ? scenes : 0 },
    { label: 'visits', sql: fillVisits(plan), to: visits },
    { label: 'attributes', sql: fillAttributes(plan), to: attributes },
    { label: 'usage', sql: fillUsage(plan), to: usage },
  ];
}

/**
 * Fills a migrated database. @returns the users' keys, which are stored nowhere else
 * @throws Error when it was seeded before
 */
export async function seedDatabase(
  databaseUrl: string,
  plan: SeedPlan,
  sealUrl: (url: string) => string,
): Promise<SeededKey[]> {
  return withClient(databaseUrl, async (client) => {
    await requireUnseeded(client);
    await client.query(
      "SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '128MB'",
    );
    await skipTriggers(client);
    await createFunctions(client, plan.seed);
    const keys = await addPeople(client, plan, sealUrl);
    await makePartitions(databaseUrl, plan);
    await withoutIndexes(client, TABLES, {
      async fill() {
        for (const filling of fillings(plan)) await run(client, filling);
        if (plan.attributes) await client.query(DERIVE_ATTRIBUTES);
        for (const sql of plan.minutes ? [DERIVE_QUARTERS, DERIVE_TILLS] : []) await client.query(sql);
        for (const sql of plan.usage > 0 ? DERIVE_USAGE : []) await client.query(sql);
      },
      onIndex: (name) => say(`index ${name}`),
    });
    say('VACUUM');
    await client.query('VACUUM (ANALYZE)');
    return keys;
  });
}

const DAY_MS = 86_400_000;
/** Older rows lie in the default partition. A call makes several partitions: so many days further the next ones are missing. */
const PARTITIONED_DAYS = { day: { count: 40, step: AHEAD.day + 1 }, month: { count: 400, step: 28 } };

/** The partitions that the service would have made while these rows were written. */
async function makePartitions(databaseUrl: string, { until }: SeedPlan): Promise<void> {
  const db = createDb(databaseUrl, { maxConnections: 1 });
  try {
    for (const spec of PARTITIONED) {
      const { count, step } = PARTITIONED_DAYS[spec.width];
      for (let days = count; days > 0; days -= step) {
        const refusal = await createPartitions(db, spec, new Date(until.getTime() - days * DAY_MS));
        if (refusal) throw new Error(refusal);
      }
    }
  } finally {
    await db.$disconnect();
  }
}

async function requireUnseeded(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM "User" WHERE email = $1', [emailOf(1)]);
  if (rowCount) throw new Error('This database is seeded already: set DATABASE_URL to an empty one.');
}

/** The rows are consistent by construction. To check each reference would take longer than everything else. */
async function skipTriggers(client: pg.Client): Promise<void> {
  await client.query('SET session_replication_role = replica').catch(() => {
    say('Without the rights of a superuser PostgreSQL checks every reference, which takes longer.');
  });
}

async function run(client: pg.Client, filling: Filling): Promise<void> {
  const { label, sql, from = 1, to, rows = 1, backwards } = filling;
  const numbers = to - from + 1;
  if (numbers <= 0) return;
  const bar = progress(label.padEnd(16), numbers * rows, 'rows');
  const step = Math.max(1, Math.floor(CHUNK / rows));
  try {
    for (let done = 0; done < numbers; done += step) {
      const size = Math.min(step, numbers - done);
      const low = backwards ? to - done - size + 1 : from + done;
      await client.query(sql, [low, low + size - 1]);
      bar.update((done + size) * rows);
    }
  } finally {
    bar.stop();
  }
}

const say = (text: string) => void (process.stderr.isTTY && process.stderr.write(`${text}\n`));
