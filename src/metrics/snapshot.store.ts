import { type Page, pageOf, rowsOf } from '../http/paging.ts';
import type { Db } from '../platform/database/db.ts';
import type { MetricSnapshot, RollingRecord } from '../platform/prisma-client/client.ts';
import { countListed, listNewest, listUnpacked } from './packed/packed-lists.store.ts';
import { PACKED_ROLLING, PACKED_SNAPSHOTS, type PackedTable } from './packed/packed-tables.store.ts';
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
export const listSnapshots = (db: Db, query: SnapshotsQuery): Promise<Page<MetricSnapshot>> =>
  pageOf(listNewest(db, PACKED_SNAPSHOTS, query, rowsOf(query)), countListed(db, PACKED_SNAPSHOTS, query));

/** The newest rows mostly lie in the hour before the newest metrics: then PostgreSQL plans few partitions instead of all. */
const LATEST_MS = 3_600_000;

async function findLatest<Row>(
  db: Db,
  table: PackedTable,
  { id, metricsUpdatedAt }: MeasuredScene,
  { windowType, take }: { windowType?: string; take: number },
): Promise<Row[]> {
  const range = { sceneId: id, windowType };
  const place = { skip: 0, take };
  const startDate = metricsUpdatedAt && new Date(metricsUpdatedAt.getTime() - LATEST_MS);
  const latest = startDate ? await listUnpacked<Row>(db, table, { ...range, startDate }, place) : [];
  return latest.length === take ? latest : listNewest(db, table, range, place);
}

export const findLatestSnapshots = (db: Db, scene: MeasuredScene, limit: number): Promise<MetricSnapshot[]> =>
  findLatest(db, PACKED_SNAPSHOTS, scene, { take: limit });

/** Rolling records that end in the range, newest first. */
export const listRolling = (db: Db, query: RollingQuery): Promise<Page<RollingRecord>> =>
  pageOf(listNewest(db, PACKED_ROLLING, query, rowsOf(query)), countListed(db, PACKED_ROLLING, query));

/** The newest record of a window type. */
export async function findLatestRolling(
  db: Db,
  scene: MeasuredScene,
  windowType: string,
): Promise<RollingRecord | null> {
  const [latest] = await findLatest<RollingRecord>(db, PACKED_ROLLING, scene, { windowType, take: 1 });
  return latest ?? null;
}
