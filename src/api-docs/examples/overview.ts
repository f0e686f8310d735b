import { EVENTS } from '../../delivery/events/catalogue.ts';
import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

const DELIVERED = { attempts: 41, success: 40, failed: 1, p50ResponseMs: 84, p95ResponseMs: 210 };

const { adviceId, tills, openTills, startsAt, endsAt, lateShare, lateShareWithIt, target } =
  EVENTS.staffing_advice.example;

const { unusualId, beganAt, deviations } = EVENTS.unusual_activity.example;

const LAST_ALERT = {
  id: ID.alert,
  ruleId: ID.rule,
  severity: 'warning',
  triggeredAt: TIME.alert,
  message: 'Till 3: people waiting 7, limit 5',
  ...{ metricPath: 'current.inQueue', operator: 'GT', threshold: 5, actualValue: 7 },
};

/** Examples of the overview, the list of events and the statistics of deliveries. */
export const OVERVIEW_EXAMPLES: Examples = {
  '?siteId': ID.site,
  'OverviewDevice.id': ID.device,
  'OverviewDevice.name': 'Camera till 3',
  'OverviewDevice.siteIds': [ID.site],
  'OverviewScene.id': ID.scene,
  'OverviewScene.name': 'Till 3',
  'OverviewScene.status': 'active',
  'OverviewScene.analysisStatus': 'running',
  'OverviewScene.run': {
    analysisId: ID.analysis,
    status: 'running',
    startedAt: TIME.started,
    errorMessage: null,
  },
  'OverviewScene.metricsAgeMs': 250,
  'OverviewScene.advice': {
    id: adviceId,
    tills,
    openTills,
    startsAt,
    endsAt,
    lateShare,
    lateShareWithIt,
    target,
  },
  'OverviewScene.unusual': { id: unusualId, beganAt, deviations },
  'OverviewScene.serviceLevel': 0.867,
  'OverviewScene.isFiring': true,
  'OverviewScene.firingSeverity': 'warning',
  'OverviewScene.lastAlert': LAST_ALERT,
  'OverviewScene.spark': {
    start: '2026-01-31T07:20:00.000Z',
    bucketSeconds: 300,
    avgInQueue: [2.1, 2.4, 1.9, null, 2.8, 3.3, 3.1, 3.9, 4.6, 5.2, 6.3, 6.9],
  },
  'SiteOverview.id': ID.site,
  'SiteOverview.name': 'Alexanderplatz, ground floor',
  'SiteOverview.devices': 3,
  'SiteOverview.devicesOnline': 3,
  'SiteOverview.scenes': 3,
  'SiteOverview.scenesMeasured': 3,
  'SiteOverview.serviceLevel': 0.867,
  'SiteOverview.isFiring': true,
  'SiteOverview.firingSeverity': 'warning',
  'SiteOverview.lastAlert': LAST_ALERT,
  'POST /users/me/webhook/recover': { since: '2026-01-31T00:00:00.000Z' },
  RecoveredDeliveries: { scheduledCount: 12, remainingCount: 0 },
  'GET /users/me/webhook/stats ?bucket': 'day',
  'GET /users/me/webhook/stats ?timezone': 'Europe/Berlin',
  'GET /users/me/webhook/stats ?from': '2026-01-30T23:00:00.000Z',
  'GET /users/me/webhook/stats ?to': '2026-01-31T23:00:00.000Z',
  DeliveryStats: {
    from: '2026-01-30T23:00:00.000Z',
    to: '2026-01-31T23:00:00.000Z',
    bucket: 'day',
    timezone: 'Europe/Berlin',
    total: DELIVERED,
    buckets: [{ start: '2026-01-30T23:00:00.000Z', ...DELIVERED }],
  },
  'GET /events ?types': 'device_offline,device_online',
  'ListedEvent.id': ID.event,
  'ListedEvent.type': 'device_offline',
  'ListedEvent.topic': 'device',
  'ListedEvent.timestamp': TIME.alert,
  'ListedEvent.severity': null,
  'ListedEvent.sceneId': null,
  'ListedEvent.alertEventId': null,
  'ListedEvent.data': EVENTS.device_offline.example,
};
