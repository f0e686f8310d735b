import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

const FRIDAY = {
  ...{ coveragePercent: 50, arrivals: 412, completed: 371, abandoned: 33, lost: 8, abandonmentRate: 0.082 },
  ...{ p50WaitSeconds: 88.4, p90WaitSeconds: 243.1, p50ServiceSeconds: 52.3 },
};
const FRIDAY_BEFORE = {
  ...{ coveragePercent: 49.8, arrivals: 380, completed: 352, abandoned: 19, lost: 9, abandonmentRate: 0.051 },
  ...{ p50WaitSeconds: 71.2, p90WaitSeconds: 198.7, p50ServiceSeconds: 51.9 },
};
const TIMES = { from: '2026-01-29T23:00:00.000Z', to: '2026-01-30T23:00:00.000Z' };
const DAY = { ...TIMES, localTime: '2026-01-30T00:00:00+01:00', current: FRIDAY, previous: FRIDAY_BEFORE };
const HOUR = {
  ...{
    from: '2026-01-30T16:00:00.000Z',
    to: '2026-01-30T17:00:00.000Z',
    localTime: '2026-01-30T17:00:00+01:00',
  },
  current: {
    ...{ coveragePercent: 100, arrivals: 61, completed: 52, abandoned: 8, lost: 1, abandonmentRate: 0.133 },
    ...{ p50WaitSeconds: 141.6, p90WaitSeconds: 301.2, p50ServiceSeconds: 53.4 },
  },
  previous: {
    ...{ coveragePercent: 100, arrivals: 55, completed: 50, abandoned: 4, lost: 1, abandonmentRate: 0.074 },
    ...{ p50WaitSeconds: 118.3, p90WaitSeconds: 266.8, p50ServiceSeconds: 52.1 },
  },
};

const LINES = [
  [
    'level,from,to,localTime,siteName,sceneId,sceneName,deviceName',
    'coveragePercent,arrivals,completed,abandoned,lost,abandonmentRate,p50WaitSeconds,p90WaitSeconds,p50ServiceSeconds',
    'previousCoveragePercent,previousArrivals,previousCompleted,previousAbandoned,previousLost',
    'previousAbandonmentRate,previousP50WaitSeconds,previousP90WaitSeconds,previousP50ServiceSeconds',
  ],
  [
    `site,${TIMES.from},${TIMES.to},${DAY.localTime},High Street,,,`,
    Object.values(FRIDAY).join(),
    Object.values(FRIDAY_BEFORE).join(),
  ],
];

const UNSUBSCRIBED = '<!doctype html>\n<html lang="en">\n<body><h1>Unsubscribe</h1>…</body></html>\n';

const SUBSCRIPTION = { period: 'week', localTime: '07:30', weekday: 1, channelIds: [ID.channel] };

export const REPORT_EXAMPLES: Examples = {
  'POST /reports/subscriptions': { siteId: ID.site, ...SUBSCRIPTION },
  'PATCH /reports/subscriptions/{id}': { localTime: '08:00', weekday: 2 },
  ReportSubscription: {
    id: ID.reports,
    siteId: ID.site,
    ...SUBSCRIPTION,
    nextDueAt: '2026-02-02T06:30:00.000Z',
    lastReport: {
      date: '2026-01-19',
      status: 'sent',
      reason: null,
      dueAt: '2026-01-26T06:30:00.000Z',
      createdAt: '2026-01-26T06:30:04.120Z',
    },
    createdAt: TIME.created,
    updatedAt: TIME.updated,
  },
  'GET /reports/unsubscribe/{id} text/html': UNSUBSCRIBED,
  'POST /reports/unsubscribe/{id} text/html': UNSUBSCRIBED,
  'POST /reports/unsubscribe/{id} ?channel': ID.channel,
  'GET /reports/unsubscribe/{id} ?channel': ID.channel,
  ReportPreview: { channelIds: [ID.channel] },
  'GET /reports/subscriptions ?siteId': ID.site,
  'GET /reports/{siteId} ?siteId': ID.site,
  'GET /reports/{siteId} ?period': 'day',
  'GET /reports/{siteId} ?date': '2026-01-30',
  'GET /reports/{siteId} ?format': 'json',
  ReportNumbers: FRIDAY,
  Report: {
    ...{ siteId: ID.site, siteName: 'High Street', period: 'day', timezone: 'Europe/Berlin' },
    current: { ...TIMES, date: '2026-01-30' },
    previous: { from: '2026-01-22T23:00:00.000Z', to: '2026-01-23T23:00:00.000Z', date: '2026-01-23' },
    isUnfinished: false,
    summary: { current: FRIDAY, previous: FRIDAY_BEFORE },
    change: {
      arrivals: { absolute: 32, percent: 8.421 },
      completed: { absolute: 19, percent: 5.398 },
      abandoned: { absolute: 14, percent: 73.684 },
      abandonmentRate: { absolute: 0.031, percent: 60.784 },
      p50WaitSeconds: { absolute: 17.2, percent: 24.157 },
      p90WaitSeconds: { absolute: 44.4, percent: 22.345 },
      p50ServiceSeconds: { absolute: 0.4, percent: 0.771 },
    },
    scenes: [
      {
        ...{ sceneId: ID.scene, sceneName: 'Till 3', deviceId: ID.device, deviceName: 'Camera till 3' },
        ...{ current: FRIDAY, previous: FRIDAY_BEFORE },
      },
    ],
    days: [DAY],
    hours: [HOUR],
    busiestHours: [HOUR],
  },
  'GET /reports/{siteId} text/csv': LINES.map((parts) => `${parts.join()}\r\n`).join(''),
  'GET /reports/{siteId} text/html':
    '<!doctype html>\n<html lang="en-GB">\n<head><meta charset="utf-8"><title>Daily report: High Street, Fri 30 Jan</title></head>\n<body>…</body></html>\n',
};
