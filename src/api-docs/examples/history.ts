import { ERROR_NAMES } from '../../analytics/history/group-metrics.ts';
import { USUAL_NAMES } from '../../analytics/history/usual/usual-bands.ts';
import { IN_HISTORY } from '../../catalogue/metrics/all.ts';
import { EVENTS } from '../../delivery/events/catalogue.ts';
import { EXAMPLE_ID as ID } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

/** Two whole hours of the shop, and the quarter of an hour since. */
const HOURS = ['2026-01-31T06:00:00.000Z', '2026-01-31T07:00:00.000Z', '2026-01-31T08:00:00.000Z'];
const RANGE = { from: HOURS[0], to: '2026-01-31T09:00:00.000Z' };

/** Analysis began at 07:15, so nothing was measured before. */
const COLUMNS: Readonly<Record<string, readonly (number | null)[]>> & {
  readonly coveragePercent: readonly number[];
} = {
  coveragePercent: [0, 75, 98.4],
  ...Object.fromEntries(IN_HISTORY.map(({ history, example }) => [history.name, [null, example, example]])),
};

/** Of the expected error. */
const REASONS = ['noFrames', null, null];

const csv = (rows: readonly Readonly<Record<string, unknown>>[]): string =>
  [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row).map((value) => value ?? ''))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');

const SERIES_CSV = csv(
  HOURS.map((t, at) => {
    const { coveragePercent, ...metrics } = COLUMNS;
    const values = Object.entries(metrics).map(([name, column]) => [name, column[at]]);
    return {
      ...{ t, coveragePercent: coveragePercent[at], isUnfinished: at === 2, ...Object.fromEntries(values) },
      expectedErrorReason: REASONS[at],
      openPercent: [0, 100, 100][at],
    };
  }),
);

/** Values of a Saturday at eight o'clock, by weekday and hour; of all other cells nothing was measured. */
const week = (value: unknown, others: unknown = null) =>
  Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => (day === 5 && hour === 8 ? value : others)),
  );
const { coveragePercent: COVERAGE, ...METRICS } = COLUMNS;
const HEATMAP = {
  ...{ from: '2026-01-03T08:00:00.000Z', to: '2026-01-31T09:00:00.000Z', timezone: 'Europe/Berlin' },
  hours: week(4, 4),
  coveragePercent: week(COVERAGE[1], 0),
  ...Object.fromEntries(Object.entries(METRICS).map(([name, column]) => [name, week(column[1])])),
  openPercent: week(100, 0),
};

const bins = (counts: readonly number[]) =>
  counts.map((count, at) => ({
    fromSeconds: at * 60,
    toSeconds: at === counts.length - 1 ? null : (at + 1) * 60,
    count,
  }));
const DURATIONS = {
  ...{ count: 41, avgSeconds: 88.112, p50Seconds: 81.7, p90Seconds: 171.35, maxSeconds: 240.1 },
  bins: bins([14, 18, 6, 3]),
  longerThan: [{ seconds: 120, count: 9, share: 0.22 }],
};
const DISTRIBUTION = {
  ...{ from: HOURS[1], to: HOURS[2], coveragePercent: 75 },
  ...Object.fromEntries(ERROR_NAMES.map((name) => [name, COLUMNS[name]![1]])),
  ...{ expectedErrorReason: null, waits: DURATIONS },
  services: {
    ...{ count: 41, avgSeconds: 51.9, p50Seconds: 48.8, p90Seconds: 96.3, maxSeconds: 131.2 },
    bins: bins([29, 11, 1, 0]),
    longerThan: [{ seconds: 120, count: 1, share: 0.024 }],
  },
  abandonedWaits: {
    ...{ count: 3, avgSeconds: 139.4, p50Seconds: 128.3, p90Seconds: 166.3, maxSeconds: 175.8 },
    bins: bins([0, 1, 2, 0]),
    longerThan: [{ seconds: 120, count: 2, share: 0.667 }],
  },
  serviceLevel: { inTime: 31, late: 9, gaveUpLate: 2, gaveUpEarly: 1, level: 0.738 },
  queue: {
    minutesMeasured: 45,
    levels: [{ minQueueLength: 5, minutesByAverage: 7, minutesByMaximum: 12 }],
  },
};

const VISIT = {
  id: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2dff',
  sceneId: ID.scene,
  sceneName: 'Till 3',
  deviceId: ID.device,
  analysisId: ID.analysis,
  outcome: 'completed',
  arrivedAt: '2026-01-31T08:09:13.000Z',
  decidedAt: '2026-01-31T08:12:05.400Z',
  queueEnteredAt: '2026-01-31T08:09:10.000Z',
  queueLeftAt: '2026-01-31T08:11:02.400Z',
  serviceStartedAt: '2026-01-31T08:11:08.400Z',
  serviceEndedAt: '2026-01-31T08:12:00.200Z',
  waitSeconds: 118.4,
  serviceSeconds: 51.8,
  tillId: 'till-1',
};
const VISIT_TILLS = [
  {
    ...{ tillId: VISIT.tillId, startedAt: VISIT.serviceStartedAt, endedAt: VISIT.serviceEndedAt },
    seconds: VISIT.serviceSeconds,
  },
];

