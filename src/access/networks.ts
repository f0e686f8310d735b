import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import { systemClock } from '../platform/clock.ts';
import type { Db } from '../platform/database/db.ts';
import { CHANNELS, notify } from '../platform/database/notify.ts';
import { parseNetworks } from '../platform/network/named-networks.ts';
import { findUser } from './user.store.ts';

/** Networks to which camera streams of a user may connect. An empty list means that STREAM_NETWORKS applies. */
export async function readNetworks(db: Pick<Db, 'user'>, userId: string): Promise<readonly string[]> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { streamNetworks: true } });
  return user?.streamNetworks ?? [];
}

export interface UserNetworks {
  readonly userId: string;
  readonly email: string;
  /** Empty if the user has no networks of their own. */
  readonly networks: readonly string[];
}

/** @throws Error when the user does not exist */
export async function showNetworks(db: Db, email: string): Promise<UserNetworks> {
  const user = await findUser(db, email);
  if (!user) throw new Error(`There is no user "${email}": make one with create-user.`);
  return { userId: user.id, email, networks: await readNetworks(db, user.id) };
}

/**
 * Sets the networks to which camera streams of a user may connect. Running streams are opened again at once with the new
 * networks; if a stream is no longer allowed, its runs end with that error.
 * @param texts the networks; an empty list means that STREAM_NETWORKS applies
 * @throws Error when the user does not exist or a network is not valid
 */
export async function setNetworks(db: Db, email: string, texts: readonly string[]): Promise<UserNetworks> {
  const read = parseNetworks(texts);
  if ('fault' in read) throw new Error(read.fault);
  const { networks } = read;
  const before = await showNetworks(db, email);
  if (before.networks.join() === networks.join()) return before;
  const { userId } = before;
  await db.$transaction(async (tx) => {
    await tx.user.update({ where: { id: userId }, data: { streamNetworks: networks } });
    await tx.$executeRaw`
      UPDATE "Device" d SET "streamRevision" = d."streamRevision" + 1, "nextProbeAt" = clock_timestamp()
      FROM (SELECT id FROM "Device" WHERE "userId" = ${userId}::uuid AND kind = 'camera' AND "deletedAt" IS NULL
            ORDER BY id FOR NO KEY UPDATE) own
      WHERE d.id = own.id`;
    const at = systemClock.now();
    await recordAudit(tx, { userId, actor: OPERATOR, action: 'networks_changed', details: { networks }, at });
    await notify(tx, CHANNELS.runs, userId);
  });
  return { ...before, networks };
}
