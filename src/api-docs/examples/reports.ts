import { TILL_NUMBERS } from '../../analytics/history/tills/schema.ts';
import { COMPARED } from '../../analytics/reports/numbers.ts';
import { previousName } from '../../analytics/reports/schema.ts';
import { IN_REPORTS } from '../../catalogue/metrics/all.ts';
import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';
import { TILL_TOTAL } from './history.ts';

const example = (metric: (typeof IN_REPORTS)[number], share: number): number =>
  metric.unit === 'count'
    ? Math.round(metric.example * share)
    : Math.round(metric.example * share * 1000) / 1000;
/** @param share of the numbers of the catalogue's examples */
const numbers = (share: number) => ({
  coveragePercent: 100,
  ...Object.fromEntries(IN_REPORTS.map((metric) => [metric.report.name, example(metric, share)])),
});
const FRIDAY = numbers(1);
const FRIDAY_BEFORE = numbers(0.8);
const CHANGE = { absolute: 4, percent: 25 };
const TIMES = { from: '2026-01-29T23:00:00.000Z', to: '2026-01-30T23:00:00.000Z' };
const DAY = {
  ...TIMES,
  localTime: '2026-01-30T00:00:00+01:00',
  openPercent: 45.8,
  current: FRIDAY,
  previous: FRIDAY_BEFORE,
};
const HOUR = {
  ...{
    from: '2026-01-30T16:00:00.000Z',
    to: '2026-01-30T17:00:00.000Z',
    localTime: '2026-01-30T17:00:00+01:00',
    openPercent: 100,
  },
  current: FRIDAY,
  previous: FRIDAY_BEFORE,
};

const LINES = [
  [
    'level,from,to,localTime,siteName,sceneId,sceneName,deviceName',
    Object.keys(FRIDAY).join(),
    Object.keys(FRIDAY).map(previousName).join(),
    ['tillId', 'tillName', ...Object.keys(TILL_NUMBERS)].join(),
  ],
  [
    `site,${TIMES.from},${TIMES.to},${DAY.localTime},High Street,,,`,
    Object.values(FRIDAY).join(),
    Object.values(FRIDAY_BEFORE).join(),
    ','.repeat(1 + Object.keys(TILL_NUMBERS).length),
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
    change: Object.fromEntries(COMPARED.map(({ report }) => [report.name, CHANGE])),
    scenes: [
      {
        ...{ sceneId: ID.scene, sceneName: 'Till 3', deviceId: ID.device, deviceName: 'Camera till 3' },
        ...{ current: FRIDAY, previous: FRIDAY_BEFORE },
      },
    ],
    tills: [{ sceneId: ID.scene, sceneName: 'Till 3', tillId: 'till-1', name: 'Till 1', ...TILL_TOTAL }],
    days: [{ ...DAY, exceptionName: null }],
    hours: [HOUR],
    busiestHours: [HOUR],
    plan: {
      date: '2026-01-31',
      scenes: [
        {
          ...{ sceneId: ID.scene, sceneName: 'Till 3', target: { waitSeconds: 180, share: 0.9 } },
          halfHours: [
            {
              from: '2026-01-31T10:00:00.000Z',
              to: '2026-01-31T10:30:00.000Z',
              localTime: '2026-01-31T11:00:00+01:00',
              ...{ people: 61.5, tills: 2, lateShare: 0.06 },
            },
          ],
        },
      ],
    },
  },
  'GET /reports/{siteId} text/csv': LINES.map((parts) => `${parts.join()}\r\n`).join(''),
  'GET /reports/{siteId} text/html':
    '<!doctype html>\n<html lang="en-GB">\n<head><meta charset="utf-8"><title>Daily report: High Street, Fri 30 Jan</title></head>\n<body>…</body></html>\n',
};
