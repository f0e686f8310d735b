import type { Caller } from '../../http/permission.ts';
import type { Db } from '../../platform/database/db.ts';

/**
 * Who calls, as far as that is known: whoever signs in again with the password of the account, or with the same key, is the same
 * person. Codes are for other people, so that each session of a code is somebody else.
 */
export async function personOf(
  db: Db,
  { userId, sessionId, credentialId }: Pick<Caller, 'userId' | 'sessionId' | 'credentialId'>,
): Promise<string> {
  if (sessionId === null) return credentialId;
  const session = await db.session.findUnique({
    where: { id: sessionId },
    select: { method: true, apiKeyId: true },
  });
  if (session?.method === 'password') return userId;
  return (session?.method === 'key' ? session.apiKeyId : null) ?? sessionId;
}
