import type { Random } from '../../src/simulator/random.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { table } from '../support/terminal.ts';
import { aimCell, type BenchRequest, measuredCells } from './api/measure.ts';
import { type Places, readPlaces, SITE_DEVICES } from './api/places.ts';
import { HISTORY_OPTIONS, measureCalls, withHistoryApi } from './api/seeded-api.ts';

const DAY_MS = 86_400_000;

/** Reports of one kind, of random dates. */
interface Call {
  readonly query: string;
  /** The aim: 95th percentile in ms. */
  readonly maxP95Ms: number;
}

const CALLS: readonly Call[] = [
  { query: 'period=day', maxP95Ms: 300 },
  { query: 'period=week', maxP95Ms: 300 },
  { query: 'period=week&format=html', maxP95Ms: 300 },
  { query: 'period=week&format=csv', maxP95Ms: 300 },
];

export const reports = measuringCommand({
  name: 'reports',
  description:
    `Times of reports of a site of ${SITE_DEVICES} scenes over HTTP, of random days and weeks. The database is that of ` +
    '`bench -- history`: it is seeded once (minutes) into DATA_DIR/bench and kept.',
  options: {
    ...HISTORY_OPTIONS,
    connections: ['how many clients call at the same time', 1],
    seconds: ['how long each call is measured', 10],
  },
  async measure({ minutes, visits, connections, seconds }) {
    return withHistoryApi({ minutes, visits }, async ({ api, databaseUrl, key }) => {
      const places = await readPlaces(databaseUrl);
      const requestOfCall = (call: Call, random: Random) => requestOf(call, { random, key, ...places });
      const results = await measureCalls(api, CALLS, { connections, seconds, requestOf: requestOfCall });
      return { minutes, visits, connections, results };
    });
  },
  report({ minutes, visits, results }) {
    return [
      table([
        ['report', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'aim'],
        ...results.map(({ query, maxP95Ms, ...measured }) => [
          query,
          ...measuredCells(measured),
          aimCell(measured, maxP95Ms),
        ]),
      ]),
      '',
      `${minutes} occupancy minutes and ${visits} visits of 40 scenes; the site has ${SITE_DEVICES} of them.`,
    ].join('\n');
  },
});

/** A report whose two periods have rows. */
function requestOf(
  { query }: Call,
  { random, key, site, first, last }: Places & { random: Random; key: string },
): BenchRequest {
  const fromMs = first.getTime() + 14 * DAY_MS;
  const at = Math.floor(random.between(fromMs, Math.max(fromMs, last.getTime() - 7 * DAY_MS) + 1));
  return { path: `/api/v1/reports/${site}?${query}&date=${new Date(at).toISOString().slice(0, 10)}`, key };
}
