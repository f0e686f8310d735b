import { orNotFound } from '../../../http/errors.ts';
import type { Db } from '../../../platform/database/db.ts';
import { findSceneFeet, writeLeftProposal } from './feet.store.ts';
import type { LeftProposal } from './left-proposal.ts';

/** Remembers that a proposed zone is not wanted. @throws ApiError NOT_FOUND */
export async function leaveProposal(
  db: Db,
  { userId, sceneId }: { userId: string; sceneId: string },
  left: LeftProposal,
): Promise<void> {
  const scene = orNotFound(await findSceneFeet(db, userId, sceneId), 'Scene');
  await writeLeftProposal(db, scene.id, left);
}
