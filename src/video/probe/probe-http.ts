import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Credentials, challengesIn, type Login } from '../../platform/network/credentials.ts';
import type { NetworkGuard } from '../../platform/network/network-guard.ts';
import { canonicalHost } from '../../platform/network/network-policy.ts';
import type { Finding } from './finding.ts';
import { entryOf } from './read-playlist.ts';
import { BEGINNING_BYTES, contentByBeginning, contentByType, type HttpContent } from './recognise-video.ts';

/** Questions for one address: redirects, playlists in playlists, challenges. */
const MAX_QUESTIONS = 8;
const MAX_PLAYLIST_BYTES = 256 * 1024;

const SAID: Readonly<Record<HttpContent, Finding>> = {
  playlist: { what: 'host' },
  video: { what: 'video' },
  audio: { what: 'fault', said: 'no video' },
  other: { what: 'fault', said: 'invalid data: not a video' },
  unknown: { what: 'host' },
};

/**
 * Asks for a stream and hangs up as soon as its headers, or else its first bytes, say whether it is a video; of a playlist
 * those of a segment. Every redirect and segment is checked like the first address.
 */
export async function askHttp(
  guard: NetworkGuard,
  address: URL,
  { login, signal }: { login: Login | null; signal: AbortSignal },
): Promise<Finding> {
  const credentials = new Credentials(login);
  let url = address;
  let answered = 0;
  let isEncrypted = false;
  for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
    if (!/^https?:$/.test(url.protocol)) return { what: 'fault', said: 'address not on whitelist' };
    // A password is for the place it was given for.
    const isOwn = url.origin === address.origin;
    const what = { method: 'GET', uri: url.pathname + url.search };
    const authorization = isOwn ? credentials.authorization(what) : null;
    const { statusCode, headers, content, playlist } = await ask(guard, url, { authorization, signal });
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
    const entry = entryOf(playlist);
    if (statusCode >= 200 && statusCode < 300) {
      if (entry === null || !URL.canParse(entry.url, url.href))
        return SAID[isEncrypted && content === 'unknown' ? 'video' : content];
      url = new URL(entry.url, url.href);
      isEncrypted = entry.isEncrypted;
      answered = 0;
      continue;
    }
    return { what: 'fault', said: `server returned ${statusCode}` };
  }
  return { what: 'fault', said: 'server returned too many redirects' };
}

interface Answer {
  readonly statusCode: number;
  readonly headers: IncomingMessage['headers'];
  readonly content: HttpContent;
  /** Its text, where it is one. */
  readonly playlist: string;
}

async function ask(
  guard: NetworkGuard,
  url: URL,
  { authorization, signal }: { authorization: string | null; signal: AbortSignal },
): Promise<Answer> {
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
      const reading = isWanted ? contentOf(response) : Promise.resolve(NOTHING);
      reading
        .then((known) => resolve({ statusCode, headers, ...known }), reject)
        .finally(() => request.destroy());
    });
    request.on('error', reject);
    request.end();
  });
}

const NOTHING = { content: 'unknown', playlist: '' } as const;

async function contentOf(response: IncomingMessage): Promise<Pick<Answer, 'content' | 'playlist'>> {
  let content = contentByType(response.headers['content-type'] ?? '');
  if (content !== 'unknown' && content !== 'playlist') return { content, playlist: '' };
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (content === 'unknown') content = contentByBeginning(Buffer.concat(parts));
    const isEnough = content === 'playlist' ? bytes >= MAX_PLAYLIST_BYTES : bytes >= BEGINNING_BYTES;
    if (isEnough || (content !== 'unknown' && content !== 'playlist')) break;
  }
  return { content, playlist: content === 'playlist' ? Buffer.concat(parts).toString() : '' };
}
