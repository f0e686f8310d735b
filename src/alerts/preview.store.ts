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

/** The scene, or the scenes of the site, oldest first; none when they are not the user's. */
export function findScenesToWatch(
  db: Db,
  userId: string,
  { sceneId, siteId }: { sceneId?: string | undefined; siteId?: string | undefined },
): Promise<{ id: string; name: string; device: { name: string } }[]> {
  // Without either, Prisma would find every scene of the user.
  const place =
    siteId === undefined
      ? { id: { in: sceneId === undefined ? [] : [sceneId] } }
      : { device: { deletedAt: null, sites: { some: { siteId, site: { userId } } } } };
  return db.scene.findMany({
    where: { userId, deletedAt: null, ...place },
    select: { id: true, name: true, device: { select: { name: true } } },
    orderBy: { id: 'asc' },
  });
}

/** @returns null when the user has no such site */
export const hasSite = (db: Db, userId: string, id: string): Promise<{ id: string } | null> =>
  db.site.findFirst({ where: { id, userId }, select: { id: true } });

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
