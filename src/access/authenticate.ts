import type { Authenticate } from '../http/permission.ts';
import type { Context } from '../platform/context.ts';
import { createAuthenticateKey } from './authenticate-key.ts';
import { createAuthenticateSession } from './sessions/authenticate-session.ts';

/** Authenticates a request by its API key or, if it has no header Authorization, by its session. */
export function createAuthenticate(context: Context): Authenticate {
  const byKey = createAuthenticateKey(context);
  const bySession = createAuthenticateSession(context);
  return (credentials, beforeLookUp) =>
    credentials.authorization === undefined && credentials.session !== undefined
      ? bySession(credentials, beforeLookUp)
      : byKey(credentials.authorization, beforeLookUp);
}
