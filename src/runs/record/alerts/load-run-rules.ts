import { loadRules } from '../../../alerts/firing.store.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { ActiveRun } from '../active-run.ts';

/** The number of the read that gave each run its rules. */
const readOf = new WeakMap<ActiveRun['rules'], number>();
let reads = 0;

/** Gives runs the enabled rules of their scenes as the database holds them now. */
export async function loadRunRules(
  db: Db,
  runs: readonly Pick<ActiveRun, 'claim' | 'rules'>[],
): Promise<void> {
  reads += 1;
  const read = reads;
  const byScene = await loadRules(
    db,
    runs.map(({ claim }) => claim.sceneId),
  );
  for (const { claim, rules } of runs) {
    // The answer of an earlier read may come late, and its rules may be older.
    if ((readOf.get(rules) ?? 0) > read) continue;
    readOf.set(rules, read);
    rules.load(byScene.get(claim.sceneId) ?? []);
  }
}
