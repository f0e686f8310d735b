import { hoursOf, type SiteHours } from '../../cameras/sites/open-hours.ts';
import type { Db } from '../../platform/database/db.ts';
import { timezoneOf } from '../../platform/jobs/schedule.ts';
import { storedConfig } from '../../vision/stored-config.ts';
import type { QueueZones } from '../../vision/types.ts';

/** A scene whose history is read. */
export interface HistoryScene {
  readonly id: string;
  readonly zones: QueueZones;
}

/** The scenes that one answer is about, and the time zone in which their days are cut if the caller names none. */
export interface HistoryScope {
  readonly scenes: readonly HistoryScene[];
  readonly timezone: string;
  /** Those of the site; of a scene, those of every site of its device. None: every hour counts. */
  readonly hours: readonly SiteHours[];
}

export interface SceneScope extends HistoryScope {
  /** The only one. */
  readonly scene: HistoryScene;
}

const sceneOf = ({ id, config }: { id: string; config: unknown }): HistoryScene => ({
  id,
  zones: storedConfig.parse(config).zones,
});

const SITE_HOURS = { timezone: true, openingHours: true } as const;

/** A scene of the caller. The other queries of this room are by the ids of scenes. */
export async function findSceneScope(db: Db, userId: string, sceneId: string): Promise<SceneScope | null> {
  const found = await db.scene.findFirst({
    where: { id: sceneId, userId, deletedAt: null },
    select: {
      id: true,
      config: true,
      device: {
        select: { timezone: true, schedule: true, sites: { select: { site: { select: SITE_HOURS } } } },
      },
    },
  });
  if (!found) return null;
  const scene = sceneOf(found);
  return {
    ...{ scene, scenes: [scene] },
    timezone: timezoneOf(found.device) ?? 'UTC',
    // Relations are read one after the other: a site that is deleted meanwhile is null, whatever its type says.
    hours: hoursOf(found.device.sites.flatMap(({ site }) => site ?? [])),
  };
}

/** The scenes of a site of the caller: those of the devices that it has now. */
export async function findSiteScope(db: Db, userId: string, siteId: string): Promise<HistoryScope | null> {
  const site = await db.site.findFirst({ where: { id: siteId, userId }, select: SITE_HOURS });
  if (!site) return null;
  const scenes = await db.scene.findMany({
    where: { userId, deletedAt: null, device: { deletedAt: null, sites: { some: { siteId } } } },
    select: { id: true, config: true },
    orderBy: { id: 'asc' },
  });
  return { scenes: scenes.map(sceneOf), timezone: site.timezone, hours: hoursOf([site]) };
}
