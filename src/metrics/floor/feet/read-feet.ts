import type { z } from 'zod';
import { orNotFound } from '../../../http/errors.ts';
import type { Db } from '../../../platform/database/db.ts';
import { sceneConfigSchema } from '../../../vision/scene-config.ts';
import { MINUTE_MS } from './encode-feet.ts';
import { findSceneFeet } from './feet.store.ts';
import { isLeft } from './left-proposal.ts';
import type { sceneFeet } from './schema.ts';
import { knownFeet, zoneAdvice } from './zone-advice.ts';

/** Where the feet of people were in the last hour with frames. @throws ApiError NOT_FOUND */
export async function readFeet(
  db: Db,
  { userId, sceneId }: { userId: string; sceneId: string },
): Promise<z.input<typeof sceneFeet>> {
  const scene = orNotFound(await findSceneFeet(db, userId, sceneId), 'Scene');
  const { minute = null, points = [], left = null } = scene.sample ?? {};
  const config = sceneConfigSchema.safeParse(scene.config);
  const found = config.success ? zoneAdvice(points, config.data.zones, true) : null;
  const advice = found && config.success && !isLeft(found, config.data.zones, left) ? found : null;
  return {
    sceneId: scene.id,
    until: minute === null || points.length === 0 ? null : new Date((minute + 1) * MINUTE_MS).toISOString(),
    feet: knownFeet(points),
    points: points.map(({ x, y, feet, isStanding }) => ({ x: rounded(x), y: rounded(y), feet, isStanding })),
    proposal: advice && {
      zone: advice.zone,
      share: rounded(advice.share),
      polygon: { type: 'polygon', points: advice.polygon.points.map(([x, y]) => [x, y]) },
    },
  };
}

const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;
