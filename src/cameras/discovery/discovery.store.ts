import { ApiError } from '../../http/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { CHANNELS, notify } from '../../platform/database/notify.ts';
import { claim } from '../../platform/jobs/claim.store.ts';
import { type DiscoveryRequest, Prisma } from '../../platform/prisma-client/client.ts';

/** A search ends within this time. */
export const LONGEST_SECONDS = 45;
/** A search that is older has no node any more. */
const LOST_SECONDS = LONGEST_SECONDS + 15;
const KEPT_SECONDS = 600;

export interface NewDiscovery {
  readonly userId: string;
  readonly wantedNodeId: string | null;
  readonly network: string | null;
  readonly loginEncrypted: string | null;
}

/** @throws ApiError LIMIT_REACHED while a search of the user is under way */
export function insertDiscovery(
  db: Db,
  { userId, wantedNodeId, network, loginEncrypted }: NewDiscovery,
  lastStep?: LastStep<DiscoveryRequest>,
): Promise<DiscoveryRequest> {
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE "DiscoveryRequest" SET status = 'failed', "loginEncrypted" = NULL, "finishedAt" = clock_timestamp()
      WHERE "userId" = ${userId}::uuid AND status IN ('pending', 'searching')
        AND "createdAt" < clock_timestamp() - make_interval(secs => ${LOST_SECONDS})`;
    const [asked] = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO "DiscoveryRequest" ("userId", "wantedNodeId", network, "loginEncrypted", "createdAt")
      VALUES (${userId}::uuid, ${wantedNodeId}::uuid, ${network}, ${loginEncrypted}, clock_timestamp())
      ON CONFLICT DO NOTHING RETURNING id`;
    if (!asked) {
      throw new ApiError(
        'LIMIT_REACHED',
        'A search for cameras is under way: read its result, or wait until it has ended',
      );
    }
    await notify(tx, CHANNELS.discoveries, asked.id);
    const row = await tx.discoveryRequest.findUniqueOrThrow({ where: { id: asked.id } });
    await lastStep?.(tx, row);
    return row;
  });
}

export interface ReadDiscovery extends DiscoveryRequest {
  /** It is under way, but no node works on it any more. */
  readonly isLost: boolean;
}

export async function findDiscovery(db: Db, userId: string, id: string): Promise<ReadDiscovery | null> {
  const [row] = await db.$queryRaw<ReadDiscovery[]>`
    SELECT *, "finishedAt" IS NULL
              AND "createdAt" < clock_timestamp() - make_interval(secs => ${LOST_SECONDS}) AS "isLost"
    FROM "DiscoveryRequest" WHERE id = ${id}::uuid AND "userId" = ${userId}::uuid`;
  return row ?? null;
}

export interface ClaimedDiscovery {
  readonly id: string;
  readonly network: string | null;
  readonly loginEncrypted: string | null;
  /** Of the user; empty if they have none of their own. */
  readonly streamNetworks: readonly string[];
}

/** Claims a search that is for any node or for this one. @returns null when there is none */
export async function claimDiscovery(db: Db, nodeId: string): Promise<ClaimedDiscovery | null> {
  const [claimed] = await claim<ClaimedDiscovery>(db, {
    table: 'DiscoveryRequest',
    due: Prisma.sql`w.status = 'pending' AND (w."wantedNodeId" IS NULL OR w."wantedNodeId" = ${nodeId}::uuid)
      AND w."createdAt" > clock_timestamp() - make_interval(secs => ${LOST_SECONDS - LONGEST_SECONDS})`,
    order: Prisma.sql`w."createdAt"`,
    limit: 1,
    set: Prisma.sql`status = 'searching', "computeNodeId" = ${nodeId}::uuid`,
    from: { table: Prisma.sql`"User" u`, on: Prisma.sql`u.id = w."userId"` },
    returning: Prisma.sql`w.id, w.network, w."loginEncrypted", u."streamNetworks"`,
  });
  return claimed ?? null;
}

export interface DiscoveryProgress {
  readonly camerasEncrypted: string;
  readonly refused: number;
}

export async function writeProgress(db: Db, id: string, progress: DiscoveryProgress): Promise<void> {
  await db.discoveryRequest.updateMany({ where: { id, status: 'searching' }, data: progress });
}

/** @param errorMessage null: the search is complete */
export async function finishDiscovery(
  db: Db,
  id: string,
  { errorMessage, ...progress }: Partial<DiscoveryProgress> & { errorMessage: string | null },
): Promise<void> {
  await db.$executeRaw`
    UPDATE "DiscoveryRequest"
    SET status = ${errorMessage === null ? 'completed' : 'failed'}::"DiscoveryStatus", "errorMessage" = ${errorMessage},
        "loginEncrypted" = NULL, "finishedAt" = clock_timestamp(),
        "camerasEncrypted" = coalesce(${progress.camerasEncrypted ?? null}, "camerasEncrypted"),
        refused = coalesce(${progress.refused ?? null}::int, refused)
    WHERE id = ${id}::uuid AND status = 'searching'`;
}

/** Removes old searches, and the logins of searches that no node works on any more. */
export async function removeOldDiscoveries({ db }: { db: Db }): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "DiscoveryRequest" WHERE "createdAt" < clock_timestamp() - make_interval(secs => ${KEPT_SECONDS})`;
  await db.$executeRaw`
    UPDATE "DiscoveryRequest" SET status = 'failed', "loginEncrypted" = NULL, "finishedAt" = clock_timestamp()
    WHERE status IN ('pending', 'searching')
      AND "createdAt" < clock_timestamp() - make_interval(secs => ${LOST_SECONDS})`;
}
