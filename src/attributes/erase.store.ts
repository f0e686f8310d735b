import type { Db, Tx } from '../platform/database/db.ts';
import { removeOld } from '../platform/database/remove-old.ts';
import { Prisma } from '../platform/prisma-client/client.ts';

/** Removes all attribute records of a scene, and what was counted from them. */
export async function eraseAttributes(tx: Tx, sceneId: string): Promise<void> {
  await tx.attributeRecord.deleteMany({ where: { sceneId } });
  await tx.attributeHour.deleteMany({ where: { sceneId } });
  await tx.attributeTrack.deleteMany({ where: { task: { sceneId } } });
}

/** What is counted of a recording may be long ago from the beginning: it goes with the recording. */
const NOT_RECORDED = Prisma.sql`NOT EXISTS (SELECT 1 FROM "Recording" r WHERE r."sceneId" = t."sceneId")`;
const NOT_OF_RECORDING = Prisma.sql`NOT EXISTS (
  SELECT 1 FROM "AnalysisTask" run JOIN "Recording" r ON r."sceneId" = run."sceneId" WHERE run.id = t."taskId")`;

/** Removes the tracks that were counted before a time. */
export const removeOldTracks = (db: Db, before: Date): Promise<void> =>
  removeOld(db, { table: 'AttributeTrack', column: 'capturedAt', before, only: NOT_OF_RECORDING });

/** Removes the hours before a time. */
export const removeOldHours = (db: Db, before: Date): Promise<void> =>
  removeOld(db, { table: 'AttributeHour', column: 'hour', before, only: NOT_RECORDED });
