import { createRandom, type Random } from '../../src/simulator/random.ts';
import { lastMidnight } from '../seed/plan.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import type { Program } from '../support/programs.ts';
import { eachWithProgress, table } from '../support/terminal.ts';
import { aimCell, type BenchRequest, measure, measuredCells } from './api/measure.ts';
import { readPlaces, SITE_DEVICES } from './api/places.ts';
import { openSeededDatabase } from './api/seeded-database.ts';

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
    minutes: ['occupancy minutes, the same number for each scene', 5_000_000],
    visits: ['visits', 1_000_000],
    connections: ['how many clients call at the same time', 1],
    seconds: ['how long each call is measured', 10],
  },
  async measure({ minutes, visits, connections, seconds }) {
    const few = { alerts: 1, pictured: 0, snapshots: 1, rolling: 0, tasks: 0, usage: 0, usageDays: 1 };
    const plan = { seed: 1, users: 1, devices: 4, minutes, visits, until: lastMidnight(), ...few };
    const database = await openSeededDatabase(plan, `history_${minutes}_${visits}`);
    const programs: Program[] = [];
    try {
      const api = await database.start('src/api.ts', '/readyz');
      programs.push(api);
      const { site, first, last } = await readPlaces(database.url);
      const { key } = database.keys[0]!;
      const results = await eachWithProgress('bench', CALLS, 'calls', async (call) => {
        const random = createRandom(1, CALLS.indexOf(call));
        const requests = Array.from({ length: 200 }, () =>
          requestOf(call, { random, key, site, first, last }),
        );
        await measure(api, { connections, requests: requests.slice(0, 20), once: true });
        return { ...call, ...(await measure(api, { connections, requests, seconds })) };
      });
      return { minutes, visits, connections, results };
    } finally {
      for (const program of programs) await program.stop();
      await database.stop();
    }
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
  { random, key, site, first, last }: { random: Random; key: string; site: string; first: Date; last: Date },
): BenchRequest {
  const fromMs = first.getTime() + 14 * DAY_MS;
  const at = Math.floor(random.between(fromMs, Math.max(fromMs, last.getTime() - 7 * DAY_MS) + 1));
  return { path: `/api/v1/reports/${site}?${query}&date=${new Date(at).toISOString().slice(0, 10)}`, key };
}
