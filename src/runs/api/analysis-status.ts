import type { z } from 'zod';
import { findDeviceConditions } from '../../cameras/devices/condition.store.ts';
import { presentCondition } from '../../cameras/devices/condition.ts';
import { findDevice } from '../../cameras/devices/device.store.ts';
import { orNotFound } from '../../http/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import { findNodes, type NodeState } from '../store/nodes.store.ts';
import { namedNodeOf, shownOf } from '../store/states.ts';
import { findLatestRuns, type LatestRun } from '../store/task.store.ts';
import { findConditions, type RunCondition } from '../store/waiting/run-conditions.ts';
import { presentStats } from './present.ts';
import type { analysisStatus } from './schema.ts';

type Status = z.input<typeof analysisStatus>;

/**
 * The runs of a device and the load of one node: the node of the newest run, or the node reserved for it. Without such a
 * node it is the load of all nodes together.
 * @throws ApiError NOT_FOUND
 */
export async function readAnalysisStatus(
  db: Db,
  { userId, deviceId }: { userId: string; deviceId: string },
): Promise<Status> {
  const device = orNotFound(await findDevice(db, userId, deviceId), 'Device');
  const [runs, nodes, conditions] = await Promise.all([
    findLatestRuns(db, { userId, deviceIds: [deviceId] }),
    findNodes(db),
    findDeviceConditions(db, [deviceId]),
  ]);
  const conditionOf = await findConditions(db, runs);
  const newest = runs[0];
  const nodeId = newest && (namedNodeOf(newest) ?? newest.reservedNodeId);
  const node = nodes.find(({ id }) => id === nodeId);
  return {
    ...(node ? loadOf(node) : loadOfAll(nodes.filter(({ health }) => health !== 'offline'))),
    devices: [
      {
        deviceId,
        ...(conditions.get(deviceId) ?? presentCondition(device)),
        scenes: runs.map((run) => presentRun(run, conditionOf(run))),
      },
    ],
  };
}

type Load = Omit<Status, 'devices'>;

const loadOf = ({ health, healthReason, activeDeviceCount, maxConcurrentDevices }: NodeState): Load => ({
  computeNodeHealth: health,
  computeNodeHealthReason: healthReason,
  activeDeviceCount,
  maxConcurrentDevices,
});

/** Sums, and the worst health. */
const loadOfAll = (online: readonly NodeState[]): Load => ({
  computeNodeHealth:
    online.length === 0
      ? 'offline'
      : online.some(({ health }) => health === 'degraded')
        ? 'degraded'
        : 'healthy',
  computeNodeHealthReason: online.find(({ health }) => health === 'degraded')?.healthReason ?? null,
  activeDeviceCount: online.reduce((sum, node) => sum + node.activeDeviceCount, 0),
  maxConcurrentDevices: online.reduce((sum, node) => sum + node.maxConcurrentDevices, 0),
});

const presentRun = (
  run: LatestRun,
  condition: RunCondition,
): Status['devices'][number]['scenes'][number] => ({
  sceneId: run.sceneId,
  sceneType: 'queue_analysis',
  status: shownOf(run).run,
  ...condition,
  uptimeMs: run.uptimeMs,
  startedAt: run.startedAt?.toISOString() ?? null,
  stats: presentStats(run, condition),
});
