import type { Db } from '../platform/database/db.ts';
import { type Device, type Insight, Prisma, type Scene } from '../platform/prisma-client/client.ts';

/** Numbers older than this are those of a scene that is not being looked at. */
const FRESH_MS = 60_000;
const MOST_SCENES = 1_000;

export type SceneNumbers = Pick<Scene, 'id' | 'deviceId' | 'latestMetrics' | 'metricsUpdatedAt'> & {
  readonly device: Pick<Device, 'fault'>;
};

/** The scenes of a user that have numbers of the last minute, or would have them if nothing were wrong with their camera. */
export function freshMetrics(db: Db, userId: string): Promise<SceneNumbers[]> {
  return db.scene.findMany({
    where: {
      userId,
      deletedAt: null,
      OR: [
        { metricsUpdatedAt: { gt: new Date(Date.now() - FRESH_MS) } },
        {
          metricsUpdatedAt: { not: null },
          analysisStatus: 'running',
          device: { fault: { not: Prisma.DbNull } },
        },
      ],
    },
    select: {
      ...{ id: true, deviceId: true, latestMetrics: true, metricsUpdatedAt: true },
      device: { select: { fault: true } },
    },
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
