import { claimFiring } from '../../../alerts/firing.store.ts';
import { alertMessage } from '../../../alerts/message.ts';
import { placeName } from '../../../catalogue/words/place-name.ts';
import type { Context } from '../../../platform/context.ts';
import { holdRun } from '../../store/write-runs.store.ts';
import type { FiredRun, Firing } from './fired-frame.ts';
import { findFiring, storeFiring } from './stored-firing.store.ts';

/**
 * `decided`: the rule has fired. Its firing is stored, so that its alert is recorded even if this process dies.
 * `refused`: the rule has changed or has fired already. `lost`: the run belongs to another node. `refused` and `lost`
 * write nothing.
 */
export type Decision =
  | { readonly outcome: 'decided'; readonly id: string }
  | { readonly outcome: 'refused' | 'lost' };

/**
 * Decides under the lease of the run that a rule fires: one short transaction updates the rule and stores the firing. A
 * repeated call, after a commit whose result is unknown, finds the firing of the first call.
 */
export function decideFiring(
  { config, db }: Pick<Context, 'config' | 'db'>,
  run: FiredRun,
  { rule, held, atMs, facts, capture }: Firing,
): Promise<Decision> {
  const { userId, deviceId, sceneId, id: taskId, nodeId: computeNodeId } = run;
  return db.$transaction(async (tx) => {
    const scene = await holdRun(tx, run.nodeId, run);
    if (!scene) return { outcome: 'lost' };
    if (!(await claimFiring(tx, rule, atMs))) {
      const id = await findFiring(tx, { ruleId: rule.id, taskId, atMs });
      return id === null ? { outcome: 'refused' } : { outcome: 'decided', id };
    }
    const { id: ruleId, name, severity } = rule;
    const firing = {
      ...{ userId, deviceId, sceneId, sceneName: scene.name, taskId, computeNodeId },
      rule: { id: ruleId, name, severity },
      message: alertMessage(held, placeName(scene.deviceName, scene.name)),
      ...{ held, atMs, facts, capture },
    };
    return { outcome: 'decided', id: await storeFiring(tx, firing, config.alertPictureWaitSeconds) };
  });
}
