import { measuringCommand } from '../support/measuring-command.ts';
import { query } from '../support/sql.ts';
import { eachWithProgress, table } from '../support/terminal.ts';
import { aimCell, measure, measuredCells } from './api/measure.ts';
import { withSeededApi } from './api/seeded-api.ts';

const DAY_MS = 86_400_000;
const MAX_P95_MS = 100;

export const billing = measuringCommand({
  name: 'billing',
  description:
    'Times of the billing reports over a year of one user with twenty cameras. First each sum of the trend and of the ' +
    'summary is compared with the sum of all events; a difference ends the bench. The database is seeded once (minutes) ' +
    'into DATA_DIR/bench and kept.',
  options: {
    events: ['usage events', 2_000_000],
    days: ['days over which they are spread', 365],
    connections: ['how many clients call at the same time', 4],
    seconds: ['how long each call is measured', 5],
  },
  async measure({ events, days, connections, seconds }) {
    const wanted = { devices: 2, usage: events, usageDays: days };
    return withSeededApi(`billing_${events}_${days}`, wanted, async ({ api, databaseUrl, key }) => {
      const get: Get = async (path) => {
        const answer = await fetch(`${api.url}/api/v1${path}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`);
        return ((await answer.json()) as { data: never }).data;
      };
      const [row] = await query<{ first: Date; last: Date; device: string }>(
        databaseUrl,
        `SELECT min("occurredAt") AS first, max("occurredAt") AS last, min("deviceId"::text) AS device FROM "UsageEvent"`,
      );
      const { first, last, device } = row!;
      const range = `&startDate=${first.toISOString()}&endDate=${new Date(last.getTime() + 1).toISOString()}`;
      const sumsChecked = await checkSums(databaseUrl, get, { range, deviceId: device });
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
      const results = await eachWithProgress('bench', paths, 'calls', async (path) => {
        const requests = [{ path: `/api/v1${path}`, key }];
        await measure(api, { connections: 1, requests, seconds: 1 });
        return { path, ...(await measure(api, { connections, requests, seconds })) };
      });
      return {
        events,
        days,
        /** Sums of the trend and the summary that were compared with the sum of all events. */
        sumsChecked,
        results,
      };
    });
  },
  report({ events, days, sumsChecked, results }) {
    const shown = (path: string) =>
      path.replace(/&startDate=[^&]*&endDate=[^&]*/, ' of all days').replace(/deviceId=.*/, 'deviceId=…');
    return [
      table([
        ['call', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'aim'],
        ...results.map(({ path, ...measured }) => [
          shown(path),
          ...measuredCells(measured),
          /trend|summary/.test(path) ? aimCell(measured, MAX_P95_MS) : '',
        ]),
      ]),
      '',
      `${events} usage events of one user over ${days} days; ${sumsChecked} sums are equal to those of the events themselves.`,
    ].join('\n');
  },
});

/** By feature, as the API names them. */
const FEATURES = {
  analysisSeconds: 'analysis',
  alertCount: 'alert',
  attributeCount: 'attribute',
  vlmTokens: 'vlm',
} as const;
type Totals = Readonly<Record<keyof typeof FEATURES, number>>;
const TOTALS = Object.keys(FEATURES) as (keyof Totals)[];

/** `data` of the API's answer to a GET. */
type Get = <Data>(path: string) => Promise<Data>;

/** The sums of the events themselves, by their day or month. */
async function sumsOfEvents(
  url: string,
  unit: 'day' | 'month',
  deviceId: string | null,
): Promise<Map<string, Totals>> {
  const sums = Object.entries(FEATURES).map(
    ([name, feature]) =>
      `coalesce(sum(quantity) FILTER (WHERE feature = '${feature}'), 0)::float8 AS "${name}"`,
  );
  const rows = await query<Totals & { start: string }>(
    url,
    `SELECT to_char(date_trunc('${unit}', "occurredAt" AT TIME ZONE 'UTC'), 'YYYY-MM-DD') AS start, ${sums.join(', ')}
     FROM "UsageEvent" WHERE $1::uuid IS NULL OR "deviceId" = $1 GROUP BY 1`,
    [deviceId],
  );
  return new Map(rows.map(({ start, ...totals }) => [start, totals as unknown as Totals]));
}

const isSame = (a: Totals, b: Totals | undefined) => TOTALS.every((name) => a[name] === (b?.[name] ?? 0));

/** @returns how many sums were compared @throws Error naming the first one that is not the sum of its events */
async function checkSums(
  url: string,
  get: Get,
  { range, deviceId }: { range: string; deviceId: string },
): Promise<number> {
  let checked = 0;
  for (const unit of ['day', 'month'] as const) {
    for (const device of [null, deviceId]) {
      const sums = await sumsOfEvents(url, unit, device);
      const parameters = `granularity=${unit}${range}${device ? `&deviceId=${device}` : ''}`;
      const trend = await get<{ data: (Totals & { windowStart: string })[] }>(
        `/billing/dashboard/trend?${parameters}`,
      );
      for (const window of trend.data) {
        const start = window.windowStart.slice(0, 10);
        if (!isSame(window, sums.get(start)))
          throw new Error(`The ${unit} ${start} is not the sum of its events.`);
        sums.delete(start);
        checked += 1;
      }
      if (sums.size > 0) throw new Error(`The trend lacks the ${unit} ${[...sums.keys()][0]}.`);
    }
  }
  for (const [start, totals] of await sumsOfEvents(url, 'month', null)) {
    const period = start.slice(0, 7);
    const { usageByType } = await get<{ usageByType: Totals[] }>(`/billing/summary?billingPeriod=${period}`);
    if (!isSame(usageByType[0]!, totals))
      throw new Error(`The summary of ${period} is not the sum of its events.`);
    checked += 1;
  }
  return checked;
}
