import { createHash } from 'node:crypto';

/** With `digest` a nonce is good for so many requests, and each has to be counted. */
export type LoginKind = 'basic' | { readonly digest: number };

/** @returns what the reader is asked for; null when it may go on */
export type LoginCheck = (method: string, uri: string, sent: string) => string | null;

/** Of one connection. */
export function loginCheck(credentials: string, login: LoginKind): LoginCheck {
  if (login === 'basic') {
    const wanted = `Basic ${Buffer.from(credentials).toString('base64')}`;
    return (_method, _uri, sent) => (sent === wanted ? null : 'Basic realm="camera"');
  }
  const [user, password] = credentials.split(':') as [string, string];
  const md5 = (...parts: string[]) => createHash('md5').update(parts.join(':')).digest('hex');
  let nonces = 0;
  let count = 0;
  return (method, uri, sent) => {
    const field = (name: string) => new RegExp(`\\b${name}="?([^",]*)`).exec(sent)?.[1] ?? '';
    const nc = (count + 1).toString(16).padStart(8, '0');
    const proof = [`nonce${nonces}`, nc, field('cnonce'), 'auth', md5(method, uri)];
    const isRight =
      field('response') === md5(md5(user, 'camera', password), ...proof) && field('uri') === uri;
    if (isRight && count < login.digest) {
      count++;
      return null;
    }
    count = 0;
    const stale = isRight ? ', stale=true' : '';
    return `Digest realm="camera", nonce="nonce${++nonces}", qop="auth", algorithm=MD5${stale}`;
  };
}
