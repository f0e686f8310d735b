import { idParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { leaveProposal } from './feet/leave-proposal.ts';
import { leftProposal } from './feet/left-proposal.ts';
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
  }).answers(({ context, caller, params, query }) =>
    readFloorMap(context.db, { userId: caller.userId, sceneId: params.id, ...query }),
  ),
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
  }).answers(({ context, caller, params }) =>
    readFeet(context.db, { userId: caller.userId, sceneId: params.id }),
  ),
  route({
    name: 'leaveProposal',
    method: 'put',
    path: '/scenes/{id}/left-proposal',
    scope: 'scene:write',
    summary: 'Leave a zone as it is although a better one is proposed',
    description:
      'The proposal is not shown again, and the warning `people_beside_zone` of the scene ends within a minute. One that adds mostly other places is shown. Possible while the analysis is active; the zones stay.',
    params: idParams,
    body: leftProposal,
    errors: ['NOT_FOUND'],
  }).answers(({ context, caller, params, body }) =>
    leaveProposal(context.db, { userId: caller.userId, sceneId: params.id }, body),
  ),
];
