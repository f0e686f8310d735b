import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

const NIGHT = {
  timezone: 'Europe/Berlin',
  windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '20:30', end: '08:30' }],
};
const WANTED = {
  name: 'Long queues',
  kinds: ['alert_triggered', 'device_offline'],
  severities: ['critical'],
  siteIds: [ID.site],
  quietHours: NIGHT,
  minDistanceSeconds: 600,
};
const PUBLIC_KEY = 'BPB8dQf4gV3fWk0rJ1Yq2sZ5xNcLtUeHhKmRwAoDiG7jEbTyXu9OvClSaPnMIzF6kQqWdEr4tVbYgHjKlMnBvCx';

const PAGE = '<!doctype html>\n<html lang="en-GB">…</html>\n';

/** Examples of notifications. */
export const NOTIFICATION_EXAMPLES: Examples = {
  'POST /notifications/channels': { kind: 'email', name: 'Anna', address: 'anna@example.com' },
  'POST /notifications/channels/{id}/confirm': { code: '4711 0815' },
  'POST /notifications/subscriptions': { channelId: ID.channel, ...WANTED },
  'PATCH /notifications/subscriptions/{id}': { quietHours: NIGHT, minDistanceSeconds: 900 },
  NotificationChannel: {
    id: ID.channel,
    kind: 'email',
    name: 'Anna',
    status: 'enabled',
    address: 'anna@example.com',
    codeExpiresAt: null,
    confirmedAt: TIME.updated,
    failingSince: null,
    disabledAt: null,
    disabledReason: null,
    createdAt: TIME.created,
    updatedAt: TIME.updated,
  },
  NotificationSubscription: {
    id: ID.subscription,
    channelId: ID.channel,
    isEnabled: true,
    ruleIds: [],
    deviceIds: [],
    ...WANTED,
    nextAt: '2026-01-31T08:25:00.000Z',
    createdAt: TIME.created,
    updatedAt: TIME.updated,
  },
  NotificationDelivery: {
    id: ID.attempt,
    messageId: ID.message,
    channelId: ID.channel,
    channelKind: 'email',
    address: 'anna@example.com',
    subscriptionId: ID.subscription,
    kind: 'alert_triggered',
    severity: 'critical',
    deviceId: ID.device,
    sceneId: ID.scene,
    alertEventId: ID.alert,
    eventCount: 1,
    since: TIME.alert,
    status: 'success',
    responseCode: 250,
    responseTimeMs: 240,
    responseBody: '250 2.0.0 Ok: queued as 4711',
    errorMessage: null,
    attemptNumber: 1,
    maxAttempts: 6,
    isFinalAttempt: true,
    createdAt: TIME.stored,
    attemptedAt: TIME.answered,
    nextAttemptAt: null,
  },
  PushKey: { publicKey: PUBLIC_KEY },
  'GET /notifications/channels ?kind': 'email',
  'GET /notifications/channels ?status': 'enabled',
  'GET /notifications/deliveries ?kind': 'alert_triggered',
  'GET /notifications/deliveries ?status': 'failed',
  'GET /notifications/unsubscribe/{id} text/html': PAGE,
  'POST /notifications/unsubscribe/{id} text/html': PAGE,
};
