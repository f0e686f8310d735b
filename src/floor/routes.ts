import { idParams } from '../http/fields.ts';
import { route } from '../http/route.ts';
import { readFeet } from './feet/read-feet.ts';
import { sceneFeet } from './feet/schema.ts';
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
  route({
    name: 'getSceneFeet',
    method: 'get',
    path: '/analytics/scenes/{id}/feet',
    scope: 'analytics:read',
    summary:
      'Read where the feet of people were in the last hour, and a better zone where many are cut off beside one',
    params: idParams,
    response: sceneFeet,
    errors: ['NOT_FOUND'],
    handler: ({ context, caller, params }) =>
      readFeet(context.db, { userId: caller.userId, sceneId: params.id }),
  }),
];
