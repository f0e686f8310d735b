import { Command } from 'commander';
import { count } from '../support/options.ts';
import { printMeasured } from '../support/print-measured.ts';
import { progress, table } from '../support/terminal.ts';
import { type BenchDatabase, openBenchDatabase, withClient } from './api/database.ts';
import { type Measured, measure } from './api/measure.ts';
import { type Program, startApi } from './api/programs.ts';

interface Options {
  readonly events: number;
  readonly days: number;
  readonly connections: number;
  readonly seconds: number;
  readonly json?: boolean;
}

interface Result extends Measured {
  readonly path: string;
}

interface BillingBench {
  readonly events: number;
  readonly days: number;
  /** Sums of the trend and the summary that were held against the sum of all events; any difference ends the bench. */
  readonly sumsChecked: number;
  readonly results: readonly Result[];
}

const DAY_MS = 86_400_000;
const MAX_P95_MS = 100;

interface Totals {
  readonly analysisSeconds: number;
  readonly alertCount: number;
  readonly attributeCount: number;
  readonly vlmTokens: number;
}

/** The same out of the events themselves, by their day or month. */
async function rawTotals(
  url: string,
  unit: 'day' | 'month',
  deviceId?: string,
): Promise<Map<string, Totals>> {
  const { rows } = await withClient(url, (client) =>
    client.query<Totals & { start: string }>(
      `SELECT to_char(date_trunc('${unit}', "occurredAt" AT TIME ZONE 'UTC'), 'YYYY-MM-DD') AS start,
         coalesce(sum(quantity) FILTER (WHERE feature = 'analysis'), 0)::float8 AS "analysisSeconds",
         coalesce(sum(quantity) FILTER (WHERE feature = 'alert'), 0)::float8 AS "alertCount",
         coalesce(sum(quantity) FILTER (WHERE feature = 'attribute'), 0)::float8 AS "attributeCount",
         coalesce(sum(quantity) FILTER (WHERE feature = 'vlm'), 0)::float8 AS "vlmTokens"
       FROM "UsageEvent" WHERE $1::uuid IS NULL OR "deviceId" = $1 GROUP BY 1`,
      [deviceId ?? null],
    ),
  );
  return new Map(rows.map(({ start, ...totals }) => [start, totals]));
}

const same = (a: Totals, b: Totals) =>
  a.analysisSeconds === b.analysisSeconds &&
  a.alertCount === b.alertCount &&
  a.attributeCount === b.attributeCount &&
  a.vlmTokens === b.vlmTokens;

/** @throws Error naming the first window that is not the sum of its events */
async function checkSums(
  { url }: BenchDatabase,
  ask: (path: string) => Promise<never>,
  { range, deviceId }: { range: string; deviceId: string },
): Promise<number> {
  let checked = 0;
  for (const unit of ['day', 'month'] as const) {
    for (const device of [undefined, deviceId]) {
      const raw = await rawTotals(url, unit, device);
      const query = `granularity=${unit}${range}${device ? `&deviceId=${device}` : ''}`;
      const trend: { data: (Totals & { windowStart: string })[] } = await ask(
        `/billing/dashboard/trend?${query}`,
      );
      const nothing = { analysisSeconds: 0, alertCount: 0, attributeCount: 0, vlmTokens: 0 };
      for (const window of trend.data) {
        const start = window.windowStart.slice(0, 10);
        if (!same(window, raw.get(start) ?? nothing))
          throw new Error(`The ${unit} ${start} is not its events’ sum.`);
        raw.delete(start);
        checked += 1;
      }
      if (raw.size > 0) throw new Error(`The trend lacks the ${unit} ${[...raw.keys()][0]}.`);
    }
  }
  for (const [start, totals] of await rawTotals(url, 'month')) {
    const period = start.slice(0, 7);
    const { usageByType }: { usageByType: Totals[] } = await ask(`/billing/summary?billingPeriod=${period}`);
    if (!same(usageByType[0]!, totals)) throw new Error(`The summary of ${period} is not its events’ sum.`);
    checked += 1;
  }
  return checked;
}

