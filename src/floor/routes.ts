import { idParams } from '../http/fields.ts';
import { route } from '../http/route.ts';
import { readFloorMap } from './read-floor-map.ts';
import { floorMap, floorQuery } from './schema.ts';

export const floorRoutes = [
  route({
    name: 'getFloorMap',
    method: 'get',
    path: '/analytics/scenes/{id}/floor',
    scope: 'analytics:read',
    summary: 'Read where the people of a scene were and how they moved, as a grid over the picture',
    params: idParams,
    query: floorQuery,
    response: floorMap,
    errors: ['NOT_FOUND', 'INVALID_DATE_RANGE'],
    handler: ({ context, caller, params, query }) =>
      readFloorMap(context.db, { userId: caller.userId, sceneId: params.id, ...query }),
  }),
];
