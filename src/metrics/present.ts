import type { z } from 'zod';
import type { WindowMetrics } from '../catalogue/metrics/all.ts';
import type { MetricSnapshot, RollingRecord } from '../platform/prisma-client/client.ts';
import type { rollingRecord, snapshot } from './schema.ts';

type SnapshotJson = z.input<typeof snapshot>;
type RollingJson = z.input<typeof rollingRecord>;

export const presentSnapshot = (row: MetricSnapshot): SnapshotJson => ({
  id: row.id,
  sceneId: row.sceneId,
  deviceId: row.deviceId,
  sceneType: row.sceneType,
  windowStart: row.windowStart.toISOString(),
  windowEnd: row.windowEnd.toISOString(),
  durationSeconds: row.durationSeconds,
  currentMetrics: row.currentMetrics as SnapshotJson['currentMetrics'],
  computeNodeId: row.computeNodeId,
  createdAt: row.createdAt.toISOString(),
});

/** A snapshot in a list of its scene. */
export const presentBriefSnapshot = (
  row: MetricSnapshot,
): Pick<SnapshotJson, 'id' | 'currentMetrics' | 'createdAt'> => ({
  id: row.id,
  currentMetrics: row.currentMetrics as SnapshotJson['currentMetrics'],
  createdAt: row.createdAt.toISOString(),
});

export function presentRolling(row: RollingRecord): RollingJson {
  const { completed, abandoned, arrivals, abandonmentRate, lostCount, ...occupancy } =
    row.metrics as unknown as WindowMetrics;
  return {
    id: row.id,
    sceneId: row.sceneId,
    deviceId: row.deviceId,
    sceneType: row.sceneType,
    windowType: row.windowType as RollingJson['windowType'],
    windowStart: row.windowStart.toISOString(),
    windowEnd: row.windowEnd.toISOString(),
    completed,
    abandoned,
    arrivals,
    abandonmentRate,
    lostCount,
    // `total` has no metrics over time: its span has long pauses.
    ...(row.windowType !== 'total' && {
      throughputPerHour: occupancy.throughputPerHour,
      avgInQueue: occupancy.avgInQueue,
      maxInQueue: occupancy.maxInQueue,
      avgInService: occupancy.avgInService,
      serverUtilization: occupancy.serverUtilization,
      coveragePercent: occupancy.coveragePercent,
    }),
    computeNodeId: row.computeNodeId,
    createdAt: row.createdAt.toISOString(),
  };
}
