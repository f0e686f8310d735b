import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { NetworkGuard } from '../../vision/frames/gate/network-guard.ts';
import { canonicalHost } from '../../vision/frames/gate/network-policy.ts';
import { answerChallenge, type Login } from './answer-challenge.ts';

const MAX_REDIRECTS = 5;

/**
 * Asks for a stream and hangs up when its headers are there. Every redirect is checked like the first address.
 * @returns what ffmpeg would say against it; null when it answers well
 */
export async function askHttp(
  guard: NetworkGuard,
  address: URL,
  { login, signal }: { login: Login | null; signal: AbortSignal },
): Promise<string | null> {
  let url = address;
  let authorization: string | null = null;
  for (let asked = 0; asked <= MAX_REDIRECTS; asked++) {
    const { statusCode = 0, headers } = await ask(guard, url, { authorization, signal });
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
      if (authorization === null) return 'server returned 401';
    } else return statusCode >= 200 && statusCode < 300 ? null : `server returned ${statusCode}`;
  }
  return 'server returned too many redirects';
}

async function ask(
  guard: NetworkGuard,
  url: URL,
  { authorization, signal }: { authorization: string | null; signal: AbortSignal },
): Promise<IncomingMessage> {
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
      resolve(response);
      request.destroy();
    });
    request.on('error', reject);
    request.end();
  });
}