async function benchBilling({ events, days, connections, seconds }: Options): Promise<BillingBench> {
  const until = new Date(new Date().setUTCHours(0, 0, 0, 0));
  const few = { alerts: 1, pictured: 0, snapshots: 1, rolling: 0, tasks: 0 };
  const plan = { seed: 1, users: 1, devices: 2, usage: events, usageDays: days, until, ...few };
  const database = await openBenchDatabase(plan, `billing_${events}_${days}`);
  let api: Program | undefined;
  try {
    api = await startApi(database, false);
    const { key } = database.keys[0]!;
    const { url } = api;
    const ask = async (path: string): Promise<never> => {
      const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
      const { data } = (await answer.json()) as { data: never };
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`);
      return data;
    };
    const { rows } = await withClient(database.url, (client) =>
      client.query<{ first: Date; last: Date; device: string }>(
        `SELECT min("occurredAt") AS first, max("occurredAt") AS last, min("deviceId"::text) AS device FROM "UsageEvent"`,
      ),
    );
    const { first, last, device } = rows[0]!;
    const range = `&startDate=${first.toISOString()}&endDate=${new Date(last.getTime() + 1).toISOString()}`;
    const sumsChecked = await checkSums(database, ask, { range, deviceId: device });
    const month = new Date(last.getTime() - 20 * DAY_MS).toISOString().slice(0, 7);
    const paths = [
      `/billing/dashboard/trend?granularity=day${range}`,
      `/billing/dashboard/trend?granularity=day${range}&deviceId=${device}`,
      `/billing/dashboard/trend?granularity=month${range}`,
      `/billing/dashboard/trend?granularity=month${range}&deviceId=${device}`,
      `/billing/summary?billingPeriod=${month}`,
      `/billing/summary/by-device?billingPeriod=${month}`,
      `/billing/dashboard/comparison?billingPeriod=${month}`,
      '/billing/dashboard/forecast',
      '/billing/monthly-quota',
      `/billing/usage?billingPeriod=${month}&limit=100`,
      `/billing/transactions?billingPeriod=${month}&limit=100`,
    ];
    const bar = progress('bench', paths.length, 'calls');
    const results: Result[] = [];
    for (const path of paths) {
      const requests = [{ path: `/api/v1${path}`, key }];
      await measure(api, { connections: 1, requests, seconds: 1 });
      results.push({ path, ...(await measure(api, { connections, requests, seconds })) });
      bar.update(results.length);
    }
    bar.stop();
    return { events, days, sumsChecked, results };
  } finally {
    await api?.stop();
    await database.stop();
  }
}

function report({ events, days, sumsChecked, results }: BillingBench): string {
  const shown = (path: string) =>
    path.replace(/&startDate=[^&]*&endDate=[^&]*/, ' of all days').replace(/deviceId=.*/, 'deviceId=…');
  return [
    table([
      ['call', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'aim'],
      ...results.map(({ path, requestsPerSecond, p50Ms, p95Ms, p99Ms }) => [
        shown(path),
        requestsPerSecond.toFixed(0),
        ...[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(1)),
        /trend|summary/.test(path) ? `p95 ≤ ${MAX_P95_MS}${p95Ms > MAX_P95_MS ? ' MISSED' : ''}` : '',
      ]),
    ]),
    '',
    `${events} usage events of one user over ${days} days; ${sumsChecked} sums are those of the events themselves.`,
  ].join('\n');
}

export function billingCommand(): Command {
  return new Command('billing')
    .description(
      'Times of the billing reports over a year of one user with twenty cameras. Trend and summary are first held against\n' +
        'the sum of all events. The database is seeded once (minutes) into DATA_DIR/bench and kept.',
    )
    .option('--events <n>', 'usage events', count(1), 2_000_000)
    .option('--days <n>', 'days over which they are spread', count(1), 365)
    .option('--connections <n>', 'who ask at the same time', count(1), 4)
    .option('--seconds <n>', 'for each call', count(1), 5)
    .option('--json', 'print one JSON document')
    .action(async ({ json, ...options }: Options) => {
      const result = await benchBilling(options);
      printMeasured(json, result, () => report(result));
    });
}
