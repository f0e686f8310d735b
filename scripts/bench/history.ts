import type { Random } from '../../src/simulator/random.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { table } from '../support/terminal.ts';
import { aimCell, type BenchRequest, measuredCells } from './api/measure.ts';
import { openTills, type Places, readPlaces, SITE_DEVICES } from './api/places.ts';
import { HISTORY_OPTIONS, measureCalls, withHistoryApi } from './api/seeded-api.ts';

const DAY_MS = 86_400_000;
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns'];

/** Calls of one kind: `path` with a random scene or site, and a random range of so many days. */
interface Call {
  readonly path: string;
  /** Null: the call has no range. */
  readonly days: number | null;
  readonly query?: string;
  readonly hasTimezone?: true;
  /** The aim: 95th percentile in ms; null where there is none. */
  readonly maxP95Ms: number | null;
}

const CALLS: readonly Call[] = [
  { path: '/overview', days: null, query: 'limit=100', maxP95Ms: 50 },
  { path: '/overview/sites', days: null, maxP95Ms: 50 },
  {
    path: '/analytics/scenes/{scene}/series',
    days: 30,
    query: 'bucket=30m',
    hasTimezone: true,
    maxP95Ms: 150,
  },
  { path: '/analytics/scenes/{scene}/series', days: 30, hasTimezone: true, maxP95Ms: 150 },
  {
    path: '/analytics/scenes/{scene}/series',
    days: 1,
    query: 'usual=true',
    hasTimezone: true,
    maxP95Ms: 50,
  },
  { path: '/analytics/scenes/{scene}/series', days: 1, query: 'bucket=1m', hasTimezone: true, maxP95Ms: 150 },
  { path: '/analytics/scenes/{scene}/heatmap', days: 90, hasTimezone: true, maxP95Ms: 150 },
  { path: '/analytics/scenes/{scene}/distribution', days: 30, maxP95Ms: 150 },
  {
    path: '/analytics/scenes/{tills}/tills',
    days: 30,
    query: 'bucket=1d',
    hasTimezone: true,
    maxP95Ms: 150,
  },
  { path: '/visits', days: 90, query: 'sceneId={scene}', maxP95Ms: 50 },
  { path: '/visits', days: 30, query: 'sceneId={scene}&outcome=abandoned&limit=100', maxP95Ms: 50 },
  { path: '/visits', days: 90, maxP95Ms: null },
  { path: '/analytics/sites/{site}/series', days: 30, hasTimezone: true, maxP95Ms: null },
  { path: '/analytics/sites/{site}/heatmap', days: 90, hasTimezone: true, maxP95Ms: null },
  { path: '/analytics/sites/{site}/distribution', days: 30, maxP95Ms: null },
];

export const history = measuringCommand({
  name: 'history',
  description:
    'Times of the overview, series, heat maps, distributions and lists of visits over HTTP, with random scenes, ranges and time zones of one ' +
    'user with 40 scenes. The database is seeded once (minutes) into DATA_DIR/bench and kept.',
  options: {
    ...HISTORY_OPTIONS,
    connections: ['how many clients call at the same time', 1],
    seconds: ['how long each call is measured', 10],
  },
  async measure({ minutes, visits, connections, seconds }) {
    return withHistoryApi({ minutes, visits }, async ({ api, databaseUrl, key }) => {
      const places = await readPlaces(databaseUrl);
      const tills = await openTills(databaseUrl, places);
      const requestOfCall = (call: Call, random: Random) =>
        requestOf(call, { random, key, tills, ...places });
      const results = await measureCalls(api, CALLS, { connections, seconds, requestOf: requestOfCall });
      return { minutes, visits, connections, results };
    });
  },
  report({ minutes, visits, results }) {
    return [
      table([
        ['call', 'days', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'aim'],
        ...results.map(({ path, days, query: parameters, maxP95Ms, ...measured }) => [
          `${path}${parameters ? ` ${parameters}` : ''}`,
          days ?? '',
          ...measuredCells(measured),
          maxP95Ms === null ? '' : aimCell(measured, maxP95Ms),
        ]),
      ]),
      '',
      `${minutes} occupancy minutes and ${visits} visits of 40 scenes; a site has ${SITE_DEVICES} of them.`,
    ].join('\n');
  },
});

function requestOf(
  { path, days, query: parameters, hasTimezone }: Call,
  { random, key, tills, scenes, site, first, last }: Places & { random: Random; key: string; tills: string },
): BenchRequest {
  const scene = scenes[Math.floor(random.between(0, scenes.length))]!;
  const all = [
    ...(days === null ? [] : rangeOf(days, { random, first, last })),
    ...(parameters ? [parameters] : []),
    ...(hasTimezone ? [`timezone=${ZONES[Math.floor(random.between(0, ZONES.length))]}`] : []),
  ];
  const filled = `/api/v1${path}?${all.join('&')}`
    .replaceAll('{scene}', scene)
    .replace('{tills}', tills)
    .replace('{site}', site);
  return { path: filled, key };
}

function rangeOf(
  days: number,
  { random, first, last }: { random: Random; first: Date; last: Date },
): string[] {
  const latest = Math.max(first.getTime(), last.getTime() - days * DAY_MS);
  const fromMs = Math.floor(random.between(first.getTime(), latest + 1));
  return [`from=${new Date(fromMs).toISOString()}`, `to=${new Date(fromMs + days * DAY_MS).toISOString()}`];
}
