import { findDeviceConditions } from '../../../cameras/devices/condition.store.ts';
import { NO_FAULT, type ShownCondition } from '../../../cameras/devices/condition.ts';
import type { Db } from '../../../platform/database/db.ts';
import { type HeldColumns, workingNodeOf } from '../states.ts';
import { findWaiting, type WaitingFor } from './waiting.store.ts';

type Run = HeldColumns & { readonly id: string; readonly deviceId: string };

/** What disturbs a run now: nothing of it stands in the run's row. */
export interface RunCondition extends ShownCondition {
  readonly waitingFor?: WaitingFor;
}

/** What queued runs wait for, and what is wrong with the cameras of runs that a node holds. */
export async function findConditions(
  db: Db,
  runs: readonly Run[],
): Promise<(run: Pick<Run, 'id'>) => RunCondition> {
  const worked = runs.filter((run) => workingNodeOf(run) !== null);
  const [waiting, conditions] = await Promise.all([
    findWaiting(db, runs),
    findDeviceConditions(
      db,
      worked.map(({ deviceId }) => deviceId),
    ),
  ]);
  const deviceOf = new Map(worked.map(({ id, deviceId }) => [id, deviceId]));
  return ({ id }) => {
    const waitingFor = waiting.get(id);
    const found = conditions.get(deviceOf.get(id) ?? '') ?? NO_FAULT;
    return { ...found, ...(waitingFor && { waitingFor }) };
  };
}
