import { type BegunSession, beginSession } from '../../../src/access/sessions/begin-session.ts';
import { lockUser } from '../../../src/access/user-cap.ts';
import type { Scope } from '../../../src/http/permission.ts';
import type { Db } from '../../../src/platform/database/db.ts';

/** A session of a user with these scopes, as a code begins it. */
export const addSession = (
  db: Db,
  userId: string,
  scopes: readonly Scope[],
  now: Date,
  byOperator = false,
): Promise<BegunSession> =>
  db.$transaction(async (tx) => {
    await lockUser(tx, userId);
    return beginSession(
      tx,
      { userId, apiKeyId: null, kind: 'person', method: 'code', label: null, role: null, scopes, byOperator },
      { now, address: null, userAgent: null },
    );
  });

/** The headers with which a page of the service calls the API. */
export const withCookie = (token: string): Record<string, string> => ({
  cookie: `vas=${token}`,
  'sec-fetch-site': 'same-origin',
});
