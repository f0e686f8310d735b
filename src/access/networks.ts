import type { Db } from '../platform/database/db.ts';
import { CHANNELS, notify } from '../platform/database/notify.ts';
import { parseNetworks } from '../platform/network/named-networks.ts';
import { findUser } from './user.store.ts';

/** Where a user's streams may lead; empty: where STREAM_NETWORKS says. */
export async function readNetworks(db: Pick<Db, 'user'>, userId: string): Promise<readonly string[]> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { streamNetworks: true } });
  return user?.streamNetworks ?? [];
}

export interface UserNetworks {
  readonly userId: string;
  readonly email: string;
  /** Empty: none of their own. */
  readonly networks: readonly string[];
}

/** @throws Error when there is no such user */
export async function showNetworks(db: Db, email: string): Promise<UserNetworks> {
  const user = await findUser(db, email);
  if (!user) throw new Error(`There is no user "${email}": make one with create-user.`);
  return { userId: user.id, email, networks: await readNetworks(db, user.id) };
}

/**
 * Says where a user's streams may lead. Streams that run are opened again at once, under the new networks: one that may
 * not be opened any more ends its runs with that as their error.
 * @param texts none: as for everybody else
 * @throws Error when there is no such user, or a network is none
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
      FROM (SELECT id FROM "Device" WHERE "userId" = ${userId}::uuid AND "deletedAt" IS NULL
            ORDER BY id FOR NO KEY UPDATE) own
      WHERE d.id = own.id`;
    await notify(tx, CHANNELS.runs, userId);
  });
  return { ...before, networks };
}
