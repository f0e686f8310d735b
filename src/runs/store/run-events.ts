import type { EventData } from '../../delivery/events/catalogue.ts';
import { emit } from '../../delivery/events/emit.ts';
import type { Tx } from '../../platform/database/db.ts';
import { durationOf } from './duration.ts';
import { type NamedRun, runsByName } from './task.store.ts';

/** The `data` of each event. */
const DATA = {
  analysis_started: (run): EventData<'analysis_started'> => ({ ...nameOf(run), status: 'running' }),
  analysis_stopped: (run): EventData<'analysis_stopped'> => ({
    ...nameOf(run),
    status: 'stopped',
    ...(run.reason && { reason: run.reason }),
    processingDuration: durationOf(run),
  }),
  analysis_error: (run): EventData<'analysis_error'> => ({
    ...nameOf(run),
    status: 'error',
    processingDuration: durationOf(run),
    error: run.errorMessage ?? 'The analysis failed.',
  }),
} satisfies Record<string, (run: NamedRun) => object>;

/** The fields of all events about a run. */
export const nameOf = (run: NamedRun) => ({
  analysisId: run.id,
  sceneId: run.sceneId,
  sceneName: run.scene.name,
  deviceId: run.deviceId,
  computeNodeId: run.computeNodeId,
});

/**
 * Emits that runs have started or ended, in the transaction that changed them. A run without `analysis_started` gets no
 * `analysis_stopped`.
 */
export async function emitRunEvents(tx: Tx, type: keyof typeof DATA, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const run of await runsByName(tx, ids)) {
    // Nobody is told about the analysis of a recording: whoever started it asks for its progress.
    if (run.device.kind === 'recording') continue;
    if (type === 'analysis_stopped' && run.runningAt === null) continue;
    const occurredAt = (type === 'analysis_started' ? run.runningAt : run.completedAt) ?? run.updatedAt;
    const { userId, deviceId, sceneId } = run;
    const about = { userId, deviceId, sceneId, occurredAt, dedupeKey: `${type}:${run.id}` };
    await emit(tx, { ...about, type, data: DATA[type](run) });
  }
}
