import type { Context } from '../../src/platform/context.ts';
import { imageUrl } from '../../src/platform/images/image-url.ts';
import { QUEUE_ZONE, SHOP } from '../support/api.ts';
import { testBrowser } from '../support/rows/channels.ts';
import { CLIP } from '../support/rows/recordings.ts';
import type { IdPlace } from './operations.ts';
import type { Kind, Rows } from './rows.ts';

/** What the matrix must know of an operation that its document cannot say. */
export interface Case {
  /** Status with the right scope and own ids. */
  readonly own: number;
  /** What the id in the path names. */
  readonly path?: Kind;
  /** A valid body. */
  readonly body?: (rows: Rows) => object;
  /** A file as the body. */
  readonly file?: Uint8Array;
  /** Statuses for an id that names nothing, by field, where it is not 404, or 200 for an optional filter. */
  readonly gone?: Readonly<Record<string, number>>;
  /** Where only a session can make the call. */
  readonly credential?: 'cookie';
  /** It takes away what other calls need, as every DELETE does: it gets rows of its own. */
  readonly spends?: true;
  /** What must be so before the call with own ids. */
  readonly before?: (context: Context, rows: Rows) => Promise<unknown>;
}

const CONFIG = { zones: { queueZone: QUEUE_ZONE } };
const RANGE = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
const CONDITIONS = [{ metricPath: 'current.inQueue', operator: 'GT', threshold: 3 }];
const noWebhook = ({ db }: Context, { user }: Rows) =>
  db.webhook.updateMany({ where: { userId: user }, data: { deletedAt: new Date() } });

/** Of a user only five wait. */
const noJobs = ({ db }: Context, { user }: Rows) =>
  db.dataJob.deleteMany({ where: { userId: user, status: 'queued' } });

