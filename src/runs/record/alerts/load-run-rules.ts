import { loadRules } from '../../../alerts/firing.store.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { ActiveRun } from '../active-run.ts';

/** Gives runs the enabled rules of their scenes as the database holds them now. */
export async function loadRunRules(
  db: Db,
  runs: readonly Pick<ActiveRun, 'claim' | 'rules'>[],
): Promise<void> {
  const byScene = await loadRules(
    db,
    runs.map(({ claim }) => claim.sceneId),
  );
  for (const { claim, rules } of runs) rules.load(byScene.get(claim.sceneId) ?? []);
}
