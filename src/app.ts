import { createAuthenticate } from './access/authenticate.ts';
import { analysisRoutes } from './analysis/routes.ts';
import { taskRoutes } from './analysis/task.routes.ts';
import { deviceRoutes } from './devices/routes.ts';
import { createHttpApp } from './http/app.ts';
import type { Route } from './http/route.ts';
import { analyticsRoutes } from './metrics/routes.ts';
import type { Context } from './platform/context.ts';
import { sceneRoutes } from './scenes/routes.ts';

/** Every endpoint of the API. */
export const API_ROUTES: readonly Route[] = [
  ...deviceRoutes,
  ...sceneRoutes,
  ...analysisRoutes,
  ...taskRoutes,
  ...analyticsRoutes,
];

export interface AppOptions {
  /** Whether the program is about to end: then it is not ready. */
  readonly isStopping?: () => boolean;
  /** Holds every response against its schema: for tests. */
  readonly checkResponses?: boolean;
}

/** The API as an application that listens to nothing by itself. */
export function createApp(context: Context, options: AppOptions = {}): ReturnType<typeof createHttpApp> {
  return createHttpApp({
    context,
    routes: API_ROUTES,
    authenticate: createAuthenticate(context),
    checkResponses: options.checkResponses ?? false,
    ready: async () => {
      if (options.isStopping?.()) throw new Error('stopping');
      await context.db.$queryRaw`SELECT 1`;
    },
  });
}
