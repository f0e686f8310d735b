import type { Db } from '../platform/database/db.ts';
import { inBatches } from '../platform/database/in-batches.ts';

export interface StoredSnapshot {
  readonly windowStart: Date;
  readonly windowEnd: Date;
  readonly numbers: Uint8Array | null;
  readonly currentMetrics: unknown;
}

export interface StoredWindow {
  readonly windowType: string;
  readonly windowEnd: Date;
  readonly numbers: Uint8Array | null;
  readonly metrics: unknown;
}

export function findSceneToWatch(
  db: Db,
  userId: string,
  sceneId: string,
): Promise<{ id: string; name: string; device: { name: string } } | null> {
  return db.scene.findFirst({
    where: { id: sceneId, userId, deletedAt: null },
    select: { id: true, name: true, device: { select: { name: true } } },
  });
}

const BATCH = 5_000;

/** Snapshots of a scene whose `windowEnd` lies in the range, oldest first. */
export const readSnapshots = (
  db: Db,
  sceneId: string,
  { startDate, endDate }: { startDate: Date; endDate: Date },
): AsyncGenerator<StoredSnapshot> =>
  inBatches<StoredSnapshot>(
    (take, last) =>
      db.metricSnapshot.findMany({
        where: {
          sceneId,
          windowEnd: { ...(last ? { gt: last.windowEnd } : { gte: startDate }), lt: endDate },
        },
        select: { windowStart: true, windowEnd: true, numbers: true, currentMetrics: true },
        orderBy: { windowEnd: 'asc' },
        take,
      }),
    BATCH,
  );

/** Rolling records of these window types, oldest first. */
export function readWindows(
  db: Db,
  { sceneId, windowTypes }: { sceneId: string; windowTypes: string[] },
  { startDate, endDate }: { startDate: Date; endDate: Date },
): Promise<StoredWindow[]> {
  return db.rollingRecord.findMany({
    where: { sceneId, windowType: { in: windowTypes }, windowEnd: { gte: startDate, lt: endDate } },
    select: { windowType: true, windowEnd: true, numbers: true, metrics: true },
    orderBy: { windowEnd: 'asc' },
  });
}
