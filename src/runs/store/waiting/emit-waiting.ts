import { emit } from '../../../delivery/events/emit.ts';
import { isDatabaseBusy } from '../../../platform/database/database-away.ts';
import type { Db } from '../../../platform/database/db.ts';
import { nameOf } from '../run-events.ts';
import { runsByName } from '../task.store.ts';
import { findQueuedLong, findWaiting, noteWaiting } from './waiting.store.ts';

const MESSAGES = {
  began: 'Every compute node is full or overloaded: the analysis starts as soon as one has room.',
  ended: 'The analysis no longer waits for capacity.',
};

/**
 * Tells users which of their runs wait for capacity, and which no longer do, each in a transaction of its own. It costs one
 * query while no run is queued.
 */
export async function emitWaiting(db: Db): Promise<void> {
  const runs = await findQueuedLong(db);
  if (runs.length === 0) return;
  const waiting = await findWaiting(db, runs);
  for (const { id, waitsSince } of runs) {
    const isWaiting = waiting.get(id) === 'capacity';
    if (isWaiting === (waitsSince !== null)) continue;
    // A run whose row is locked is told of by the next call.
    await tell(db, id, isWaiting).catch((error: unknown) => {
      if (!isDatabaseBusy(error)) throw error;
    });
  }
}

function tell(db: Db, id: string, isWaiting: boolean): Promise<void> {
  return db.$transaction(async (tx) => {
    const noted = await noteWaiting(tx, id, isWaiting);
    if (!noted) return;
    const since = noted.since.toISOString();
    const state = isWaiting ? 'began' : 'ended';
    for (const run of await runsByName(tx, [id])) {
      const { userId, deviceId, sceneId } = run;
      await emit(tx, {
        ...{ userId, deviceId, sceneId, type: 'analysis_waiting', occurredAt: noted.at },
        dedupeKey: `analysis_waiting:${id}:${since}:${state}`,
        data: { ...nameOf(run), ...{ reason: 'capacity', message: MESSAGES[state], since, state } },
      });
    }
  });
}
