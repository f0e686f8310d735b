import { createHash, randomBytes } from 'node:crypto';

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** @returns the login in an address, as it was meant before it was written there; null where there is none */
export function loginOf(url: string): Login | null {
  const [, user, password = ''] = /^[a-z]+:\/\/([^/?#@:]*)(?::([^/?#]*))?@/i.exec(url) ?? [];
  return user === undefined ? null : { user: decoded(user), password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const HASHES: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256' };

/**
 * The `Authorization` that answers a camera's `WWW-Authenticate`, Digest before Basic.
 * @returns null when it asks for something else
 */
export function answerChallenge(
  challenges: readonly string[],
  { user, password }: Login,
  { method, uri }: { method: string; uri: string },
): string | null {
  for (const challenge of challenges.filter((text) => /^digest\s/i.test(text))) {
    const fields = Object.fromEntries(
      [...challenge.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, name, quoted, bare]) => [
        name!.toLowerCase(),
        quoted ?? bare ?? '',
      ]),
    );
    const { realm = '', nonce = '', opaque, algorithm = 'MD5' } = fields;
    const hash = HASHES[algorithm.toUpperCase()];
    if (!hash) continue;
    const of = (...parts: string[]) => createHash(hash).update(parts.join(':')).digest('hex');
    const [who, what] = [of(user, realm, password), of(method, uri)];
    const once = randomBytes(8).toString('hex');
    const isCounted = fields.qop?.split(/[\s,]+/).includes('auth') ?? false;
    const response = isCounted ? of(who, nonce, '00000001', once, 'auth', what) : of(who, nonce, what);
    const answer = [`username="${user}"`, `realm="${realm}"`, `nonce="${nonce}"`, `uri="${uri}"`];
    answer.push(`response="${response}"`, `algorithm=${algorithm}`);
    if (opaque !== undefined) answer.push(`opaque="${opaque}"`);
    if (isCounted) answer.push('qop=auth', 'nc=00000001', `cnonce="${once}"`);
    return `Digest ${answer.join(', ')}`;
  }
  if (!challenges.some((text) => /^basic\b/i.test(text))) return null;
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
