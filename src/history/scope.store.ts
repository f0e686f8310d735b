import type { Db } from '../platform/database/db.ts';
import type { QueueZones } from '../vision/types.ts';

/** A scene whose history is read. */
export interface HistoryScene {
  readonly id: string;
  readonly zones: QueueZones;
}

/** The scenes that one answer is about, and the time zone in which their days are cut if the caller names none. */
export interface HistoryScope {
  readonly scenes: readonly HistoryScene[];
  readonly timezone: string;
}

const select = { id: true, config: true } as const;

const sceneOf = ({ id, config }: { id: string; config: unknown }): HistoryScene => ({
  id,
  zones: (config as { zones: QueueZones }).zones,
});

/** A scene of the caller. The other queries of this room are by the ids of scenes. */
export async function findSceneScope(db: Db, userId: string, sceneId: string): Promise<HistoryScope | null> {
  const scene = await db.scene.findFirst({ where: { id: sceneId, userId, deletedAt: null }, select });
  return scene && { scenes: [sceneOf(scene)], timezone: 'UTC' };
}
