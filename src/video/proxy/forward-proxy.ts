import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AddressInfo, isIP } from 'node:net';
import { pipeline } from 'node:stream';
import { faultWords } from '../../platform/network/connection-faults.ts';
import { Credentials, challengesIn, type Login } from '../../platform/network/credentials.ts';
import { type NetworkGuard, RefusedAddress } from '../../platform/network/network-guard.ts';
import { canonicalHost } from '../../platform/network/network-policy.ts';
import { meantAddress, plainAddress } from '../../platform/network/tls-address.ts';
import { PLAYLIST_BEGINNING, plainPlaylist } from './playlist.ts';

export interface ForwardProxy {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  close(): Promise<void>;
}

const CONNECT_MS = 10_000;
const MAX_PLAYLIST_BYTES = 2 * 1024 * 1024;
/** Of one hop only, or ours to say. */
const NOT_PASSED_ON =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|accept-encoding|proxy-.*)$/i;

/** The address that a proxy is for; its login goes to no other place. */
export interface ProxiedStream {
  /** Without a login. */
  readonly url: URL;
  readonly login: Login | null;
}

/** What every request of one stream is made with. */
interface Way {
  readonly guard: NetworkGuard;
  readonly stream: ProxiedStream;
  readonly credentials: Credentials;
}

/**
 * The only way of a stream's HTTP out of this machine: every playlist, segment and redirect comes by, is looked up
 * and checked anew, and is connected to at the number that was checked. ffmpeg knows neither the login of the stream nor
 * the query of its address: both are added here.
 */
export async function startForwardProxy(guard: NetworkGuard, stream: ProxiedStream): Promise<ForwardProxy> {
  const way = { guard, stream, credentials: new Credentials(stream.login) };
  const server = createServer({ insecureHTTPParser: true }, (asked, answer) => {
    forward(way, asked, answer).catch((error: unknown) => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502, faultWords(error)).end();
    });
  });
  // A tunnel would hide what goes through it.
  server.on('connect', (_asked, socket) => socket.end('HTTP/1.1 405 Method Not Allowed\r\n\r\n'));
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(way: Way, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  if (!URL.canParse(asked.url ?? '')) {
    answer.writeHead(400).end();
    return;
  }
  const target = meantAddress(new URL(asked.url!));
  const { url } = way.stream;
  const isOwn = target.origin === url.origin;
  if (isOwn && target.pathname === url.pathname && target.search === '') target.search = url.search;
  const response = await fetchWithLogin(way, { target, isOwn, asked, answer });
  const headers = passedOn(response.headers);
  // Whoever could answer it has done so here.
  if (isOwn) delete headers['www-authenticate'];
  if (response.headers.location !== undefined)
    headers.location = plainLocation(response.headers.location, target);
  const status = response.statusCode ?? 502;
  const beginning = await readBeginning(response, PLAYLIST_BEGINNING.length);
  if (beginning.subarray(0, PLAYLIST_BEGINNING.length).equals(PLAYLIST_BEGINNING)) {
    const text = plainPlaylist(await readPlaylist(response, beginning));
    if (text === null) throw new RefusedAddress('names addresses that are no web addresses');
    delete headers['content-length'];
    answer.writeHead(status, headers).end(text);
    return;
  }
  answer.writeHead(status, headers);
  answer.write(beginning);
  // A stream that breaks off breaks off for ffmpeg too.
  pipeline(response, answer, () => undefined);
}

interface Fetched {
  readonly target: URL;
  /** It is where the login belongs. */
  readonly isOwn: boolean;
  readonly asked: IncomingMessage;
  readonly answer: ServerResponse;
}

async function fetchWithLogin({ guard, credentials }: Way, fetched: Fetched): Promise<IncomingMessage> {
  const { target, isOwn, asked } = fetched;
  const what = { method: asked.method ?? 'GET', uri: target.pathname + target.search };
  for (let answered = 0; ; answered++) {
    const authorization = isOwn ? credentials.authorization(what) : null;
    const response = await fetchFrom(guard, fetched, authorization);
    const challenges = challengesIn(response.headers['www-authenticate'] ?? '');
    if (!isOwn || response.statusCode !== 401 || !credentials.challenged(challenges, answered))
      return response;
    response.destroy();
  }
}

async function fetchFrom(
  guard: NetworkGuard,
  { target, asked, answer }: Fetched,
  authorization: string | null,
): Promise<IncomingMessage> {
  const isTls = target.protocol === 'https:';
  if (!isTls && target.protocol !== 'http:') throw Object.assign(new Error('not HTTP'), { code: 'EPIPE' });
  const host = canonicalHost(target.hostname) ?? '';
  const port = Number(target.port || (isTls ? 443 : 80));
  const { address } = await guard.resolve(host, port);
  return new Promise((resolve, reject) => {
    const request = (isTls ? httpsRequest : httpRequest)({
      ...{ host: address, port, method: asked.method, path: target.pathname + target.search },
      headers: {
        ...passedOn(asked.headers),
        ...{ host: target.host, ...(authorization !== null && { authorization }) },
      },
      agent: false,
      setHost: false,
      insecureHTTPParser: true,
      // Cameras sign their certificates themselves; ffmpeg would not look at them either.
      ...(isTls && { rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host }) }),
    });
    request.setTimeout(CONNECT_MS, () =>
      request.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
    );
    request.once('response', (response) => {
      // From now on ffmpeg's own patience counts.
      request.setTimeout(0);
      resolve(response);
    });
    request.once('error', reject);
    answer.once('close', () => request.destroy());
    asked.resume();
    request.end();
  });
}

function passedOn(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !NOT_PASSED_ON.test(name),
  );
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}

function plainLocation(location: string, from: URL): string {
  if (!URL.canParse(location, from.href)) throw new RefusedAddress('leads to an address that is none');
  const to = new URL(location, from.href);
  if (to.protocol === 'https:') return plainAddress(to);
  if (to.protocol !== 'http:') throw new RefusedAddress('leads to an address that is no web address');
  return to.href;
}

/** @returns at least so many bytes, fewer where there are no more */
async function readBeginning(response: IncomingMessage, bytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let read = 0;
  while (read < bytes && !response.readableEnded && !response.destroyed) {
    const part = response.read() as Buffer | null;
    if (part) {
      parts.push(part);
      read += part.length;
    } else {
      const over = new AbortController();
      const { signal } = over;
      await Promise.race(['readable', 'end', 'close'].map((event) => once(response, event, { signal })))
        .catch(() => undefined)
        .finally(() => over.abort());
    }
  }
  return Buffer.concat(parts);
}

async function readPlaylist(response: IncomingMessage, beginning: Buffer): Promise<string> {
  const parts = [beginning];
  let bytes = 0;
  if (!response.readableEnded) {
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > MAX_PLAYLIST_BYTES) throw new Error('The playlist is too long.');
      parts.push(part);
    }
  }
  return Buffer.concat(parts).toString('utf8');
}
