import type { Db } from '../platform/db.ts';
import type { Insight, Scene } from '../platform/prisma-client/client.ts';

/** Numbers older than this are those of a scene that is not being looked at. */
const FRESH_MS = 60_000;
const MOST_SCENES = 1_000;

export type SceneNumbers = Pick<Scene, 'id' | 'deviceId' | 'latestMetrics' | 'metricsUpdatedAt'>;

/** The scenes of a user that have numbers of the last minute. */
export function freshMetrics(db: Db, userId: string): Promise<SceneNumbers[]> {
  return db.scene.findMany({
    where: { userId, deletedAt: null, metricsUpdatedAt: { gt: new Date(Date.now() - FRESH_MS) } },
    select: { id: true, deviceId: true, latestMetrics: true, metricsUpdatedAt: true },
    orderBy: { id: 'asc' },
    take: MOST_SCENES,
  });
}

export function findInsights(db: Db, userId: string, ids: readonly string[]): Promise<Insight[]> {
  return db.insight.findMany({
    where: { userId, id: { in: [...ids] }, deletedAt: null },
    orderBy: { id: 'asc' },
  });
}
