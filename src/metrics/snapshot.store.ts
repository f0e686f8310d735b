import { type Page, pageOf, rowsOf } from '../http/paging.ts';
import type { Db } from '../platform/database/db.ts';
import type { MetricSnapshot, RollingRecord } from '../platform/prisma-client/client.ts';
import {
  countListed,
  listNewest,
  listUnpacked,
  type PackedList,
  ROLLING_LIST,
  SNAPSHOT_LIST,
} from './packed/packed-lists.store.ts';
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
  pageOf(listNewest(db, SNAPSHOT_LIST, query, rowsOf(query)), countListed(db, SNAPSHOT_LIST, query));

/** The newest rows mostly lie in the hour before the newest metrics: then PostgreSQL plans few partitions instead of all. */
const LATEST_MS = 3_600_000;

async function findLatest<Row>(
  db: Db,
  list: PackedList<Row>,
  { id, metricsUpdatedAt }: MeasuredScene,
  { windowType, take }: { windowType?: string; take: number },
): Promise<Row[]> {
  const range = { sceneId: id, windowType };
  const place = { skip: 0, take };
  const startDate = metricsUpdatedAt && new Date(metricsUpdatedAt.getTime() - LATEST_MS);
  const latest = startDate ? await listUnpacked(db, list, { ...range, startDate }, place) : [];
  return latest.length === take ? latest : listNewest(db, list, range, place);
}

export const findLatestSnapshots = (db: Db, scene: MeasuredScene, limit: number): Promise<MetricSnapshot[]> =>
  findLatest(db, SNAPSHOT_LIST, scene, { take: limit });

/** Rolling records that end in the range, newest first. */
export const listRolling = (db: Db, query: RollingQuery): Promise<Page<RollingRecord>> =>
  pageOf(listNewest(db, ROLLING_LIST, query, rowsOf(query)), countListed(db, ROLLING_LIST, query));

/** The newest record of a window type. */
export async function findLatestRolling(
  db: Db,
  scene: MeasuredScene,
  windowType: string,
): Promise<RollingRecord | null> {
  const [latest] = await findLatest(db, ROLLING_LIST, scene, { windowType, take: 1 });
  return latest ?? null;
}
