import sharp from 'sharp';
import { filled, KEPT } from '../../../src/cameras/scenes/checks/times/film.ts';
import type { Db } from '../../../src/platform/database/db.ts';
import type { Scene } from '../../../src/platform/prisma-client/client.ts';

const GREY = { width: 64, height: 36, channels: 3, background: 'grey' } as const;

/** An open check of a scene with a still for each of our counts. */
export async function addCheck(
  db: Db,
  { id: sceneId, config }: Pick<Scene, 'id' | 'config'>,
  { at, ours = [2], everyMs = 1 }: { at: Date; ours?: readonly number[]; everyMs?: number },
) {
  const { zones } = config as { zones: object };
  const times = { startedAt: at, endsAt: at, collectedAt: at, endReason: 'complete' } as const;
  const plan = { sceneId, wantedStills: 20, seed: 1, keepsWrongStills: true, zones };
  const check = await db.sceneCheck.create({ data: { ...plan, ...times, status: 'open' } });
  const jpeg = new Uint8Array(await sharp({ create: GREY }).jpeg().toBuffer());
  const looks = ours.map((waiting, stratum) => ({
    ...{ checkId: check.id, stratum, jpeg, waiting, served: 1, brightness: 128, drawWeight: 1, weight: 3 },
    ...{
      capturedAt: new Date(at.getTime() + stratum * everyMs),
      people: [{ zone: 'queue', left: 0.1, top: 0.2, right: 0.3, bottom: 0.6 }],
    },
  }));
  const stills = await db.checkStill.createManyAndReturn({ data: looks });
  return { check, stills, still: stills[0]! };
}

/** An open check of times of a camera, with a piece of its film: a grey picture in each slot. */
export async function addTimesCheck(
  db: Db,
  { id: sceneId, config }: Pick<Scene, 'id' | 'config'>,
  { at, seconds = 10 }: { at: Date; seconds?: number },
) {
  const { zones } = config as { zones: object };
  const endsAt = new Date(at.getTime() + seconds * 1000);
  const check = await db.sceneCheck.create({
    data: {
      ...{ sceneId, kind: 'times', filmSeconds: seconds, zones, status: 'open', endReason: 'complete' },
      ...{ startedAt: at, endsAt, collectedAt: endsAt, wantedStills: 0, seed: 0, keepsWrongStills: false },
    },
  });
  const jpeg = await sharp({ create: GREY }).jpeg().toBuffer();
  const slots = new Map([[0, jpeg]]);
  for (let piece = 0; piece < Math.ceil(seconds / KEPT.pieceSeconds); piece++)
    await db.checkFilm.create({
      data: { checkId: check.id, piece, jpegs: new Uint8Array(filled(slots, KEPT.fps * KEPT.pieceSeconds)!) },
    });
  return check;
}
