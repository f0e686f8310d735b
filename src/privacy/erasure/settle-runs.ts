import { SYSTEM } from '../../audit/record-audit.ts';
import type { Db } from '../../platform/database/db.ts';
import {
  applyRestart,
  findRestart,
  postponeRestart,
  storeRestart,
} from '../../runs/api/restart/restart.store.ts';
import { stopRuns } from '../../runs/api/stop-analysis.ts';
import { findRunsWithMemory, type RunWithMemory } from '../../runs/store/runs-with-memory.store.ts';
import type { Range } from '../ranged-rows.store.ts';

/** If this process dies, the scenes start again by themselves after this time. */
const HOLD_SECONDS = 60;
/** A run that somebody starts while others are stopped is stopped in another round. */
const MOST_ROUNDS = 10;

/** An empty change is in no audit entry. */
const NOBODY = { actor: SYSTEM, at: new Date(0) };

interface Erased extends Range {
  readonly userId: string;
  readonly deviceIds: readonly string[];
  /** Scenes of which visits were erased: their nodes count them in the totals. */
  readonly sceneIds: readonly string[];
}

/**
 * Nodes hold recent time, open visits, floor maps and totals in memory and would store them after an erasure. So the runs that hold
 * something of the range are stopped, their scenes erased once more, and their analysis started again, with nothing of the
 * range in the database to load.
 */
export async function settleRuns(
  db: Db,
  erased: Erased,
  eraseScene: (sceneId: string) => Promise<void>,
): Promise<void> {
  let since: Date | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const [now] = await db.$queryRaw<[{ at: Date }]>`SELECT clock_timestamp() AS at`;
    const runs = await findRunsWithMemory(db, erased, since);
    if (runs.length === 0) return;
    for (const run of runs) await hold(db, run);
    for (const { sceneId } of runs) {
      await postponeRestart(
        db,
        runs.map((run) => run.sceneId),
        HOLD_SECONDS,
      );
      await eraseScene(sceneId);
    }
    // What started after the look above has loaded what stopped runs stored last.
    const later = await findRunsWithMemory(db, erased, now.at);
    for (const { sceneId } of runs) await startAgain(db, sceneId);
    if (later.length === 0) return;
    since = now.at;
  }
  throw new Error('Analysis of the erased devices is started again and again: trying again later');
}

/** Stops a run and keeps its scene from being started by others. */
async function hold(db: Db, { id, userId, deviceId, sceneId }: RunWithMemory): Promise<void> {
  await storeRestart(db, { userId, id: sceneId }, {}, NOBODY, HOLD_SECONDS);
  await stopRuns(db, { deviceId, ids: [id] }, { reason: 'user_request', drain: false });
}

async function startAgain(db: Db, sceneId: string): Promise<void> {
  const restart = await findRestart(db, sceneId);
  if (restart) await applyRestart(db, restart);
}
