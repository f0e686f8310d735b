import { QUEUE_ZONE } from '../../support/api.ts';
import type { Rows } from '../rows.ts';

const square = (left: number, right: number) => ({
  type: 'polygon' as const,
  points: [
    [left, 0.6],
    [right, 0.6],
    [right, 0.9],
    [left, 0.9],
  ],
});
export const TILLS = [
  { id: 'till-1', name: 'Till 1', ...square(0.05, 0.3) },
  { id: 'till-2', name: 'Till 2', ...square(0.65, 0.9) },
];
const SCHEDULE = {
  timezone: 'Europe/Berlin',
  windows: [{ days: [1, 2, 3, 4, 5, 6], start: '08:00', end: '20:00' }],
};
const HOURS = {
  windows: SCHEDULE.windows,
  exceptions: [{ date: '2026-12-24', name: 'Christmas Eve', windows: [{ start: '08:00', end: '14:00' }] }],
};
const SITE = {
  ...{ timezone: 'Europe/Berlin', target: { waitSeconds: 180, share: 0.9 }, openingHours: HOURS },
};
const CONDITIONS = [{ metricPath: 'current.inQueue', operator: 'GT', threshold: 5 }];
const RANGE = { from: '2026-01-30T07:00:00.000Z', to: '2026-01-30T08:00:00.000Z' };

/** Bodies that say more than those of the contract's cases, by operationId. */
export const BODIES: Readonly<Record<string, (rows: Rows) => object>> = {
  createAlertRule: ({ scene }) => ({
    ...{ name: 'Long queue', sceneId: scene, severity: 'warning', conditions: CONDITIONS },
    ...{ cooldownMinutes: 5, durationSeconds: 10, schedule: SCHEDULE },
  }),
  updateAlertRule: () => ({ description: 'More than five people in line at the first till' }),
  previewAlertRule: ({ scene }) => ({
    ...{ sceneId: scene, conditions: CONDITIONS, durationSeconds: 0, curvePoints: 4 },
    ...{ startDate: '2026-01-31T08:00:00.000Z', endDate: '2026-01-31T09:00:00.000Z' },
  }),
  createAnnouncement: () => ({
    ...{ type: 'maintenance_scheduled', title: 'Database update' },
    message: 'Starting and stopping analysis is not possible for a few minutes.',
    ...{ startsAt: '2026-02-01T02:00:00.000Z', endsAt: '2026-02-01T02:15:00.000Z' },
  }),
  createApiKey: () => ({ name: 'Dashboard', scopes: ['scene:read', 'analytics:read'] }),
  createDevice: () => ({
    ...{ name: 'Camera till 2', description: 'Above the second till, looking at the line' },
    ...{ streamUrl: 'sim:shop?seed=1', plan: 'LEVEL_02', analysisFps: 5, schedule: SCHEDULE },
  }),
  updateDevice: () => ({ description: 'Above the first till', analysisFps: 10 }),
  createExport: ({ device }) => ({ ...RANGE, deviceIds: [device] }),
  createErasure: () => RANGE,
  createLoginCode: () => ({ kind: 'person', role: 'viewer', label: 'Tablet at the entrance' }),
  createNotificationChannel: () => ({ kind: 'email', name: 'Anna', address: 'anna@example.com' }),
  createReportSubscription: ({ site, mailChannel }) => ({
    ...{ siteId: site, period: 'week', localTime: '07:30', weekday: 1, channelIds: [mailChannel] },
  }),
  createScene: ({ device }) => ({
    ...{ deviceId: device, name: 'Till 2', description: 'The line in front of the second till' },
    ...{ analysisType: 'queue_analysis', config: { zones: { queueZone: QUEUE_ZONE } } },
  }),
  updateScene: () => ({ description: 'The line in front of the first till' }),
  createSite: ({ device }) => ({ name: 'Station', ...SITE, deviceIds: [device] }),
  updateSite: () => SITE,
  createUser: () => ({ email: 'grace@example.com', name: 'Grace' }),
  createWebhook: () => ({
    ...{ url: 'https://93.184.216.34/hook', name: 'Shop dashboard' },
    subscribedTypes: ['alert_triggered', 'device_offline', 'device_online'],
  }),
  updateWebhook: () => ({ name: 'Shop dashboard', maxRetries: 5 }),
  testWebhook: () => ({ type: 'alert_triggered' }),
  recoverWebhook: () => ({ since: '2026-01-31T08:00:00.000Z' }),
  discoverCameras: () => ({
    network: '192.168.1.0/24',
    credentials: { username: 'operator', password: 'secret' },
  }),
  markCheckTimes: () => ({ visits: [{ person: 'red jacket', joinedAt: 1.5, servedAt: 4, leftAt: 8 }] }),
  searchInsights: () => ({ query: 'more than five people in line at Till 1 this week', limit: 2 }),
  updateCurrentUser: () => ({ name: 'Ada', timezone: 'Europe/Berlin', locale: 'de' }),
  updateRecording: () => ({ name: 'Saturday morning', timezone: 'Europe/Berlin' }),
  setUserQuota: () => ({ analysis: 100_000, vlm: null, reason: 'New contract' }),
  setDeviceQuota: () => ({ analysis: 50_000 }),
  topUpUserQuota: () => ({ featureType: 'analysis', amount: 36_000, reason: 'Ten more hours for the sale' }),
};

/** Parameters that are sent where a call has them, by name or for one call. */
export const SENT: Readonly<Record<string, string | number | boolean>> = {
  ...{ from: '2026-01-31T07:00:00.000Z', to: '2026-01-31T09:00:00.000Z', bucket: '1h', usual: true },
  ...{ startDate: '2026-01-30T00:00:00.000Z', endDate: '2026-02-01T00:00:00.000Z' },
  ...{ timezone: 'Europe/Berlin', billingPeriod: '2026-01', recordedAt: '2026-01-31T07:00:00.000Z' },
  ...{ edgeSeconds: '60,120,180', longerThanSeconds: '120', minQueueLength: '5' },
  ...{ includeRolling: true, includeSnapshots: true, limit: 2 },
  'getWebhookStatistics bucket': 'hour',
  'getRecordingFilm from': 60,
  'getRecordingFilm seconds': 10,
};
