import type { AlertFacts } from '../../alerts/alert-facts.ts';
import { claimFiring } from '../../alerts/firing.store.ts';
import { alertMessage } from '../../alerts/message.ts';
import type { Fired } from '../../alerts/rule-watch.ts';
import type { Capture } from '../../attributes/capture.ts';
import type { Context } from '../../platform/context.ts';
import type { ClaimedRun } from '../../runs/claim-runs.store.ts';
import { holdRun } from '../../runs/write-runs.store.ts';
import { findDecided, storeFiring } from './stored-firing.store.ts';

/** A rule of a run that fires, with what was seen at that moment. */
export interface Firing extends Fired {
  readonly atMs: number;
  readonly facts: AlertFacts;
  /** Who was in the picture; null where nobody was or nobody asks. */
  readonly capture: Capture | null;
}

/**
 * `decided`: the rule has fired, and its alert is recorded whatever becomes of this process. `refused`: the rule has changed,
 * or has fired already. `lost`: the run is not this node's any more. Nothing is written then.
 */
export type Decision =
  | { readonly outcome: 'decided'; readonly id: string }
  | { readonly outcome: 'refused' | 'lost' };

/**
 * Decides under the run's lease that a rule fires: the rule's state moves, and the firing is kept with all that its alert is
 * made of, in one short transaction. Doing it again after an unknown end finds what was kept.
 */
export function decideFiring(
  { config, db }: Pick<Context, 'config' | 'db'>,
  run: ClaimedRun & { readonly nodeId: string },
  { rule, held, atMs, facts, capture }: Firing,
): Promise<Decision> {
  const { userId, deviceId, sceneId, id: taskId, nodeId: computeNodeId } = run;
  return db.$transaction(async (tx) => {
    const scene = await holdRun(tx, run.nodeId, run);
    if (!scene) return { outcome: 'lost' };
    if (!(await claimFiring(tx, rule, atMs))) {
      const decided = await findDecided(tx, rule.id, atMs);
      return decided === null ? { outcome: 'refused' } : { outcome: 'decided', id: decided };
    }
    const { id: ruleId, name, severity } = rule;
    const place = { userId, deviceId, sceneId, sceneName: scene.name, taskId, computeNodeId };
    const message = alertMessage(held, scene.name);
    const what = { rule: { id: ruleId, name, severity }, held, atMs, message, facts, capture };
    const id = await storeFiring(tx, { ...place, ...what }, config.alertPictureWaitSeconds);
    return { outcome: 'decided', id };
  });
}