/** One for every operation there is: a route without one fails the suite. */
export const CASES: Readonly<Record<string, Case>> = {
  'GET /analysis/insights': { own: 200 },
  'GET /analysis/insights/{id}': { own: 200, path: 'insight' },
  'GET /analysis/insights/{id}/snapshots': { own: 200, path: 'insight' },
  'GET /analysis/insights/{id}/attributes': { own: 200, path: 'insight' },
  'GET /analysis/insights/attributes/stats': { own: 200 },
  'GET /analysis/insights/vlm-summaries': { own: 200 },
  'POST /analysis/insights/search': {
    own: 200,
    body: ({ device, scene }) => ({ query: 'people', deviceId: device, sceneId: scene }),
    gone: { deviceId: 200, sceneId: 200 },
  },
  'GET /analysis/attributes': { own: 200 },
  'GET /analysis/attributes/{id}': { own: 200, path: 'attribute' },
  'POST /devices/{id}/analysis/start': {
    spends: true,
    own: 202,
    path: 'device',
    body: ({ scene }) => ({ sceneId: scene }),
  },
  'POST /devices/{id}/analysis/stop': {
    spends: true,
    own: 200,
    path: 'busyDevice',
    body: ({ busyScene }) => ({ sceneId: busyScene }),
  },
  'GET /devices/{id}/analysis/status': { own: 200, path: 'device' },
  'GET /devices/{id}/analysis/history': { own: 200, path: 'device' },
  'GET /analysis/tasks': { own: 200 },
  'GET /analysis/tasks/statistics': { own: 200 },
  'GET /analysis/tasks/{id}': { own: 200, path: 'endedTask' },
  'PATCH /analysis/tasks/{id}': {
    spends: true,
    own: 200,
    path: 'queuedTask',
    body: () => ({ status: 'cancelled' }),
  },
  'DELETE /analysis/tasks/{id}': { own: 204, path: 'endedTask' },
  'POST /scenes': {
    own: 201,
    body: ({ device }) => ({
      deviceId: device,
      name: 'Till',
      analysisType: 'queue_analysis',
      config: CONFIG,
    }),
  },
  'GET /scenes': { own: 200 },
  'GET /scenes/{id}': { own: 200, path: 'scene' },
  'PATCH /scenes/{id}': {
    own: 200,
    path: 'scene',
    body: ({ device }) => ({ name: 'Another', deviceId: device }),
    // It can only be repeated: any other is an attempt to change it.
    gone: { deviceId: 400 },
  },
  'DELETE /scenes/{id}': { own: 204, path: 'scene' },
  'POST /scenes/{id}/checks': { own: 201, path: 'busyScene', body: () => ({ stills: 20, hours: 1 }) },
  'GET /scenes/{id}/checks': { own: 200, path: 'scene' },
  'POST /scenes/{id}/times-checks': { own: 201, path: 'busyScene', body: () => ({ seconds: 60 }) },
  'GET /checks/{id}/film': { own: 200, path: 'timesCheck' },
  'GET /checks/{id}/labels': { own: 200, path: 'timesCheck' },
  'PUT /checks/{id}/times': { own: 204, path: 'timesCheck', body: () => ({ visits: [] }) },
  'GET /checks/{id}': { own: 200, path: 'check' },
  'POST /checks/{id}/stop': { own: 200, path: 'check' },
  'POST /checks/{id}/finish': { spends: true, own: 200, path: 'check', body: () => ({ checkedBy: 'Anna' }) },
  'POST /checks/{id}/report': {
    own: 202,
    path: 'finishedCheck',
    body: ({ mailChannel: id }) => ({ channelIds: [id] }),
  },
  'GET /checks/{id}/view': { own: 200, path: 'finishedCheck' },
  'DELETE /checks/{id}': { own: 204, path: 'check' },
  'GET /check-stills/{id}/picture': { own: 200, path: 'checkStill' },
  'PUT /check-stills/{id}/answer': {
    own: 204,
    path: 'checkStill',
    body: () => ({ waiting: [[0.5, 0.5]], served: 0 }),
  },
  'GET /alerts/metrics/queue_analysis': { own: 200 },
  'GET /alerts/metrics/queue_analysis/grouped': { own: 200 },
  'POST /alerts/rules': {
    own: 201,
    body: ({ scene }) => ({ name: 'Rule', sceneId: scene, severity: 'warning', conditions: CONDITIONS }),
  },
  'GET /alerts/rules': { own: 200 },
  'GET /alerts/rules/{id}': { own: 200, path: 'rule' },
  'PATCH /alerts/rules/{id}': {
    own: 200,
    path: 'rule',
    body: ({ scene }) => ({ name: 'New', sceneId: scene }),
  },
  'DELETE /alerts/rules/{id}': { own: 204, path: 'rule' },
  'POST /alerts/rules/preview': {
    own: 200,
    body: ({ scene }) => ({
      sceneId: scene,
      conditions: CONDITIONS,
      startDate: '2026-11-01T00:00:00.000Z',
      endDate: '2026-11-02T00:00:00.000Z',
    }),
  },
  'GET /analysis/alerts': { own: 200 },
  'GET /analysis/alerts/stats': { own: 200 },
  'GET /analysis/alerts/{id}': { own: 200, path: 'alert' },
  'PATCH /analysis/alerts/{id}': { own: 200, path: 'alert', body: () => ({ acknowledged: true }) },
  'DELETE /analysis/alerts/{id}': { own: 204, path: 'alert' },
  'GET /analytics/snapshots': { own: 200 },
  'GET /analytics/snapshots/latest': { own: 200 },
  'GET /analytics/rolling': { own: 200 },
  'GET /analytics/rolling/latest': { own: 200 },
  'GET /analytics/scenes/{id}/floor': { own: 200, path: 'scene' },
  'GET /analytics/scenes/{id}/feet': { own: 200, path: 'scene' },
  'PUT /scenes/{id}/left-proposal': {
    own: 204,
    path: 'scene',
    body: () => ({ zone: 'queueZone', polygon: QUEUE_ZONE }),
  },
  'GET /analytics/scenes/{id}/latest': { own: 200, path: 'scene' },
  'GET /analytics/scenes/{id}/series': { own: 200, path: 'scene' },
  'GET /analytics/scenes/{id}/heatmap': { own: 200, path: 'scene' },
  'GET /analytics/scenes/{id}/distribution': { own: 200, path: 'scene' },
  'GET /analytics/scenes/{id}/tills': { own: 200, path: 'scene' },
  'GET /analytics/scenes/{id}/wait-accuracy': { own: 200, path: 'scene' },
  'GET /analytics/scenes/{id}/advice': { own: 200, path: 'scene' },
  'GET /analytics/sites/{id}/opening-hours-proposal': { own: 200, path: 'site' },
  'GET /analytics/sites/{id}/series': { own: 200, path: 'site' },
  'GET /analytics/sites/{id}/heatmap': { own: 200, path: 'site' },
  'GET /analytics/sites/{id}/distribution': { own: 200, path: 'site' },
  'GET /visits': { own: 200 },
  'GET /reports/{siteId}': { own: 200, path: 'site' },
  'POST /reports/subscriptions': {
    own: 201,
    body: ({ site, mailChannel }) => ({
      ...{ siteId: site, period: 'day', localTime: '07:30', channelIds: [mailChannel] },
    }),
  },
  'GET /reports/subscriptions': { own: 200 },
  'GET /reports/subscriptions/{id}': { own: 200, path: 'reportSubscription' },
  'PATCH /reports/subscriptions/{id}': {
    own: 200,
    path: 'reportSubscription',
    body: ({ mailChannel }) => ({ localTime: '08:00', channelIds: [mailChannel] }),
  },
  'DELETE /reports/subscriptions/{id}': { own: 204, path: 'reportSubscription' },
  'POST /reports/subscriptions/{id}/test': { own: 202, path: 'reportSubscription' },
  // They need a signature.
  'GET /reports/unsubscribe/{id}': { own: 404, path: 'reportSubscription' },
  'POST /reports/unsubscribe/{id}': { own: 404, path: 'reportSubscription' },
  'GET /billing/monthly-quota': { own: 200 },
  'GET /billing/quota': { own: 200 },
  'GET /billing/summary': { own: 200 },
  'GET /billing/summary/by-device': { own: 200 },
  'GET /billing/usage': { own: 200 },
  'GET /billing/dashboard/trend': { own: 200 },
  'GET /billing/dashboard/comparison': { own: 200 },
  'GET /billing/dashboard/forecast': { own: 200 },
  'GET /billing/transactions': { own: 200 },
  'GET /usage/user/summary': { own: 200 },
  'GET /usage/devices/{deviceId}': { own: 200, path: 'device' },
  'GET /users/me/webhook': { own: 200 },
  'POST /users/me/webhook': {
    spends: true,
    own: 201,
    before: noWebhook,
    body: () => ({ url: 'https://93.184.216.34/hook' }),
  },
  'PATCH /users/me/webhook': { own: 200, body: () => ({ name: 'Hook' }) },
  'DELETE /users/me/webhook': { own: 204 },
  'POST /users/me/webhook/test': { own: 202 },
  'GET /users/me/webhook/secret': { own: 200 },
  'POST /users/me/webhook/secret/regenerate': { own: 200 },
  'GET /users/me/webhook/deliveries': { own: 200 },
  'POST /session': { own: 200 },
  'GET /session': { own: 200 },
  'DELETE /session': { own: 204, credential: 'cookie' },
  'GET /sessions': { own: 200 },
  'DELETE /sessions/{id}': { own: 204, path: 'session' },
  'POST /login-codes': { own: 201, body: () => ({ kind: 'person', scopes: ['key:manage'] }) },
  'GET /setup': { own: 404 },
  'POST /setup': { own: 404 },
  'GET /users/me': { own: 200 },
  'PATCH /users/me': { own: 200, body: () => ({ name: 'Anna', timezone: 'Europe/Berlin' }) },
  'POST /api-keys': { own: 201, body: () => ({ name: 'Key', scopes: ['key:manage'] }) },
  'GET /api-keys': { own: 200 },
  'DELETE /api-keys/{id}': { own: 204, path: 'apiKey' },
  'POST /devices': { own: 201, body: () => SHOP },
  'POST /devices/probe': { own: 200, body: () => ({ streamUrl: SHOP.streamUrl }) },
  'GET /devices': { own: 200 },
  'GET /devices/{id}': { own: 200, path: 'device' },
  'PATCH /devices/{id}': { own: 200, path: 'device', body: () => ({ name: 'Renamed' }) },
  'DELETE /devices/{id}': { own: 204, path: 'device' },
  'GET /devices/{id}/live': { own: 200, path: 'busyDevice' },
  'GET /devices/{id}/frame': { own: 200, path: 'device', gone: { sceneId: 404 } },
  'POST /devices/discover': {
    own: 202,
    body: () => ({ credentials: { username: 'operator', password: 'secret' } }),
    // A user searches once at a time.
    before: ({ db }, { user }) =>
      db.discoveryRequest.deleteMany({ where: { userId: user, status: 'pending' } }),
  },
  'GET /devices/discover/{id}': { own: 200, path: 'discovery' },
  'GET /notifications/push-key': { own: 200 },
  'POST /notifications/channels': {
    own: 201,
    body: () => ({ kind: 'push', ...testBrowser().subscription }),
  },
  'GET /notifications/channels': { own: 200 },
  'DELETE /notifications/channels/{id}': { own: 204, path: 'channel' },
  // A channel that is confirmed is answered as it is.
  'POST /notifications/channels/{id}/confirm': {
    own: 200,
    path: 'channel',
    body: () => ({ code: '12345678' }),
  },
  'POST /notifications/channels/{id}/code': { own: 202, path: 'unconfirmedChannel' },
  'POST /notifications/channels/{id}/test': { own: 202, path: 'channel' },
  'POST /notifications/subscriptions': {
    own: 201,
    body: ({ channel, rule, device, site }) => ({
      ...{ channelId: channel, ruleIds: [rule], deviceIds: [device], siteIds: [site] },
    }),
  },
  'GET /notifications/subscriptions': { own: 200 },
  'GET /notifications/subscriptions/{id}': { own: 200, path: 'subscription' },
  'PATCH /notifications/subscriptions/{id}': {
    own: 200,
    path: 'subscription',
    body: ({ rule, device, site }) => ({ ruleIds: [rule], deviceIds: [device], siteIds: [site] }),
  },
  'DELETE /notifications/subscriptions/{id}': { own: 204, path: 'subscription' },
  'GET /notifications/deliveries': { own: 200 },
  // They need a signature.
  'GET /notifications/unsubscribe/{id}': { own: 404, path: 'subscription' },
  'POST /notifications/unsubscribe/{id}': { own: 404, path: 'subscription' },
  'POST /recordings': { own: 201, file: CLIP },
  'GET /recordings': { own: 200 },
  'GET /recordings/{id}': { own: 200, path: 'recording' },
  'PATCH /recordings/{id}': { own: 200, path: 'recording', body: () => ({ name: 'Renamed' }) },
  'DELETE /recordings/{id}': { own: 204, path: 'recording' },
  'GET /recordings/{id}/frame': { own: 200, path: 'recording' },
  'GET /recordings/{id}/film': { own: 200, path: 'recording', gone: { checkId: 404 } },
  'POST /recordings/{id}/analysis': { spends: true, own: 202, path: 'recording', body: () => CONFIG },
  'DELETE /recordings/{id}/analysis': { own: 204, path: 'recording' },
  'POST /sites': {
    own: 201,
    body: ({ device }) => ({ name: 'Shop', timezone: 'Europe/Berlin', deviceIds: [device] }),
  },
  'GET /sites': { own: 200 },
  'GET /sites/{id}': { own: 200, path: 'site' },
  'PATCH /sites/{id}': {
    own: 200,
    path: 'site',
    body: ({ device }) => ({ name: 'Renamed', deviceIds: [device] }),
  },
  'DELETE /sites/{id}': { own: 204, path: 'site' },
  'GET /audit': { own: 200 },
  'GET /admin/audit': { own: 200 },
  'POST /privacy/exports': {
    own: 202,
    before: noJobs,
    body: ({ device }) => ({ ...RANGE, deviceIds: [device] }),
  },
  'GET /privacy/exports': { own: 200 },
  'GET /privacy/exports/{id}': { own: 200, path: 'export' },
  'GET /privacy/exports/{id}/file': { own: 200, path: 'export' },
  'DELETE /privacy/exports/{id}': { own: 204, path: 'export' },
  'POST /privacy/erasures': {
    own: 202,
    before: noJobs,
    body: ({ device }) => ({ ...RANGE, deviceIds: [device] }),
  },
  'GET /privacy/erasures': { own: 200 },
  'GET /privacy/erasures/{id}': { own: 200, path: 'erasure' },
  'DELETE /privacy/erasures/{id}': {
    own: 204,
    path: 'erasure',
    before: ({ db }, { erasure }) =>
      db.dataJob.update({ where: { id: erasure }, data: { status: 'queued' } }),
  },
  'GET /overview': { own: 200 },
  'GET /overview/sites': { own: 200 },
  'GET /events': { own: 200 },
  'GET /stream': { own: 200 },
  'GET /images/{day}/{name}': { own: 200 },
  'POST /users/me/webhook/recover': { own: 202, body: () => ({ since: '2026-11-01T00:00:00.000Z' }) },
  'GET /users/me/webhook/stats': { own: 200 },
  'POST /users/me/webhook/deliveries/{id}/redeliver': { own: 202, path: 'delivery' },
  'POST /admin/users': { own: 201, body: ({ user }) => ({ email: `${user}@new.example.com` }) },
  'GET /admin/users/{id}': { own: 200, path: 'user' },
  'GET /admin/overview': { own: 200 },
  'GET /admin/users': { own: 200 },
  'POST /admin/users/{id}/quota/top-up': {
    own: 201,
    path: 'user',
    body: () => ({ featureType: 'alert', amount: 5 }),
  },
  'PUT /admin/users/{id}/quota': { own: 200, path: 'user', body: () => ({ alert: 5 }) },
  'PUT /admin/devices/{id}/quota': { own: 200, path: 'device', body: () => ({ alert: 5 }) },
  'GET /admin/compute-nodes': { own: 200 },
  'PATCH /admin/compute-nodes/{id}': { own: 200, path: 'node', body: () => ({ isDraining: true }) },
  'GET /announcements': { own: 200 },
  'GET /admin/announcements': { own: 200 },
  'DELETE /admin/announcements/{id}': { own: 204, path: 'announcement' },
  'POST /admin/announcements': {
    own: 201,
    body: ({ user }) => ({ type: 'system_announcement', title: 'T', message: 'M', userIds: [user] }),
  },
};

