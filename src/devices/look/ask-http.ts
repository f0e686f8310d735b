import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { NetworkGuard } from '../../vision/frames/gate/network-guard.ts';
import { canonicalHost } from '../../vision/frames/gate/network-policy.ts';
import { answerChallenge, type Login } from './answer-challenge.ts';
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
  let url = address;
  let authorization: string | null = null;
  for (let asked = 0; asked <= MAX_REDIRECTS; asked++) {
    const { statusCode, headers, content } = await ask(guard, url, { authorization, signal });
    if (
      statusCode >= 300 &&
      statusCode < 400 &&
      headers.location &&
      URL.canParse(headers.location, url.href)
    ) {
      const next = new URL(headers.location, url.href);
      // A password is for the host it was given for.
      if (next.host !== url.host) authorization = null;
      url = next;
    } else if (statusCode === 401 && login && authorization === null && url.host === address.host) {
      const challenges = headers['www-authenticate']?.split(/,\s*(?=(?:basic|digest)\s)/i) ?? [];
      authorization = answerChallenge(challenges, login, { method: 'GET', uri: url.pathname + url.search });
      if (authorization === null) return { what: 'fault', said: 'server returned 401' };
    } else if (statusCode >= 200 && statusCode < 300) return SAID[content];
    else return { what: 'fault', said: `server returned ${statusCode}` };
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
