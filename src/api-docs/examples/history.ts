import type { Examples } from '../../http/openapi/examples.ts';

/** Two whole hours of the shop, and the quarter of an hour since. */
const HOURS = ['2026-01-31T06:00:00.000Z', '2026-01-31T07:00:00.000Z', '2026-01-31T08:00:00.000Z'];
const RANGE = { from: HOURS[0], to: '2026-01-31T09:00:00.000Z' };

/** Analysis began at 07:15, so nothing was measured before. */
const COLUMNS = {
  coveragePercent: [0, 75, 98.4],
  arrivals: [null, 48, 22],
  completed: [null, 41, 15],
  abandoned: [null, 3, 2],
  lost: [null, 0, 0],
  abandonmentRate: [null, 0.068, 0.118],
  throughputPerHour: [null, 54.667, 60.976],
  avgInQueue: [null, 3.412, 5.118],
  maxInQueue: [null, 6, 8],
  avgInService: [null, 0.842, 0.91],
  maxInService: [null, 1, 1],
  serverUtilization: [null, 0.842, 0.91],
  waitCount: [null, 41, 15],
  avgWaitSeconds: [null, 88.112, 118.4],
  p50WaitSeconds: [null, 81.7, 110.2],
  p90WaitSeconds: [null, 171.35, 214.9],
  maxWaitSeconds: [null, 240.1, 271.3],
  serviceCount: [null, 41, 15],
  avgServiceSeconds: [null, 51.9, 52.6],
  p90ServiceSeconds: [null, 96.3, 97.9],
  maxServiceSeconds: [null, 131.2, 140.6],
  abandonedWaitCount: [null, 3, 2],
  avgAbandonedWaitSeconds: [null, 139.4, 148.65],
  maxAbandonedWaitSeconds: [null, 175.8, 182.5],
};

const csv = (rows: readonly Readonly<Record<string, unknown>>[]): string =>
  [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row).map((value) => value ?? ''))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');

const SERIES_CSV = csv(
  HOURS.map((t, at) => {
    const { coveragePercent, ...metrics } = COLUMNS;
    const values = Object.entries(metrics).map(([name, column]) => [name, column[at]]);
    return { t, coveragePercent: coveragePercent[at], isUnfinished: at === 2, ...Object.fromEntries(values) };
  }),
);

export const HISTORY_EXAMPLES: Examples = {
  '?from': RANGE.from,
  '?to': RANGE.to,
  '?bucket': '1h',
  '?timezone': 'Europe/Berlin',
  MetricSeries: {
    ...RANGE,
    bucket: '1h',
    timezone: 'Europe/Berlin',
    unfinishedIndex: 2,
    t: HOURS,
    ...COLUMNS,
  },
  'GET /analytics/scenes/{id}/series text/csv': SERIES_CSV,
};
