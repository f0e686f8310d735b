import type { IncomingHttpHeaders } from 'node:http';

/**
 * Explains how to send an API key, from the request alone. The message does not reveal whether a key exists, was revoked
 * or has expired.
 */
export function explainKey(headers: IncomingHttpHeaders): string {
  const { authorization } = headers;
  const send = 'Send it as Authorization: Bearer <API_KEY>';
  if (authorization === undefined) {
    const other = ['x-api-key', 'api-key', 'x-auth-token'].find((name) => headers[name] !== undefined);
    return other === undefined
      ? `The request has no API key. ${send}`
      : `The header ${other} is not read. ${send.replace('it', 'the API key')}`;
  }
  if (!/^Bearer\s/i.test(authorization))
    return `The header Authorization does not begin with "Bearer ". ${send}`;
  return 'This API key is not valid: it is unknown, revoked, expired or was not copied as a whole';
}
