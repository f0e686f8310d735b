import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { Credentials, challengesIn, type Login } from '../../platform/network/credentials.ts';
import { listenOnLoopback } from '../../platform/network/loopback.ts';
import { type NetworkGuard, RefusedAddress } from '../../platform/network/network-guard.ts';
import { meantAddress, plainAddress } from '../../platform/network/tls-address.ts';
import { type Traffic, trafficOf } from '../../platform/network/unread-bytes.ts';
import { faultPhrase } from '../camera-fault.ts';
import { cameraRequest } from '../camera-request.ts';
import { PLAYLIST_BEGINNING, plainPlaylist } from './playlist.ts';

export interface ForwardProxy {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** From the camera to ffmpeg. */
  traffic(): Traffic;
  close(): Promise<void>;
}

const CONNECT_MS = 10_000;
const MAX_PLAYLIST_BYTES = 2 * 1024 * 1024;
/** Headers that concern one connection only, or that the proxy sets itself. */
const NOT_PASSED_ON =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|accept-encoding|proxy-.*)$/i;

/** The stream that a proxy serves. Its login is sent to its own origin only. */
export interface ProxiedStream {
  /** Without a login. */
  readonly url: URL;
  readonly login: Login | null;
}

/** What all requests of one stream share. */
interface Upstream {
  readonly guard: NetworkGuard;
  readonly stream: ProxiedStream;
  readonly credentials: Credentials;
}

/**
 * The only way of a stream's HTTP out of this machine. Each playlist, segment and redirect is looked up and checked, and
 * connected to at the IP address that was checked. The proxy adds the login and the query of the stream's address, which
 * ffmpeg does not know.
 */
export async function startForwardProxy(guard: NetworkGuard, stream: ProxiedStream): Promise<ForwardProxy> {
  const upstream = { guard, stream, credentials: new Credentials(stream.login) };
  const server = createServer({ insecureHTTPParser: true }, (asked, answer) => {
    forward(upstream, asked, answer).catch((error: unknown) => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502, faultPhrase(error)).end();
    });
  });
  const clients = new Set<Socket>();
  server.on('connection', (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
  });
  // A tunnel would hide what goes through it.
  server.on('connect', (_asked, socket) => socket.end('HTTP/1.1 405 Method Not Allowed\r\n\r\n'));
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    traffic: () => trafficOf(clients),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(upstream: Upstream, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  if (!URL.canParse(asked.url ?? '')) {
    answer.writeHead(400).end();
    return;
  }
  const target = meantAddress(new URL(asked.url!));
  const { url } = upstream.stream;
  const isOwn = target.origin === url.origin;
  if (isOwn && target.pathname === url.pathname && target.search === '') target.search = url.search;
  const response = await fetchWithLogin(upstream, { target, isOwn, asked, answer });
  const headers = passedOn(response.headers);
  // Challenges were answered here, as far as that is possible.
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
  // When the camera breaks off, the answer to ffmpeg breaks off too.
  pipeline(response, answer, () => undefined);
}

interface Fetched {
  readonly target: URL;
  /** The target has the origin of the stream, so it may get the login. */
  readonly isOwn: boolean;
  readonly asked: IncomingMessage;
  readonly answer: ServerResponse;
}

async function fetchWithLogin({ guard, credentials }: Upstream, fetched: Fetched): Promise<IncomingMessage> {
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
  if (!/^https?:$/.test(target.protocol)) throw new Error('not HTTP');
  const headers = passedOn(asked.headers);
  const request = await cameraRequest(guard, target, { method: asked.method, headers, authorization });
  return new Promise((resolve, reject) => {
    request.setTimeout(CONNECT_MS, () =>
      request.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
    );
    request.once('response', (response) => {
      // From now on ffmpeg's own time limit holds.
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

/** @returns at least so many bytes, or all if there are fewer */
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
