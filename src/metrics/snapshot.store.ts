import { within } from '../http/fields.ts';
import { type Page, pageOf, rowsOf } from '../http/paging.ts';
import type { Db } from '../platform/database/db.ts';
import type { MetricSnapshot, RollingRecord } from '../platform/prisma-client/client.ts';
import type { RollingQuery, SnapshotsQuery } from './schema.ts';

/** A scene of the caller. The queries below are by scene. */
export function findOwnScene(
  db: Db,
  userId: string,
  sceneId: string,
): Promise<{ id: string; metricsUpdatedAt: Date | null } | null> {
  return db.scene.findFirst({
    where: { id: sceneId, userId, deletedAt: null },
    select: { id: true, metricsUpdatedAt: true },
  });
}

/** Snapshots that end in the range, newest first. */
export async function listSnapshots(db: Db, query: SnapshotsQuery): Promise<Page<MetricSnapshot>> {
  const windowEnd = within(query);
  const where = { sceneId: query.sceneId, ...(windowEnd && { windowEnd }) };
  return pageOf(
    db.metricSnapshot.findMany({ where, orderBy: { windowEnd: 'desc' }, ...rowsOf(query) }),
    db.metricSnapshot.count({ where }),
  );
}

export function findLatestSnapshots(db: Db, sceneId: string, limit: number): Promise<MetricSnapshot[]> {
  return db.metricSnapshot.findMany({ where: { sceneId }, orderBy: { windowEnd: 'desc' }, take: limit });
}

/** Rolling records that end in the range, newest first. */
export async function listRolling(db: Db, query: RollingQuery): Promise<Page<RollingRecord>> {
  const windowEnd = within(query);
  const where = {
    sceneId: query.sceneId,
    ...(query.windowType && { windowType: query.windowType }),
    ...(windowEnd && { windowEnd }),
  };
  return pageOf(
    db.rollingRecord.findMany({
      where,
      orderBy: [{ windowEnd: 'desc' }, { windowType: 'asc' }],
      ...rowsOf(query),
    }),
    db.rollingRecord.count({ where }),
  );
}

/** The newest record of a window type. */
export function findLatestRolling(
  db: Db,
  sceneId: string,
  windowType: string,
): Promise<RollingRecord | null> {
  return db.rollingRecord.findFirst({ where: { sceneId, windowType }, orderBy: { windowEnd: 'desc' } });
}
