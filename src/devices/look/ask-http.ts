import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Credentials, challengesIn, type Login } from '../../vision/frames/gate/credentials.ts';
import type { NetworkGuard } from '../../vision/frames/gate/network-guard.ts';
import { canonicalHost } from '../../vision/frames/gate/network-policy.ts';
import { BEGINNING_BYTES, contentByBeginning, contentByType, type HttpContent } from './recognise-video.ts';
import type { Seen } from './seen.ts';

const MAX_REDIRECTS = 5;

const SAID: Readonly<Record<HttpContent, Seen>> = {
  video: { what: 'video' },
  audio: { what: 'fault', said: 'no video' },
  other: { what: 'fault', said: 'invalid data: not a video' },
  unknown: { what: 'host' },
};

/**
 * Asks for a stream and hangs up as soon as its headers, or else its first bytes, say whether it is a video. Every
 * redirect is checked like the first address.
 */
export async function askHttp(
  guard: NetworkGuard,
  address: URL,
  { login, signal }: { login: Login | null; signal: AbortSignal },
): Promise<Seen> {
  const credentials = new Credentials(login);
  let url = address;
  let answered = 0;
  for (let asked = 0; asked <= MAX_REDIRECTS; asked++) {
    // A password is for the place it was given for.
    const isOwn = url.origin === address.origin;
    const what = { method: 'GET', uri: url.pathname + url.search };
    const authorization = isOwn ? credentials.authorization(what) : null;
    const { statusCode, headers, content } = await ask(guard, url, { authorization, signal });
    const isMoved = statusCode >= 300 && statusCode < 400;
    if (isMoved && headers.location && URL.canParse(headers.location, url.href)) {
      url = new URL(headers.location, url.href);
      answered = 0;
      continue;
    }
    const challenges = challengesIn(headers['www-authenticate'] ?? '');
    if (statusCode === 401 && isOwn && credentials.challenged(challenges, answered)) {
      answered++;
      continue;
    }
    if (statusCode >= 200 && statusCode < 300) return SAID[content];
    return { what: 'fault', said: `server returned ${statusCode}` };
  }
  return { what: 'fault', said: 'server returned too many redirects' };
}

async function ask(
  guard: NetworkGuard,
  url: URL,
  { authorization, signal }: { authorization: string | null; signal: AbortSignal },
): Promise<{ statusCode: number; headers: IncomingMessage['headers']; content: HttpContent }> {
  const isTls = url.protocol === 'https:';
  const host = canonicalHost(url.hostname) ?? '';
  const port = Number(url.port || (isTls ? 443 : 80));
  const { address } = await guard.resolve(host, port);
  return new Promise((resolve, reject) => {
    const request = (isTls ? httpsRequest : httpRequest)({
      ...{ host: address, port, path: url.pathname + url.search, agent: false, setHost: false, signal },
      headers: { host: url.host, accept: '*/*', ...(authorization && { authorization }) },
      insecureHTTPParser: true,
      ...(isTls && { rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host }) }),
    });
    request.once('response', (response) => {
      const { statusCode = 0, headers } = response;
      const isWanted = statusCode >= 200 && statusCode < 300;
      const content = isWanted ? contentOf(response) : Promise.resolve('unknown' as const);
      content
        .then((known) => resolve({ statusCode, headers, content: known }), reject)
        .finally(() => request.destroy());
    });
    request.on('error', reject);
    request.end();
  });
}

async function contentOf(response: IncomingMessage): Promise<HttpContent> {
  const told = contentByType(response.headers['content-type'] ?? '');
  if (told !== 'unknown') return told;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    const seen = contentByBeginning(Buffer.concat(parts));
    if (seen !== 'unknown' || bytes >= BEGINNING_BYTES) return seen;
  }
  return 'unknown';
}
