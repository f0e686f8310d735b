import { createAuthenticate } from './access/authenticate.ts';
import { analysisRoutes } from './analysis/routes.ts';
import { taskRoutes } from './analysis/task.routes.ts';
import { API_TAGS } from './api-tags.ts';
import { VERSION } from './config.ts';
import { deviceRoutes } from './devices/routes.ts';
import { createHttpApp } from './http/app.ts';
import { openApiDocument } from './http/openapi.ts';
import type { Route } from './http/route.ts';
import { analyticsRoutes } from './metrics/routes.ts';
import type { Context } from './platform/context.ts';
import { imageRoutes } from './platform/images/routes.ts';
import { sceneRoutes } from './scenes/routes.ts';

/** Every endpoint of the API. */
export const API_ROUTES: readonly Route[] = [
  ...deviceRoutes,
  ...sceneRoutes,
  ...analysisRoutes,
  ...taskRoutes,
  ...analyticsRoutes,
  ...imageRoutes,
];

/** The OpenAPI document of the API. @param publicUrl address clients use; relative to the document where empty */
export const apiDocument = (publicUrl: string): object =>
  openApiDocument({ routes: API_ROUTES, tags: API_TAGS, version: VERSION, publicUrl });

export interface AppOptions {
  /** Aborted when the program is about to end: then it is not ready, and event streams end. */
  readonly stopping?: AbortSignal;
  /** Holds every response against its schema: for tests. */
  readonly checkResponses?: boolean;
}

/** The API as an application that listens to nothing by itself. */
export function createApp(context: Context, options: AppOptions = {}): ReturnType<typeof createHttpApp> {
  return createHttpApp({
    context,
    routes: API_ROUTES,
    document: () => apiDocument(context.config.publicUrl ?? ''),
    authenticate: createAuthenticate(context),
    checkResponses: options.checkResponses ?? false,
    ...(options.stopping && { stopping: options.stopping }),
    ready: async () => {
      if (options.stopping?.aborted) throw new Error('stopping');
      await context.db.$queryRaw`SELECT 1`;
    },
  });
}
