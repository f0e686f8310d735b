import { within } from '../http/fields.ts';
import { type Page, pageOf, rowsOf } from '../http/paging.ts';
import type { Db } from '../platform/database/db.ts';
import type { MetricSnapshot, RollingRecord } from '../platform/prisma-client/client.ts';
import type { RollingQuery, SnapshotsQuery } from './schema.ts';

export interface MeasuredScene {
  readonly id: string;
  /** Frame time of its newest metrics. */
  readonly metricsUpdatedAt: Date | null;
}

/** A scene of the caller. The queries below are by scene. */
export function findOwnScene(db: Db, userId: string, sceneId: string): Promise<MeasuredScene | null> {
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

/** The newest rows mostly lie in the hour before the newest metrics: then PostgreSQL plans few partitions instead of all. */
const LATEST_MS = 3_600_000;
const sinceOf = ({ metricsUpdatedAt }: MeasuredScene): { windowEnd: { gte: Date } } | null =>
  metricsUpdatedAt && { windowEnd: { gte: new Date(metricsUpdatedAt.getTime() - LATEST_MS) } };

export async function findLatestSnapshots(
  db: Db,
  scene: MeasuredScene,
  limit: number,
): Promise<MetricSnapshot[]> {
  const find = (range: object) =>
    db.metricSnapshot.findMany({
      where: { sceneId: scene.id, ...range },
      orderBy: { windowEnd: 'desc' },
      take: limit,
    });
  const since = sinceOf(scene);
  const latest = since ? await find(since) : [];
  return latest.length === limit ? latest : find({});
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
export async function findLatestRolling(
  db: Db,
  scene: MeasuredScene,
  windowType: string,
): Promise<RollingRecord | null> {
  const find = (range: object) =>
    db.rollingRecord.findFirst({
      where: { sceneId: scene.id, windowType, ...range },
      orderBy: { windowEnd: 'desc' },
    });
  const since = sinceOf(scene);
  return (since && (await find(since))) ?? find({});
}
