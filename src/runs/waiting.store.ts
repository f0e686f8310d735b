import type { Db } from '../platform/database/db.ts';
import { TAKES_RUNS } from './nodes.store.ts';
import { type StateColumns, stateOf } from './states.ts';

/** `capacity`: every online node is full or overloaded. `node`: no node is online. */
export type WaitingFor = 'capacity' | 'node';

type Run = StateColumns & { readonly id: string; readonly deviceId: string };

/**
 * What queued runs wait for, by their ids. A run is not in the map when a node with room, or the node that streams its
 * device, is about to claim it.
 */
export async function findWaiting(db: Db, runs: readonly Run[]): Promise<ReadonlyMap<string, WaitingFor>> {
  const queued = runs.filter((run) => stateOf(run) === 'queued');
  if (queued.length === 0) return new Map();
  const [nodes] = await db.$queryRaw<{ online: number; withRoom: number }[]>`
    SELECT count(*)::int AS online, count(*) FILTER (
             WHERE load.devices < n."maxConcurrentDevices" AND n."overloadedSince" IS NULL)::int AS "withRoom"
    FROM "ComputeNode" n CROSS JOIN LATERAL (
      SELECT count(DISTINCT t."deviceId") AS devices
      FROM "AnalysisTask" t JOIN "Device" d ON d.id = t."deviceId" AND d.kind = 'camera'
      WHERE t.status = 'PROCESSING' AND t."computeNodeId" = n.id) load
    WHERE ${TAKES_RUNS}`;
  if (nodes!.online === 0) return new Map(queued.map(({ id }) => [id, 'node']));
  if (nodes!.withRoom > 0) return new Map();
  const streamed = await db.$queryRaw<{ deviceId: string }[]>`
    SELECT DISTINCT "deviceId" FROM "AnalysisTask"
    WHERE status = 'PROCESSING' AND "deviceId" = ANY(${queued.map(({ deviceId }) => deviceId)}::uuid[])`;
  const deviceIds = new Set(streamed.map(({ deviceId }) => deviceId));
  const waiting = queued.filter(({ deviceId }) => !deviceIds.has(deviceId));
  return new Map(waiting.map(({ id }) => [id, 'capacity']));
}
