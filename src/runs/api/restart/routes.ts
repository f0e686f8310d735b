import { byOf } from '../../../audit/record-audit.ts';
import { changeScene } from '../../../cameras/scenes/configure-scene.ts';
import { findEffectiveTarget } from '../../../cameras/scenes/effective-target.store.ts';
import { presentScene } from '../../../cameras/scenes/present.ts';
import { patchSceneBody, patchSceneQuery, scene } from '../../../cameras/scenes/schema.ts';
import { idParams } from '../../../http/fields.ts';
import { requireScope } from '../../../http/permission.ts';
import { route } from '../../../http/route.ts';
import { restartScene } from './restart-scene.ts';

export const sceneChangeRoutes = [
  route({
    name: 'updateScene',
    method: 'patch',
    path: '/scenes/{id}',
    scope: 'scene:write',
    summary: 'Change a scene; its analysis must not be active, or is started again',
    description:
      'With `restart=true` the run of the scene is stopped (at most 5 seconds; the scope analysis:control is needed too), the scene changed and a new run queued. The service finishes this also if the client goes away. A stop of the analysis meanwhile leaves the scene changed and stopped.',
    params: idParams,
    query: patchSceneQuery,
    body: patchSceneBody,
    response: scene,
    errors: ['IMMUTABLE_FIELD', 'SCENE_ANALYSIS_ACTIVE'],
  }).answers(async ({ context, caller, client, params, query, body }) => {
    if (query.restart) requireScope(caller, 'analysis:control');
    const own = { userId: caller.userId, id: params.id };
    const by = byOf(context, caller, client);
    const changed = await (query.restart ? restartScene : changeScene)(context.db, own, body, by);
    return presentScene(changed, await findEffectiveTarget(context.db, changed.id), context.clock.now());
  }),
];
