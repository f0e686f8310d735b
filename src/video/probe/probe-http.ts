import type { IncomingMessage } from 'node:http';
import { Credentials, challengesIn, type Login } from '../../platform/network/credentials.ts';
import type { NetworkGuard } from '../../platform/network/network-guard.ts';
import { cameraRequest } from '../camera-request.ts';
import { type Finding, fault, statusFault } from './finding.ts';
import { entryOf } from './read-playlist.ts';
import {
  BEGINNING_BYTES,
  contentByBeginning,
  contentByType,
  type HttpContent,
  TRANSPORT_STREAM_TYPE,
} from './recognise-video.ts';
import { TransportPackets } from './transport-packets.ts';

/** Requests for one address: redirects, playlists in playlists, challenges. */
const MAX_REQUESTS = 8;
const MAX_PLAYLIST_BYTES = 256 * 1024;
/** More than a key frame of any camera: within as many a packetized part begins. */
const MAX_PACKETS_BYTES = 4 * 1024 * 1024;

const FINDINGS: Readonly<Record<HttpContent, Finding>> = {
  playlist: { what: 'host' },
  video: { what: 'video' },
  audio: fault('no_video'),
  other: fault('not_a_video'),
  unknown: { what: 'host' },
  not_as_typed: fault('not_a_video'),
};

const UNRECOGNISED: readonly HttpContent[] = ['unknown', 'not_as_typed'];

/**
 * Requests a stream and stops as soon as its headers, or else its first bytes, show whether it is a video; of a transport
 * stream, as soon as a frame begins. Of a playlist it reads the beginning of a segment. Each redirect and segment is checked like the first address.
 */
export async function probeHttp(
  guard: NetworkGuard,
  address: URL,
  { login, signal }: { login: Login | null; signal: AbortSignal },
): Promise<Finding> {
  const credentials = new Credentials(login);
  let url = address;
  let answered = 0;
  let isEncrypted = false;
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    if (!/^https?:$/.test(url.protocol)) return fault('address_not_allowed');
    // The login is only for the origin of the address.
    const isOwn = url.origin === address.origin;
    const request = { method: 'GET', uri: url.pathname + url.search };
    const authorization = isOwn ? credentials.authorization(request) : null;
    const { status, headers, content, playlist } = await fetchBeginning(guard, url, {
      authorization,
      signal,
    });
    const isMoved = status >= 300 && status < 400;
    if (isMoved && headers.location && URL.canParse(headers.location, url.href)) {
      url = new URL(headers.location, url.href);
      answered = 0;
      continue;
    }
    const challenges = challengesIn(headers['www-authenticate'] ?? '');
    if (status === 401 && isOwn && credentials.challenged(challenges, answered)) {
      answered++;
      continue;
    }
    if (!isSuccess(status)) return statusFault(status);
    const entry = entryOf(playlist);
    if (entry === null || !URL.canParse(entry.url, url.href))
      return FINDINGS[isEncrypted && UNRECOGNISED.includes(content) ? 'video' : content];
    url = new URL(entry.url, url.href);
    isEncrypted = entry.isEncrypted;
    answered = 0;
  }
  return fault('moved_often');
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

interface Beginning {
  readonly content: HttpContent;
  /** Empty if it is none. */
  readonly playlist: string;
}

async function fetchBeginning(
  guard: NetworkGuard,
  url: URL,
  options: { authorization: string | null; signal: AbortSignal },
): Promise<Beginning & { status: number; headers: IncomingMessage['headers'] }> {
  const request = await cameraRequest(guard, url, { ...options, headers: { accept: '*/*' } });
  return new Promise((resolve, reject) => {
    request.once('response', (response) => {
      // From now on reading the answer fails, and says whether enough of it came.
      request.off('error', reject).on('error', () => undefined);
      const { statusCode: status = 0, headers } = response;
      readBeginning(response)
        .then((beginning) => resolve({ status, headers, ...beginning }), reject)
        .finally(() => request.destroy());
    });
    request.on('error', reject);
    request.end();
  });
}

async function readBeginning(response: IncomingMessage): Promise<Beginning> {
  if (!isSuccess(response.statusCode ?? 0)) return { content: 'unknown', playlist: '' };
  const type = response.headers['content-type'] ?? '';
  let content = contentByType(type);
  if (content !== 'unknown' && content !== 'playlist') return { content, playlist: '' };
  const parts: Buffer[] = [];
  let bytes = 0;
  // One for both loops: a second one would not begin where the first has ended.
  const stream: AsyncIterable<Buffer> = response[Symbol.asyncIterator]();
  for await (const part of stream) {
    parts.push(part);
    bytes += part.length;
    const beginning = Buffer.concat(parts);
    if (content === 'unknown') content = contentByBeginning(beginning);
    const packets = content === 'unknown' ? TransportPackets.find(beginning) : null;
    if (packets) return { content: await contentOf(packets, stream), playlist: '' };
    const isEnough = content === 'playlist' ? bytes >= MAX_PLAYLIST_BYTES : bytes >= BEGINNING_BYTES;
    if (isEnough || (content !== 'unknown' && content !== 'playlist')) break;
  }
  if (content === 'unknown' && bytes > 0 && TRANSPORT_STREAM_TYPE.test(type)) content = 'not_as_typed';
  return { content, playlist: content === 'playlist' ? Buffer.concat(parts).toString() : '' };
}

/** @param rest the bytes after those in `packets` */
async function contentOf(packets: TransportPackets, rest: AsyncIterable<Buffer>): Promise<HttpContent> {
  let { carries } = packets;
  if (carries === 'video') return 'video';
  let bytes = 0;
  try {
    for await (const part of rest) {
      carries = packets.read(part);
      if (carries === 'video') return 'video';
      bytes += part.length;
      if (bytes >= MAX_PACKETS_BYTES) break;
    }
  } catch {
    // The deadline: a camera of few frames may send its next one later.
    return 'unknown';
  }
  return carries === 'nothing' ? 'not_as_typed' : 'unknown';
}
