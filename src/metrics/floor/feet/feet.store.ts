import type { Db, Tx } from '../../../platform/database/db.ts';
import type { SceneFeet as SceneFeetRow } from '../../../platform/prisma-client/client.ts';
import { decodeFeet, encodeFeet, MINUTE_MS } from './encode-feet.ts';
import { type LeftProposal, leftProposal as leftProposalSchema } from './left-proposal.ts';
import type { FeetSample } from './run-feet.ts';

/** A sample of where people were that a run has to store. */
export interface SceneFeet {
  readonly sceneId: string;
  readonly feet: FeetSample | null;
}

/** As a row has it: also the proposal that somebody has left. */
export interface StoredFeet extends FeetSample {
  readonly left: LeftProposal | null;
}

/**
 * Uses one statement for all scenes. The caller must hold the leases of the runs in this transaction.
 * @returns the proposals that were left, by scene
 */
export async function writeFeet(
  tx: Tx,
  scenes: readonly SceneFeet[],
): Promise<ReadonlyMap<string, LeftProposal | null>> {
  const rows = scenes.flatMap(({ sceneId, feet }) =>
    feet === null
      ? []
      : {
          sceneId,
          until: new Date((feet.minute + 1) * MINUTE_MS).toISOString(),
          points: `\\x${encodeFeet(feet.points, feet.minute).toString('hex')}`,
        },
  );
  if (rows.length === 0) return new Map();
  const written = await tx.$queryRaw<{ sceneId: string; leftProposal: unknown }[]>`
    INSERT INTO "SceneFeet" ("sceneId", until, points)
    SELECT "sceneId", until, points FROM jsonb_populate_recordset(NULL::"SceneFeet", ${JSON.stringify(rows)}::jsonb)
    ON CONFLICT ("sceneId") DO UPDATE SET until = excluded.until, points = excluded.points
    RETURNING "sceneId", "leftProposal"`;
  return new Map(written.map(({ sceneId, leftProposal }) => [sceneId, leftOf(leftProposal)]));
}

/** A scene without a sample has no proposal that could be left. */
export async function writeLeftProposal(db: Db, sceneId: string, left: LeftProposal): Promise<void> {
  await db.sceneFeet.updateMany({ where: { sceneId }, data: { leftProposal: left } });
}

const leftOf = (stored: unknown): LeftProposal | null => {
  const read = leftProposalSchema.safeParse(stored);
  return read.success ? read.data : null;
};

/** The sample of a scene; null where there is none. */
export async function loadFeet(db: Db, sceneId: string): Promise<StoredFeet | null> {
  const row = await db.sceneFeet.findUnique({ where: { sceneId } });
  return row && sampleOf(row);
}

/** A scene of a user with its sample; null where there is no such scene. */
export async function findSceneFeet(
  db: Db,
  userId: string,
  sceneId: string,
): Promise<{ id: string; config: unknown; sample: StoredFeet | null } | null> {
  const scene = await db.scene.findFirst({
    where: { id: sceneId, userId, deletedAt: null },
    select: { id: true, config: true, feet: true },
  });
  return scene && { id: scene.id, config: scene.config, sample: scene.feet && sampleOf(scene.feet) };
}

function sampleOf({ until, points, leftProposal }: SceneFeetRow): StoredFeet {
  const minute = until.getTime() / MINUTE_MS - 1;
  return { minute, points: decodeFeet(points, minute), left: leftOf(leftProposal) };
}

/** Removes the samples of scenes. */
export async function eraseFeet(tx: Tx, sceneIds: readonly string[]): Promise<void> {
  await tx.sceneFeet.deleteMany({ where: { sceneId: { in: [...sceneIds] } } });
}
