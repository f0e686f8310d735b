import { z } from 'zod';
import type { Caller } from '../http/permission.ts';
import type { Db } from '../platform/database/db.ts';

/** Who has done something, for rows that outlive keys and sessions. */
export const storedCaller = z.object({
  kind: z.enum(['key', 'session']),
  /** Of the API key or session. */
  id: z.string(),
  /** Name of the key, or label of the session; null for a session without one. */
  name: z.string().nullable(),
});
export type KnownCaller = z.output<typeof storedCaller>;

/** The caller with the name that its owner gave it. */
export async function findCallerName(
  db: Db,
  { userId, sessionId, credentialId: id }: Pick<Caller, 'userId' | 'sessionId' | 'credentialId'>,
): Promise<KnownCaller> {
  if (sessionId === null) {
    const key = await db.apiKey.findFirst({ where: { id, userId }, select: { name: true } });
    return { kind: 'key', id, name: key?.name ?? null };
  }
  const session = await db.session.findFirst({ where: { id, userId }, select: { label: true } });
  return { kind: 'session', id, name: session?.label ?? null };
}