/** A till that opened at 07:15 with the analysis. */
const TILL = {
  services: [0, 41, 15],
  avgServiceSeconds: [null, 51.9, 52.6],
  p90ServiceSeconds: [null, 96.3, 97.9],
  servingSeconds: [0, 2128, 789],
  freeSeconds: [0, 572, 81],
  closedSeconds: [0, 0, 0],
  unknownSeconds: [3600, 900, 30],
  utilization: [null, 0.788, 0.907],
};
export const TILL_TOTAL = {
  ...{ services: 56, avgServiceSeconds: 52.088, p90ServiceSeconds: 96.9 },
  ...{ servingSeconds: 2917, freeSeconds: 653, closedSeconds: 0, unknownSeconds: 4530 },
  utilization: 0.817,
};
const TILLS = {
  ...{ ...RANGE, bucket: '1h', timezone: 'Europe/Berlin', unfinishedIndex: 2 },
  ...{ avgOpenTills: 1, tillUtilization: 0.817, waitedWithFreeTillSeconds: 96, t: HOURS },
  series: {
    avgOpenTills: [null, 1, 1],
    tillUtilization: [null, 0.788, 0.907],
    waitedWithFreeTillSeconds: [null, 71, 25],
  },
  tills: [
    {
      ...{ tillId: VISIT.tillId, name: 'Till 1', ...TILL_TOTAL, series: TILL },
      spans: [
        { state: 'unknown', from: HOURS[0], to: '2026-01-31T07:15:00.000Z' },
        { state: 'free', from: '2026-01-31T07:15:00.000Z', to: '2026-01-31T07:16:12.000Z' },
      ],
    },
  ],
};

const ACCURACY = {
  ...{ predictions: 412, served: 371, gaveUp: 33, lost: 8, insideBand: 301, insideBandShare: 0.811 },
  ...{ meanAbsoluteErrorSeconds: 38.4, biasSeconds: -2.1 },
  insideBandShareWithGaveUp: { atLeast: 0.745, atMost: 0.817 },
};
const { tills, openTills, startsAt, endsAt, lateShare, lateShareWithIt, target } =
  EVENTS.staffing_advice.example;
const ADVICE = {
  ...{
    id: ID.advice,
    madeAt: '2026-01-31T10:00:00.000Z',
    heldUntil: '2026-01-31T10:21:00.000Z',
    isShadow: false,
  },
  ...{ tills, openTills, startsAt, endsAt, lateShare, lateShareWithIt, target },
  ...{ outcome: 'helpful', people: 57, actualLateShare: 0.28, actualOpenTills: 2 },
};

export const HISTORY_EXAMPLES: Examples = {
  '?from': RANGE.from,
  '?to': RANGE.to,
  '?bucket': '1h',
  '?timezone': 'Europe/Berlin',
  '?usual': true,
  UsualBands: {
    reason: null,
    ...Object.fromEntries(USUAL_NAMES.map((name) => [name, { low: [null, 2, 2], high: [null, 6, 6] }])),
  },
  MetricSeries: {
    ...RANGE,
    bucket: '1h',
    timezone: 'Europe/Berlin',
    unfinishedIndex: 2,
    t: HOURS,
    ...COLUMNS,
    expectedErrorReason: REASONS,
    openPercent: [0, 100, 100],
  },
  'GET /analytics/scenes/{id}/series text/csv': SERIES_CSV,
  'GET /analytics/sites/{id}/series text/csv': SERIES_CSV,
  MetricHeatmap: HEATMAP,
  Distribution: DISTRIBUTION,
  Durations: DURATIONS,
  '?edgeSeconds': '60,120,180',
  '?stepSeconds': 60,
  '?longerThanSeconds': '120',
  '?minQueueLength': '5',
  Visit: { ...VISIT, tills: VISIT_TILLS },
  TillHistory: TILLS,
  WaitAccuracy: {
    ...{ ...RANGE, timezone: 'Europe/Berlin', ...ACCURACY, latest: { served: 371, insideBand: 301 } },
    hours: [{ hour: 11, ...ACCURACY }],
  },
  StaffingAdvice: ADVICE,
  SceneAdvice: {
    ...{ current: null, reason: null, advice: [ADVICE] },
    outcomes: { followed: 5, helpful: 3, needless: 1, unknown: 0, helpfulShare: 0.75 },
  },
  'GET /analytics/scenes/{id}/tills text/csv': csv(
    HOURS.map((t, at) => ({
      ...{ t, tillId: VISIT.tillId, name: 'Till 1' },
      ...Object.fromEntries(Object.entries(TILL).map(([name, column]) => [name, column[at]])),
    })),
  ),
  '?outcome': 'abandoned',
  '?tillId': 'till-1',
  'GET /visits text/csv': csv([VISIT]),
};
