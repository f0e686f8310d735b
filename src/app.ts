import { accountRoutes } from './access/account/routes.ts';
import { createAuthenticate } from './access/authenticate.ts';
import { accessRoutes } from './access/routes.ts';
import { sessionRoutes } from './access/sessions/routes.ts';
import { signInRoutes } from './access/sign-in/routes.ts';
import { alertEventRoutes } from './alerts/event.routes.ts';
import { alertRuleRoutes } from './alerts/routes.ts';
import { adviceRoutes } from './analytics/advice/routes.ts';
import { historyRoutes } from './analytics/history/routes.ts';
import { hoursRoutes } from './analytics/hours/routes.ts';
import { adminOverviewRoutes } from './analytics/overview/admin/routes.ts';
import { overviewRoutes } from './analytics/overview/routes.ts';
import { reportRoutes } from './analytics/reports/routes.ts';
import { reportSubscriptionRoutes } from './analytics/reports/subscriptions/routes.ts';
import { unsubscribeReportRoutes } from './analytics/reports/subscriptions/unsubscribe.routes.ts';
import { ERROR_EXAMPLES } from './api-docs/errors.ts';
import { API_GLOSSARY } from './api-docs/glossary.ts';
import { PARAMETER_EXAMPLES } from './api-docs/parameters.ts';
import { RECORDED } from './api-docs/recorded.ts';
import { API_TAGS } from './api-docs/tags.ts';
import { attributeRoutes } from './attributes/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { quotaAdminRoutes } from './billing/admin/routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { deviceImageRoutes } from './cameras/devices/images/routes.ts';
import { deviceRoutes } from './cameras/devices/routes.ts';
import { discoveryRoutes } from './cameras/discovery/routes.ts';
import { checkRoutes } from './cameras/scenes/checks/routes.ts';
import { timesCheckRoutes } from './cameras/scenes/checks/times/times.routes.ts';
import { sceneRoutes } from './cameras/scenes/routes.ts';
import { siteRoutes } from './cameras/sites/routes.ts';
import { findZoneOf } from './cameras/sites/zone-of.store.ts';
import { announceRoutes } from './delivery/events/announce.routes.ts';
import { eventListRoutes } from './delivery/live/list.routes.ts';
import { streamRoutes } from './delivery/live/routes.ts';
import { channelRoutes } from './delivery/notifications/channels/routes.ts';
import { notificationDeliveryRoutes } from './delivery/notifications/delivery/routes.ts';
import { subscriptionRoutes } from './delivery/notifications/subscriptions/routes.ts';
import { webhookHistoryRoutes } from './delivery/webhooks/history/routes.ts';
import { OPENAPI_WEBHOOKS } from './delivery/webhooks/openapi-webhooks.ts';
import { webhookRoutes } from './delivery/webhooks/routes.ts';
import { createHttpApp } from './http/app.ts';
import { openApiDocument } from './http/openapi/openapi.ts';
import type { Route } from './http/route.ts';
import { imageRoutes } from './images/routes.ts';
import { insightRoutes } from './insights/routes.ts';
import { floorRoutes } from './metrics/floor/routes.ts';
import { analyticsRoutes } from './metrics/routes.ts';
import { VERSION } from './platform/config.ts';
import type { Context } from './platform/context.ts';
import type { Answer } from './platform/prometheus.ts';
import type { ReadinessChecks } from './platform/readiness.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { nodeRoutes } from './runs/api/node.routes.ts';
import { sceneChangeRoutes } from './runs/api/restart/routes.ts';
import { analysisRoutes } from './runs/api/routes.ts';
import { taskRoutes } from './runs/api/task.routes.ts';
import { recordingRoutes } from './runs/recordings/routes.ts';
import { isAnyNodeOnline, isNodeOnline } from './runs/store/nodes.store.ts';

/** Every endpoint of the API. */
export const API_ROUTES: readonly Route[] = [
  ...deviceRoutes,
  ...deviceImageRoutes,
  ...discoveryRoutes({ isAnyNodeOnline, isNodeOnline }),
  ...sceneRoutes,
  ...checkRoutes,
  ...timesCheckRoutes,
  ...sceneChangeRoutes,
  ...siteRoutes,
  ...recordingRoutes,
  ...analysisRoutes,
  ...taskRoutes,
  ...analyticsRoutes,
  ...overviewRoutes,
  ...historyRoutes,
  ...adviceRoutes,
  ...hoursRoutes,
  ...reportRoutes,
  ...reportSubscriptionRoutes,
  ...unsubscribeReportRoutes,
  ...floorRoutes,
  ...alertRuleRoutes,
  ...alertEventRoutes,
  ...insightRoutes,
  ...attributeRoutes,
  ...imageRoutes,
  ...streamRoutes,
  ...eventListRoutes,
  ...billingRoutes,
  ...quotaAdminRoutes,
  ...webhookRoutes,
  ...webhookHistoryRoutes,
  ...channelRoutes,
  ...subscriptionRoutes,
  ...notificationDeliveryRoutes,
  ...announceRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...accessRoutes,
  ...auditRoutes,
  ...privacyRoutes,
  ...nodeRoutes,
  ...adminOverviewRoutes,
];

/** The OpenAPI document of the API. @param publicUrl address that clients use; empty for an address relative to the document */
export const apiDocument = (publicUrl: string): object =>
  openApiDocument({
    routes: API_ROUTES,
    tags: API_TAGS,
    glossary: API_GLOSSARY,
    examples: { calls: RECORDED, parameters: PARAMETER_EXAMPLES, errors: ERROR_EXAMPLES },
    version: VERSION,
    publicUrl,
    webhooks: OPENAPI_WEBHOOKS,
  });

export interface AppOptions {
  /** Aborted when the program begins to stop. Then /readyz answers 503 and endless answers end. */
  readonly stopping?: AbortSignal;
  /** What /readyz asks beside the database. */
  readonly ready?: ReadinessChecks;
  /** Called for every answer. */
  readonly observe?: (answer: Answer) => void;
  /** Time between two heartbeats of an endless answer; default 15 s. */
  readonly heartbeatMs?: number;
  /** Whether every answer is checked against its schema; for tests. */
  readonly checkResponses?: boolean;
}

/** The API as an Express application; the caller makes it listen. */
export function createApp(context: Context, options: AppOptions = {}): ReturnType<typeof createHttpApp> {
  return createHttpApp({
    context,
    routes: API_ROUTES,
    document: () => apiDocument(context.config.publicUrl ?? ''),
    authenticate: createAuthenticate(context),
    zoneOf: findZoneOf,
    checkResponses: options.checkResponses ?? false,
    observe: options.observe,
    ...(options.stopping && { stopping: options.stopping }),
    ...(options.heartbeatMs && { heartbeatMs: options.heartbeatMs }),
    ready: {
      program: () => (options.stopping?.aborted ? 'ends' : null),
      database: () => context.db.$queryRaw`SELECT 1`,
      ...options.ready,
    },
  });
}
