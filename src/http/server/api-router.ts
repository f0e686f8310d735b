import { Router } from 'express';
import { wrongMethod } from '../answer/failure.ts';
import { endpoint } from '../request/endpoint.ts';
import type { EndpointOptions } from '../request/endpoint-options.ts';
import type { Route } from '../route.ts';

/** All endpoints. Express tries one route after the other; with a router for each first segment it tries fewer. */
export function apiRouter(routes: readonly Route[], options: EndpointOptions): Router {
  const api = Router();
  for (const segment of new Set(routes.map(firstSegment))) {
    const router = Router();
    const paths = new Set(routes.filter((route) => firstSegment(route) === segment).map(({ path }) => path));
    // Sorted, so that `/tasks/statistics` comes before `/tasks/{id}`.
    for (const path of [...paths].sort()) {
      const here = routes.filter((route) => route.path === path);
      const below = path.slice(segment.length + 1).replaceAll(/\{(\w+)\}/g, ':$1');
      const endpoints = router.route(below || '/');
      for (const route of here) endpoints[route.method](endpoint(route, options));
      endpoints.all(wrongMethod(here.map(({ method }) => method)));
    }
    api.use(`/${segment}`, router);
  }
  return api;
}

const firstSegment = ({ path }: Route): string => path.slice(1).replace(/\/.*/, '');
