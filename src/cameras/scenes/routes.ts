import { byOf } from '../../audit/record-audit.ts';
import { orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { mapPage } from '../../http/paging.ts';
import { route } from '../../http/route.ts';
import type { Tx } from '../../platform/database/db.ts';
import type { Scene } from '../../platform/prisma-client/client.ts';
import { createScene, deleteScene } from './configure-scene.ts';
import { findEffectiveTarget } from './effective-target.store.ts';
import { presentListedScene, presentScene } from './present.ts';
import { findScene, listScenes } from './scene.store.ts';
import { createSceneBody, listScenesQuery, scene, sceneListItem } from './schema.ts';

export const sceneRoutes = [
  route({
    name: 'createScene',
    method: 'post',
    path: '/scenes',
    scope: 'scene:write',
    summary: 'Create a scene: the zones and parameters of an analysis',
    description:
      'Without `config.zones` the whole frame is the queue zone. Parameters that are not sent have their defaults.',
    body: createSceneBody,
    status: 201,
    response: scene,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  }).answers(async ({ context, caller, body, keepAnswer }) => {
    const shown = async (db: Tx, row: Scene) =>
      presentScene(row, await findEffectiveTarget(db, row.id), context.clock.now());
    const created = await createScene(context, caller.userId, body, async (tx, row) =>
      keepAnswer(tx, await shown(tx, row)),
    );
    return shown(context.db, created);
  }),

  route({
    name: 'listScenes',
    method: 'get',
    path: '/scenes',
    scope: 'scene:read',
    summary: 'List scenes, newest first',
    query: listScenesQuery,
    paging: 'B',
    response: sceneListItem,
  }).answers(async ({ context, caller, query }) => {
    return mapPage(await listScenes(context.db, caller.userId, query), presentListedScene);
  }),

  route({
    name: 'getScene',
    method: 'get',
    path: '/scenes/{id}',
    scope: 'scene:read',
    summary: 'Read a scene',
    params: idParams,
    response: scene,
  }).answers(async ({ context, caller, params }) => {
    const found = orNotFound(await findScene(context.db, caller.userId, params.id), 'Scene');
    return presentScene(found, found.effectiveTarget, context.clock.now());
  }),

  route({
    name: 'deleteScene',
    method: 'delete',
    path: '/scenes/{id}',
    scope: 'scene:write',
    summary: 'Delete a scene and its alert rules; its analysis must not be active',
    params: idParams,
    errors: ['SCENE_ANALYSIS_ACTIVE'],
  }).answers(({ context, caller, client, params }) => {
    const by = byOf(context, caller, client);
    return deleteScene(context.db, { userId: caller.userId, id: params.id }, by);
  }),
];
