import type { Db } from '../../platform/database/db.ts';
import { type Device, type Insight, Prisma, type Scene } from '../../platform/prisma-client/client.ts';

/** Metrics older than this belong to a scene that is not being analysed. */
const FRESH_MS = 60_000;
const MOST_SCENES = 1_000;

export type SceneNumbers = Pick<
  Scene,
  'id' | 'deviceId' | 'config' | 'analysisStatus' | 'latestMetrics' | 'metricsUpdatedAt'
> & {
  readonly device: Pick<Device, 'fault'>;
};

/** The scenes of a user with metrics of the last minute, and running scenes whose device has a fault. */
export function freshMetrics(db: Db, userId: string, now: Date): Promise<SceneNumbers[]> {
  return db.scene.findMany({
    where: {
      userId,
      deletedAt: null,
      recording: null,
      OR: [
        { metricsUpdatedAt: { gt: new Date(now.getTime() - FRESH_MS) } },
        {
          metricsUpdatedAt: { not: null },
          analysisStatus: 'running',
          device: { fault: { not: Prisma.DbNull } },
        },
      ],
    },
    select: {
      ...{ id: true, deviceId: true, config: true, analysisStatus: true },
      ...{ latestMetrics: true, metricsUpdatedAt: true },
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
