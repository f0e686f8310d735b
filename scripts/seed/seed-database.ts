import pg from 'pg';
import { type Progress, progress } from '../support/terminal.ts';
import { fillAlertEvents, fillImages, fillInsights } from './alerts.ts';
import { DERIVE_ATTRIBUTES, fillAttributes } from './attributes.ts';
import { createFunctions } from './functions.ts';
import { withoutIndexes } from './indexes.ts';
import { fillRolling, fillSnapshots, snapshotSteps } from './metrics.ts';
import { addPeople, type SeededKey } from './people.ts';
import { devicesOf, emailOf, type SeedPlan } from './plan.ts';
import { DERIVE_USAGE, fillTasks, fillUsage } from './usage.ts';

/** Rows of one statement: enough to be fast, few enough that the bar moves. */
const CHUNK = 50_000;

/** A statement over `$1` to `$2`, for the numbers `from` to `to`. */
interface Filling {
  readonly label: string;
  readonly sql: string;
  readonly from: number;
  readonly to: number;
  /** Of each number. */
  readonly rows: number;
  /** The latest number first. */
  readonly backwards?: true;
}

const TABLES = [
  'AlertEvent',
  'Insight',
  'StoredImage',
  'MetricSnapshot',
  'RollingRecord',
  'AnalysisTask',
  'AttributeRecord',
  'UsageEvent',
  'QuotaTransaction',
];

function fillings(plan: SeedPlan): Filling[] {
  const scenes = devicesOf(plan, 1) + (plan.users - 1) * plan.devices;
  const { first, others } = snapshotSteps(plan);
  const far: Filling = {
    label: 'snapshots',
    sql: fillSnapshots(plan),
    from: others,
    to: first - 1,
    rows: 1,
    backwards: true,
  };
  const counted = (label: string, sql: string, count: number): Filling => ({
    label,
    sql,
    from: 1,
    to: count,
    rows: 1,
  });
  return [
    counted('alert events', fillAlertEvents(plan), plan.alerts),
    counted('insights', fillInsights(plan), plan.alerts),
    {
      label: 'pictures',
      sql: fillImages(plan),
      from: Math.max(1, plan.alerts - plan.pictured + 1),
      to: plan.alerts,
      rows: 3,
    },
    far,
    { ...far, from: 0, to: others - 1, rows: scenes },
    {
      label: 'rolling records',
      sql: fillRolling(plan),
      from: 0,
      to: Math.ceil(plan.rolling / scenes / 5) - 1,
      rows: scenes * 5,
      backwards: true,
    },
    counted('runs', fillTasks(plan), plan.tasks),
    counted('attributes', fillAttributes(plan), plan.attributes ?? 0),
    counted('usage', fillUsage(plan), plan.usage),
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
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await requireUnseeded(client);
    await client.query(
      "SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '128MB'",
    );
    await skipTriggers(client);
    await createFunctions(client, plan.seed);
    const keys = await addPeople(client, plan, sealUrl);
    await withoutIndexes(client, TABLES, {
      async fill() {
        for (const filling of fillings(plan)) await run(client, filling);
        if (plan.attributes) await client.query(DERIVE_ATTRIBUTES);
        for (const sql of plan.usage > 0 ? DERIVE_USAGE : []) await client.query(sql);
      },
      onIndex: (name) => say(`index ${name}`),
    });
    say('VACUUM');
    await client.query('VACUUM (ANALYZE)');
    return keys;
  } finally {
    await client.end();
  }
}

async function requireUnseeded(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM "User" WHERE email = $1', [emailOf(1)]);
  if (rowCount) throw new Error('This database is seeded already: name an empty one in DATABASE_URL.');
}

/** What is filled is consistent by construction; checking each reference costs more than all the rest. */
async function skipTriggers(client: pg.Client): Promise<void> {
  await client.query('SET session_replication_role = replica').catch(() => {
    say('Without the rights of a superuser every reference is checked: that takes longer.');
  });
}

async function run(client: pg.Client, { label, sql, from, to, rows, backwards }: Filling): Promise<void> {
  const numbers = to - from + 1;
  if (numbers <= 0) return;
  const bar: Progress = progress(label.padEnd(16), numbers * rows, 'rows');
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
