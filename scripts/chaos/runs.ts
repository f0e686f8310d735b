import type { Installation } from '../support/installation.ts';
import { resumedAtMs } from './history/check-history.ts';
import { readRunChanges } from './history/history.ts';

/** Per run: how often a fault hit it. */
export class Hits extends Map<string, number> {
  add(taskIds: readonly string[]): void {
    for (const id of taskIds) this.set(id, (this.get(id) ?? 0) + 1);
  }
}

/** The worker with the most runs. */
export async function busiestWorker(
  installation: Installation,
): Promise<{ nodeId: string; number: number; pid: number; runs: { id: string; epoch: number }[] }> {
  const [node] = await installation.query<{ id: string; name: string }>(
    `SELECT n.id, n.name FROM "ComputeNode" n JOIN "AnalysisTask" t ON t."computeNodeId" = n.id
     WHERE t.status = 'PROCESSING' GROUP BY n.id ORDER BY count(*) DESC LIMIT 1`,
  );
  if (!node) throw new Error('No worker has a run.');
  const runs = await installation.query<{ id: string; epoch: number }>(
    `SELECT id, epoch FROM "AnalysisTask" WHERE status = 'PROCESSING' AND "computeNodeId" = $1`,
    [node.id],
  );
  const number = Number(node.name.split('-').at(-1));
  return { nodeId: node.id, number, pid: installation.workers[number]!.pid, runs };
}

/**
 * Waits until another node has stored frames of each of these runs.
 * @param lost when their worker was lost
 * @returns seconds from then to the last run's first frame
 */
export async function untilResumed(
  installation: Installation,
  runs: readonly { id: string; epoch: number }[],
  lost: { sinceMs: number; seconds: number },
): Promise<number> {
  let lastMs = lost.sinceMs;
  const isResumed = async () => {
    const changes = await readRunChanges(installation);
    const times = runs.map(({ id, epoch }) => resumedAtMs(changes, { taskId: id, afterEpoch: epoch }));
    if (times.includes(null)) return false;
    lastMs = Math.max(lost.sinceMs, ...times.map(Number));
    return true;
  };
  await installation.until('the other worker continues the runs', isResumed, lost.seconds);
  return (lastMs - lost.sinceMs) / 1000;
}

/** Waits until a node that was started after `sinceMs` has sent a heartbeat: the killed one's last may still be fresh. */
export async function untilRestarted(
  installation: Installation,
  nodeId: string,
  sinceMs: number,
): Promise<void> {
  const hasBeaten = async () => {
    const rows = await installation.query(
      `SELECT 1 FROM "ComputeNode"
       WHERE id = $1 AND "startedAt" > to_timestamp($2::float8 / 1000) AND "lastHeartbeatAt" > "startedAt"`,
      [nodeId, sinceMs],
    );
    return installation.workers.every(({ running }) => running) && rows.length > 0;
  };
  await installation.until('the killed worker is back', hasBeaten, 120);
}

/**
 * The metering error of the run where it is largest: metered seconds less seconds with frames, divided by the number of
 * faults that hit the run.
 */
export async function meterError(
  installation: Installation,
  runs: { watched: Map<string, number>; taskIds: readonly string[]; hits: Hits },
): Promise<number> {
  const metered = await installation.query<{ taskId: string; seconds: number }>(
    `SELECT "taskId", sum(quantity)::float8 AS seconds FROM "UsageEvent"
     WHERE feature = 'analysis' AND "taskId" = ANY($1) GROUP BY 1`,
    [runs.taskIds],
  );
  const errors = metered.map(
    ({ taskId, seconds }) =>
      (seconds - (runs.watched.get(taskId) ?? 0)) / Math.max(1, runs.hits.get(taskId) ?? 0),
  );
  return errors.reduce((worst, error) => (Math.abs(error) > Math.abs(worst) ? error : worst), 0);
}
