import { accountRoutes } from './access/account/routes.ts';
import { createAuthenticate } from './access/authenticate.ts';
import { accessRoutes } from './access/routes.ts';
import { sessionRoutes } from './access/sessions/routes.ts';
import { signInRoutes } from './access/sign-in/routes.ts';
import { alertEventRoutes } from './alerts/event.routes.ts';
import { alertRuleRoutes } from './alerts/routes.ts';
import { API_EXAMPLES } from './api-docs/examples/all.ts';
import { API_GLOSSARY } from './api-docs/glossary.ts';
import { API_TAGS } from './api-docs/tags.ts';
import { attributeRoutes } from './attributes/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { quotaAdminRoutes } from './billing/admin/routes.ts';
import { billingRoutes } from './billing/routes.ts';
import { nodeRoutes } from './control/node.routes.ts';
import { sceneChangeRoutes } from './control/restart/routes.ts';
import { analysisRoutes } from './control/routes.ts';
import { taskRoutes } from './control/task.routes.ts';
import { deviceImageRoutes } from './devices/images/routes.ts';
import { deviceRoutes } from './devices/routes.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { announceRoutes } from './events/announce.routes.ts';
import { floorRoutes } from './floor/routes.ts';
import { historyRoutes } from './history/routes.ts';
import { createHttpApp } from './http/app.ts';
import { openApiDocument } from './http/openapi/openapi.ts';
import type { Route } from './http/route.ts';
import { imageRoutes } from './images/routes.ts';
import { insightRoutes } from './insights/routes.ts';
import { eventListRoutes } from './live/list.routes.ts';
import { streamRoutes } from './live/routes.ts';
import { analyticsRoutes } from './metrics/routes.ts';
import { channelRoutes } from './notifications/channels/routes.ts';
import { notificationDeliveryRoutes } from './notifications/delivery/routes.ts';
import { subscriptionRoutes } from './notifications/subscriptions/routes.ts';
import { adminOverviewRoutes } from './overview/admin/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { VERSION } from './platform/config.ts';
import type { Context } from './platform/context.ts';
import type { Answer } from './platform/prometheus.ts';
import type { ReadinessChecks } from './platform/readiness.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { recordingRoutes } from './recordings/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { reportSubscriptionRoutes } from './reports/subscriptions/routes.ts';
import { unsubscribeReportRoutes } from './reports/subscriptions/unsubscribe.routes.ts';
import { sceneRoutes } from './scenes/routes.ts';
import { siteRoutes } from './sites/routes.ts';
import { findZoneOf } from './sites/zone-of.store.ts';
import { webhookHistoryRoutes } from './webhooks/history/routes.ts';
import { OPENAPI_WEBHOOKS } from './webhooks/openapi-webhooks.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** Every endpoint of the API. */
export const API_ROUTES: readonly Route[] = [
  ...deviceRoutes,
  ...deviceImageRoutes,
  ...discoveryRoutes,
  ...sceneRoutes,
  ...sceneChangeRoutes,
  ...siteRoutes,
  ...recordingRoutes,
  ...analysisRoutes,
  ...taskRoutes,
  ...analyticsRoutes,
  ...overviewRoutes,
  ...historyRoutes,
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
    examples: API_EXAMPLES,
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
