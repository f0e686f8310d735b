import { createHash, randomBytes } from 'node:crypto';

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** The request that carries the answer to a challenge. */
export interface AuthorizedRequest {
  readonly method: string;
  readonly uri: string;
}

/** The address without its login. */
export const withoutLogin = (url: string): string => url.replace(/^([a-z]+:\/\/)[^/?#]*@/, '$1');

/** @returns the decoded login of an address; null if it has none */
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

const HASHES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
};

/**
 * The `Authorization` header that answers a `WWW-Authenticate` header, Digest before Basic.
 * @param count how many requests have used this challenge, including this one
 * @returns null when the challenge is of another kind
 */
export function answerChallenge(
  challenges: readonly string[],
  { user, password }: Login,
  { method, uri }: AuthorizedRequest,
  count = 1,
): string | null {
  for (const fields of digestsOf(challenges)) {
    const { realm = '', nonce = '', opaque, algorithm = 'MD5' } = fields;
    const name = algorithm.toUpperCase();
    const isOfSession = name.endsWith('-SESS');
    const hash = HASHES[name.replace(/-SESS$/, '')];
    const qualities = fields.qop?.toLowerCase().split(/[\s,]+/);
    const isCounted = qualities?.includes('auth') ?? false;
    // A quoted name cannot hold control characters. A challenge that also signs the body is not supported.
    if (!hash || /[\p{Cc}]/u.test(user) || (qualities && !isCounted)) continue;
    const of = (...parts: string[]) => createHash(hash).update(parts.join(':')).digest('hex');
    const once = randomBytes(8).toString('hex');
    const nc = count.toString(16).padStart(8, '0');
    const secret = of(user, realm, password);
    const [who, what] = [isOfSession ? of(secret, nonce, once) : secret, of(method, uri)];
    const response = isCounted ? of(who, nonce, nc, once, 'auth', what) : of(who, nonce, what);
    const answer = [
      `username=${quoted(user)}`,
      `realm=${quoted(realm)}`,
      `nonce=${quoted(nonce)}`,
      `uri="${uri}"`,
    ];
    answer.push(`response="${response}"`, `algorithm=${algorithm}`);
    if (opaque !== undefined) answer.push(`opaque=${quoted(opaque)}`);
    if (isCounted) answer.push('qop=auth', `nc=${nc}`);
    if (isCounted || isOfSession) answer.push(`cnonce="${once}"`);
    return `Digest ${answer.join(', ')}`;
  }
  if (!challenges.some((text) => /^basic\b/i.test(text))) return null;
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** A quoted string: a backslash stands before each quote and backslash. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function digestsOf(challenges: readonly string[]): Record<string, string>[] {
  return challenges
    .filter((text) => /^digest\s/i.test(text))
    .map((challenge) =>
      Object.fromEntries(
        [...challenge.matchAll(/(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(
          ([, name = '', text, bare]) => [name.toLowerCase(), text?.replace(/\\(.)/g, '$1') ?? bare ?? ''],
        ),
      ),
    );
}

/** A comma before another challenge, and what may hold commas of its own. */
const QUOTED_OR_NEXT = /"(?:[^"\\]|\\.)*(?:"|$)|,\s*(?=(?:basic|digest)\s)/gi;

/** @param header one `WWW-Authenticate`, which may hold several challenges */
export function challengesIn(header: string): string[] {
  const challenges: string[] = [];
  let from = 0;
  for (const { 0: found, index } of header.matchAll(QUOTED_OR_NEXT)) {
    if (found.startsWith('"')) continue;
    challenges.push(header.slice(from, index).trim());
    from = index + found.length;
  }
  return [...challenges, header.slice(from).trim()];
}

/** How often one request is sent again after a challenge: once, or twice if the nonce was only stale. */
const MAX_ANSWERS = 2;

/** The login of one connection or origin. Every request answers the newest challenge, as in browsers. */
export class Credentials {
  readonly #login: Login | null;
  #challenges: readonly string[] = [];
  #count = 0;

  constructor(login: Login | null) {
    this.#login = login;
  }

  /** The header for the next request; null while there is no challenge. */
  authorization(request: AuthorizedRequest): string | null {
    if (!this.#login || this.#challenges.length === 0) return null;
    return answerChallenge(this.#challenges, this.#login, request, ++this.#count);
  }

  /** Requests from now on go over another connection. What the other side left unread in the one before it never counted. */
  reconnected(): void {
    this.#count = 0;
  }

  /**
   * Stores the challenges of a 401 response.
   * @param answered how often this request was already sent again
   * @returns whether to send it again
   */
  challenged(challenges: readonly string[], answered: number): boolean {
    const isStale = challenges.some((text) => /\bstale\s*=\s*"?true\b/i.test(text));
    if (answered >= (isStale ? MAX_ANSWERS : 1) || !this.#login) return false;
    this.#challenges = challenges;
    this.#count = 0;
    return answerChallenge(challenges, this.#login, { method: '', uri: '' }) !== null;
  }
}