const FIELDS: Readonly<Record<string, Kind>> = {
  deviceId: 'device',
  deviceIds: 'device',
  siteId: 'site',
  sceneId: 'scene',
  ruleId: 'rule',
  ruleIds: 'rule',
  siteIds: 'site',
  channelId: 'channel',
  channelIds: 'mailChannel',
  subscriptionId: 'subscription',
  userIds: 'user',
  userId: 'user',
  actorId: 'apiKey',
  checkId: 'filmCheck',
};

/** The caller's own word, or a compute node, which belongs to nobody. */
const FREE = new Set(['referenceId', 'computeNodeId']);

/** Where a field names another kind than usual. */
const OTHER_KINDS: Readonly<Record<string, Kind>> = {
  'POST /devices/{id}/analysis/stop sceneId': 'busyScene',
};

/** @returns what the id at this place names; null where it is the caller's own word */
export function kindOf(operation: string, { where, name }: IdPlace): Kind | null {
  if (FREE.has(name)) return null;
  const kind =
    where === 'path' ? CASES[operation]?.path : (OTHER_KINDS[`${operation} ${name}`] ?? FIELDS[name]);
  if (!kind) throw new Error(`${operation}: nobody knows what ${name} names; tell test/contract/cases.ts`);
  return kind;
}

/** Values of required parameters that are no ids. */
export const REQUIRED: Readonly<Record<string, string>> = {
  startDate: '2026-11-01T00:00:00.000Z',
  endDate: '2026-11-02T00:00:00.000Z',
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-02T00:00:00.000Z',
  recordedAt: '2026-11-01T00:00:00.000Z',
  timezone: 'Europe/Berlin',
};

/** A picture's signed address, from `/images` on. */
export function imagePath(context: Context, key: string): string {
  const { pathname, search } = new URL(imageUrl(context, key));
  return `${pathname.replace('/api/v1', '')}${search}`;
}
