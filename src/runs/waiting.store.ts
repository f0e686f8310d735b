import type { Db } from '../platform/database/db.ts';
import { type StateColumns, stateOf } from './states.ts';

/** `capacity`: every living node is full or overloaded. `node`: no node is alive. */
export type WaitingFor = 'capacity' | 'node';

type QueuedRun = StateColumns & { readonly id: string; readonly deviceId: string };

/**
 * What queued runs wait for, by their ids. One that a node with room is about to take, or the node that streams its
 * device, waits for nothing.
 */
export async function findWaiting(
  db: Db,
  runs: readonly QueuedRun[],
): Promise<ReadonlyMap<string, WaitingFor>> {
  const queued = runs.filter((run) => stateOf(run) === 'queued');
  if (queued.length === 0) return new Map();
  const [nodes] = await db.$queryRaw<{ alive: number; withRoom: number }[]>`
    SELECT count(*)::int AS alive, count(*) FILTER (
             WHERE load.devices < n."maxConcurrentDevices" AND n."overloadedSince" IS NULL)::int AS "withRoom"
    FROM "ComputeNode" n CROSS JOIN LATERAL (
      SELECT count(DISTINCT t."deviceId") AS devices FROM "AnalysisTask" t
      WHERE t.status = 'PROCESSING' AND t."computeNodeId" = n.id) load
    WHERE n.health <> 'offline' AND NOT n."isDraining"
      AND n."lastHeartbeatAt" > clock_timestamp() - interval '30 seconds'`;
  if (nodes!.alive === 0) return new Map(queued.map(({ id }) => [id, 'node']));
  if (nodes!.withRoom > 0) return new Map();
  const streamed = await db.$queryRaw<{ deviceId: string }[]>`
    SELECT DISTINCT "deviceId" FROM "AnalysisTask"
    WHERE status = 'PROCESSING' AND "deviceId" = ANY(${queued.map(({ deviceId }) => deviceId)}::uuid[])`;
  const free = new Set(streamed.map(({ deviceId }) => deviceId));
  return new Map(queued.filter(({ deviceId }) => !free.has(deviceId)).map(({ id }) => [id, 'capacity']));
}
