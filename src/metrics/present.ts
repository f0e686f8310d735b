import type { z } from 'zod';
import type { MetricSnapshot, RollingRecord } from '../platform/prisma-client/client.ts';
import { storedCurrent, storedTotal, storedWindow } from './measured-by-zones.ts';
import type { rollingRecord, snapshot } from './schema.ts';
import { numbersOfSnapshot, numbersOfWindow } from './stored-numbers.ts';

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
  currentMetrics: storedCurrent(numbersOfSnapshot(row)),
  computeNodeId: row.computeNodeId,
  createdAt: row.createdAt.toISOString(),
});

/** A snapshot in a list of its scene. */
export const presentBriefSnapshot = (
  row: MetricSnapshot,
): Pick<SnapshotJson, 'id' | 'currentMetrics' | 'createdAt'> => ({
  id: row.id,
  currentMetrics: storedCurrent(numbersOfSnapshot(row)),
  createdAt: row.createdAt.toISOString(),
});

export const presentRolling = (row: RollingRecord): RollingJson => ({
  id: row.id,
  sceneId: row.sceneId,
  deviceId: row.deviceId,
  sceneType: row.sceneType,
  windowType: row.windowType as RollingJson['windowType'],
  windowStart: row.windowStart.toISOString(),
  windowEnd: row.windowEnd.toISOString(),
  ...(row.windowType === 'total' ? storedTotal : storedWindow)(numbersOfWindow(row)),
  computeNodeId: row.computeNodeId,
  createdAt: row.createdAt.toISOString(),
});
