import { EVENTS } from '../../delivery/events/catalogue.ts';
import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

const URL = 'https://hooks.example.com/video';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw7Kn0kLsA3eI=';
const TYPES = ['alert_triggered', 'device_offline', 'device_online'];
const BODY = {
  id: ID.event,
  type: 'alert_triggered',
  timestamp: TIME.alert,
  data: EVENTS.alert_triggered.example,
};
const SCOPES = ['scene:read', 'analytics:read'];

const ANNOUNCED = {
  id: ID.announcement,
  type: 'maintenance_scheduled',
  title: 'Database update',
  message: 'Starting and stopping analysis is not possible for a few minutes.',
  startsAt: '2026-02-01T02:00:00.000Z',
  endsAt: '2026-02-01T02:15:00.000Z',
};

/** Examples of the webhook, the event stream, API keys, users and announcements. */
export const INTEGRATION_EXAMPLES: Examples = {
  'POST /users/me/webhook': { url: URL, name: 'Shop dashboard', subscribedTypes: TYPES },
  'PATCH /users/me/webhook': { maxRetries: 5, status: 'enabled' },
  'POST /users/me/webhook/test': { type: 'alert_triggered' },
  'Webhook.id': ID.webhook,
  'Webhook.name': 'Shop dashboard',
  'Webhook.status': 'enabled',
  'CreatedWebhook.id': ID.webhook,
  'CreatedWebhook.name': 'Shop dashboard',
  'CreatedWebhook.status': 'enabled',
  url: URL,
  secret: SECRET,
  secretLast4: SECRET.slice(-4),
  subscribedTypes: TYPES,
  timeoutMs: 5000,
  maxRetries: 3,
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  previousSecretValidUntil: null,
  'WebhookDelivery.id': ID.delivery,
  webhookUrl: URL,
  notificationId: ID.event,
  notificationType: 'alert_triggered',
  'WebhookDelivery.payload': BODY,
  'WebhookDelivery.status': 'success',
  httpStatusCode: 204,
  responseTimeMs: 81.5,
  responseBody: '',
  attemptNumber: 1,
  maxAttempts: 4,
  isFinalAttempt: true,
  'WebhookDelivery.createdAt': TIME.stored,
  attemptedAt: '2026-01-31T08:15:00.120Z',
  nextAttemptAt: null,
  'GET /stream text/event-stream': { id: '4211', type: 'alerts', data: BODY },

  'POST /api-keys': { name: 'Dashboard', scopes: SCOPES, expiresAt: '2027-01-01T00:00:00.000Z' },
  'ApiKey.id': ID.key,
  'ApiKey.name': 'Dashboard',
  'CreatedApiKey.id': ID.key,
  'CreatedApiKey.name': 'Dashboard',
  prefix: 'vas_Ab3dEf9h',
  last4: 'x7Qz',
  scopes: SCOPES,
  expiresAt: '2027-01-01T00:00:00.000Z',
  lastUsedAt: '2026-01-31T08:14:00.000Z',
  'CreatedApiKey.lastUsedAt': null,
  key: 'vas_Ab3dEf9h_EXAMPLEexampleEXAMPLEexample0000aBx7Qz',
  apiKey: 'vas_Ab3dEf9h_EXAMPLEexampleEXAMPLEexample0000aBx7Qz',
  'POST /admin/users': { email: 'ada@example.com', name: 'Ada' },
  'User.id': ID.user,
  'User.name': 'Ada',
  'CreatedUser.id': ID.user,
  'CreatedUser.name': 'Ada',
  'UserDetail.id': ID.user,
  'UserDetail.name': 'Ada',
  'UserDetail.monthlyLimits': {
    analysisSeconds: 360_000,
    alertCount: 1000,
    attributeCount: null,
    vlmTokens: 100_000,
  },
  email: 'ada@example.com',
  isAdmin: false,
  'POST /admin/announcements': {
    type: 'maintenance_scheduled',
    title: 'Database update',
    message: 'Starting and stopping analysis is not possible for a few minutes.',
    startsAt: '2026-02-01T02:00:00.000Z',
    endsAt: '2026-02-01T02:15:00.000Z',
  },
  Announcement: { ...ANNOUNCED, userIds: [], recipientCount: 12, createdAt: TIME.alert },
  ShownAnnouncement: { ...ANNOUNCED, createdAt: TIME.alert },
  ListedAnnouncement: { ...ANNOUNCED, userIds: [], endedAt: null, createdAt: TIME.alert },
};

const fault = (path: string, message: string) => ({
  message: `${path}: ${message}`,
  details: [{ path, message }],
});

/** Messages of errors by code; errors without one show their meaning. */
export const ERROR_EXAMPLES: Examples = {
  VALIDATION_ERROR: fault('deviceID', 'is not a query parameter here. Did you mean deviceId?'),
  INVALID_JSON: {
    message: 'The body is not valid JSON at line 3, column 1. There is a comma before a closing bracket',
  },
  INVALID_BILLING_PERIOD: fault(
    'billingPeriod',
    'must be a month like 2026-01, from 2000-01 to 2999-12; received "2026-13"',
  ),
  INVALID_DATE_RANGE: fault(
    'startDate',
    'must not lie after endDate, 2026-01-01T00:00:00.000Z; received "2026-02-01"',
  ),
  INVALID_METRIC_PATH: fault(
    'conditions.0.metricPath',
    'must be a metric; received "current.inqueue". Did you mean current.inQueue? GET /alerts/metrics/queue_analysis lists them all',
  ),
  UNAUTHORIZED: { message: 'The request has no API key. Send it as Authorization: Bearer <API_KEY>' },
  INSUFFICIENT_SCOPE: { message: 'This API key does not have the scope scene:write' },
  NOT_FOUND: { message: 'Scene not found' },
  Error: {
    success: false,
    statusCode: 404,
    message: 'Scene not found',
    error: { code: 'NOT_FOUND' },
    meta: { timestamp: TIME.answered, requestId: ID.request },
  },
};
