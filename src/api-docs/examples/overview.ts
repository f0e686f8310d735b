import { EVENTS } from '../../events/catalogue.ts';
import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

/** Examples of the overview and of the list of events. */
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
  'OverviewScene.isFiring': true,
  'OverviewScene.firingSeverity': 'warning',
  'OverviewScene.lastAlert': {
    id: ID.alert,
    ruleId: ID.rule,
    severity: 'warning',
    triggeredAt: TIME.alert,
    message: 'Queue length 7 > 5 at "Till 3"',
  },
  'OverviewScene.spark': {
    start: '2026-01-31T07:20:00.000Z',
    bucketSeconds: 300,
    avgInQueue: [2.1, 2.4, 1.9, null, 2.8, 3.3, 3.1, 3.9, 4.6, 5.2, 6.3, 6.9],
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
