import { type Actor, recordAudit } from '../../audit/record-audit.ts';
import { NEWEST_FIRST, type Page, type PageQuery, pageOf, rowsOf } from '../../http/paging.ts';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { daysBefore, removeOld } from '../../platform/database/remove-old.ts';
import { Prisma, type Session } from '../../platform/prisma-client/client.ts';
import { lockUser } from '../user-cap.ts';

/** What authentication needs of a session. */
export type StoredSession = Pick<
  Session,
  'id' | 'userId' | 'apiKeyId' | 'kind' | 'role' | 'scopes' | 'lastUsedAt' | 'expiresAt' | 'revokedAt'
> & {
  readonly isAdmin: boolean;
  /** Of the API key from which the session comes. */
  readonly keyExpiresAt: Date | null;
  readonly keyRevokedAt: Date | null;
};

/** @returns null also when the user is deleted */
export async function findSession(db: Db, tokenHash: Uint8Array<ArrayBuffer>): Promise<StoredSession | null> {
  const [row] = await db.$queryRaw<StoredSession[]>`
    SELECT s.id, s."userId", s."apiKeyId", s.kind::text AS kind, s.role::text AS role, s.scopes,
           s."lastUsedAt", s."expiresAt", s."revokedAt", u."isAdmin",
           k."expiresAt" AS "keyExpiresAt", k."revokedAt" AS "keyRevokedAt"
    FROM "Session" s JOIN "User" u ON u.id = s."userId" LEFT JOIN "ApiKey" k ON k.id = s."apiKeyId"
    WHERE s."tokenHash" = ${tokenHash} AND u."deletedAt" IS NULL`;
  return row ?? null;
}

export interface LastUse {
  readonly lastUsedAt: Date;
  readonly lastAddress: string | null;
  readonly lastUserAgent: string | null;
  readonly expiresAt: Date | null;
}

export async function touchSession(db: Db, id: string, use: LastUse): Promise<void> {
  await db.session.updateMany({ where: { id, revokedAt: null }, data: use });
}

/** The columns of a session that may be shown. */
const LISTED = {
  ...{ id: true, kind: true, role: true, scopes: true, method: true, label: true, createdAt: true },
  ...{ lastUsedAt: true, lastAddress: true, lastUserAgent: true, expiresAt: true, byOperator: true },
} as const;
export type ListedSession = Pick<Session, keyof typeof LISTED>;

/** Sessions that are neither revoked nor expired. */
const alive = (userId: string, now: Date) => ({
  userId,
  revokedAt: null,
  AND: [
    { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    {
      OR: [
        { apiKeyId: null },
        { apiKey: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] } },
      ],
    },
  ],
});

/** The sessions of a user that work, newest first. */
export async function listSessions(
  db: Db,
  { userId, now }: { userId: string; now: Date },
  page: PageQuery,
): Promise<Page<ListedSession>> {
  const where = alive(userId, now);
  return pageOf(
    db.session.findMany({ where, select: LISTED, orderBy: NEWEST_FIRST, ...rowsOf(page) }),
    db.session.count({ where }),
  );
}

export const findListed = (
  db: Db,
  { userId, id }: { userId: string; id: string },
): Promise<ListedSession | null> => db.session.findFirst({ where: { id, userId }, select: LISTED });

export const insertSession = (tx: Tx, data: Prisma.SessionUncheckedCreateInput): Promise<ListedSession> =>
  tx.session.create({ data, select: LISTED });

/** Sessions that are counted together. */
type Origin = Pick<Session, 'userId' | 'apiKeyId' | 'kind' | 'method' | 'byOperator'>;

export interface Room {
  /** Sessions that may stay. */
  readonly most: number;
  readonly now: Date;
  /** A session that was not used since then may be ended; null: none that works. */
  readonly unusedSince: Date | null;
}

/**
 * Makes room for one more session of a kind: beyond `most` it removes first those that no longer work, then those that were used
 * longest ago and may be ended. So a program that signs in and out all the time leaves no rows. Sessions that come from an API key
 * are counted for that key alone, and those of the password, of codes and of the operator's links each for themselves, so that a
 * flood of one of them touches nobody else's. Call it under `lockUser`.
 * @returns false when there are still more than `most`
 */
export async function makeRoom(
  tx: Tx,
  { userId, apiKeyId, kind, method, byOperator }: Origin,
  { most, now, unusedSince }: Room,
): Promise<boolean> {
  const same = Prisma.sql`"userId" = ${userId}::uuid AND kind = ${kind}::"SessionKind"
    AND "apiKeyId" IS NOT DISTINCT FROM ${apiKeyId}::uuid
    AND method = ${method}::"SignInMethod" AND "byOperator" = ${byOperator}`;
  const works = Prisma.sql`("revokedAt" IS NULL AND ("expiresAt" IS NULL OR "expiresAt" > ${now}))`;
  await tx.$executeRaw`
    DELETE FROM "Session" WHERE id IN (
      SELECT id FROM "Session" WHERE ${same} ORDER BY ${works} DESC, "lastUsedAt" DESC, id DESC OFFSET ${most})
    AND (NOT ${works} OR "lastUsedAt" <= ${unusedSince}::timestamptz)`;
  const [{ left }] = await tx.$queryRaw<[{ left: number }]>`
    SELECT count(*)::int AS left FROM "Session" WHERE ${same}`;
  return left <= most;
}

interface Revoked {
  readonly userId: string;
  readonly id: string;
  readonly at: Date;
}

/**
 * Also deletes the codes that the session has made.
 * @param by who revokes it; the session itself signs out
 * @returns false when the user has no such session that works
 */
export function revokeSession(db: Db, { userId, id, at }: Revoked, by: Actor): Promise<boolean> {
  return db.$transaction(async (tx) => {
    // With the lock, a code or key that the session makes at the same time is either refused or seen here.
    await lockUser(tx, userId);
    await tx.loginCode.deleteMany({ where: { userId, sessionId: id } });
    const where = { ...alive(userId, at), id };
    const { count } = await tx.session.updateMany({ where, data: { revokedAt: at } });
    if (count === 0) return false;
    const action = by.id === id ? 'signed_out' : 'session_revoked';
    await recordAudit(tx, { userId, actor: by, action, target: { kind: 'session', id }, at });
    return true;
  });
}

/** Revokes all sessions of a user but one, and deletes all codes of the user. @param id null: really all */
export async function revokeOthers(
  tx: Tx,
  { userId, id, at }: Omit<Revoked, 'id'> & { readonly id: string | null },
): Promise<void> {
  await tx.session.updateMany({
    where: { userId, revokedAt: null, ...(id !== null && { id: { not: id } }) },
    data: { revokedAt: at },
  });
  await tx.loginCode.deleteMany({ where: { userId } });
}

/** How long sessions that ended are kept. */
const KEPT_DAYS = 7;

/** Removes sessions that ended a week ago, and codes that can no longer be used. */
export async function removeOldSessions({ db, clock }: Pick<Context, 'clock' | 'db'>): Promise<void> {
  const now = clock.now();
  const before = daysBefore(now, KEPT_DAYS);
  await removeOld(db, { table: 'Session', column: 'revokedAt', before });
  await removeOld(db, { table: 'Session', column: 'expiresAt', before });
  await removeOld(db, { table: 'LoginCode', column: 'expiresAt', before: now });
  await removeOld(db, { table: 'SetupCode', column: 'expiresAt', before: now });
}
