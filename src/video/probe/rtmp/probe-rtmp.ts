import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FaultKind } from '../../camera-fault.ts';
import { type Finding, fault } from '../finding.ts';
import { type AmfValue, readAmf, writeAmf } from './amf.ts';
import { ChunkReader, KIND, type RtmpMessage, writeMessage } from './chunks.ts';

/** In the handshake each side sends a version and so many bytes, and then returns the bytes of the other side. */
const HANDSHAKE_BYTES = 1_536;
const VERSION = 3;
/** More than servers send before the first frame begins. */
const MAX_BYTES = 2 * 1024 * 1024;
const LIVE = -2_000;
const COMMANDS = { channel: 3, stream: 0 };

/** Servers accept to play a stream that nobody sends yet. */
const UNPUBLISHED = fault('unpublished');
/** What the status codes of servers mean. The first match counts. */
const STATUS_FAULTS: readonly (readonly [code: RegExp, kind: FaultKind])[] = [
  [/StreamNotFound|InvalidApp|Play\.Failed/i, 'no_such_stream'],
  [/Rejected|Closed|Denied|Unauthorized/i, 'access_denied'],
];

/** Splits a path into application and stream in the same way as ffmpeg. @param path without the first slash */
export function rtmpNames(path: string): { app: string; stream: string } {
  const [first = '', second, ...others] = path.split('/');
  if (second === undefined) return { app: first, stream: '' };
  if (others.length === 0 || second.includes(':'))
    return { app: first, stream: [second, ...others].join('/') };
  return { app: `${first}/${second}`, stream: others.join('/') };
}

/**
 * Asks a server to play a stream until it has described a video or sent the beginning of a frame.
 * @param address without a login
 * @returns `host` when the server accepts the connection and does not continue
 */
export async function probeRtmp(socket: Socket, address: URL): Promise<Finding> {
  const { app, stream } = rtmpNames(address.pathname.slice(1) + address.search);
  const playing = new Playing(socket, { app, stream, url: `rtmp://${address.host}/${app}` });
  try {
    for await (const part of socket as AsyncIterable<Buffer>) {
      const finding = playing.read(part);
      if (finding) return finding;
    }
  } catch (error) {
    if (error instanceof RangeError) return fault('not_a_video');
    if ((error as Error).name !== 'AbortError') throw error;
    return playing.isAccepted ? UNPUBLISHED : { what: 'host' };
  }
  if (playing.isAccepted) return UNPUBLISHED;
  throw Object.assign(new Error('the server closed the connection'), { code: 'ECONNRESET' });
}

interface Names {
  readonly app: string;
  readonly stream: string;
  readonly url: string;
}

class Playing {
  readonly #socket: Socket;
  readonly #names: Names;
  readonly #chunks = new ChunkReader((message) => {
    this.#finding ??= this.#message(message);
  });
  #handshake: Buffer | null = Buffer.alloc(0);
  #bytes = 0;
  #finding: Finding | null = null;
  isAccepted = false;

  constructor(socket: Socket, names: Names) {
    this.#socket = socket;
    this.#names = names;
    const empty = Buffer.alloc(8);
    socket.write(Buffer.concat([Buffer.from([VERSION]), empty, randomBytes(HANDSHAKE_BYTES - empty.length)]));
  }

  /** @throws RangeError when it is no RTMP */
  read(part: Buffer): Finding | null {
    this.#bytes += part.length;
    if (this.#bytes > MAX_BYTES) return { what: 'host' };
    if (this.#handshake === null) {
      this.#chunks.push(part);
      return this.#finding;
    }
    this.#handshake = Buffer.concat([this.#handshake, part]);
    if (this.#handshake[0] !== VERSION) throw new RangeError('another version');
    const whole = 1 + 2 * HANDSHAKE_BYTES;
    if (this.#handshake.length < whole) return null;
    this.#socket.write(this.#handshake.subarray(1, 1 + HANDSHAKE_BYTES));
    this.#connect();
    const rest = this.#handshake.subarray(whole);
    this.#handshake = null;
    this.#chunks.push(rest);
    return this.#finding;
  }

  #connect(): void {
    const { app, url } = this.#names;
    const client = { app, type: 'nonprivate', flashVer: 'LNX 9,0,124,2', tcUrl: url, fpad: false };
    const able = { capabilities: 15, audioCodecs: 4_071, videoCodecs: 252, videoFunction: 1 };
    this.#command(['connect', 1, { ...client, ...able }]);
  }

  #command(values: readonly AmfValue[], where = COMMANDS): void {
    this.#socket.write(writeMessage(KIND.command, writeAmf(values), where));
  }

  #message({ kind, body }: RtmpMessage): Finding | null {
    if (kind === KIND.video) return { what: 'video' };
    const [name, transaction, , info] = readAmf(body);
    if (kind === KIND.data) return describesVideo(readAmf(body)) ? { what: 'video' } : null;
    if (name === '_result' && transaction === 1) this.#command(['createStream', 2, null]);
    else if (name === '_result' && transaction === 2 && typeof info === 'number') {
      const where = { channel: 8, stream: info >>> 0 };
      this.#command(['play', 3, null, this.#names.stream, LIVE], where);
    } else if (name === '_error' || name === 'onStatus' || name === 'close') return this.#status(name, info);
    return null;
  }

  #status(name: string, info: AmfValue | undefined): Finding | null {
    const { code, description, level } = (typeof info === 'object' ? info : null) ?? {};
    const words = `${String(code)} ${String(description)}`;
    if (/^NetStream\.Play\.(?:Start|Reset)/.test(words)) this.isAccepted = true;
    if (name === 'onStatus' && level !== 'error') return null;
    // RTMP has logins of its own, which ffmpeg knows. This says nothing about the video.
    if (/auth/i.test(words) && !/authoriz/i.test(words)) return { what: 'host' };
    return fault(STATUS_FAULTS.find(([code]) => code.test(words))?.[1] ?? 'request_refused');
  }
}

/** Whether the metadata names a video. */
function describesVideo(values: readonly AmfValue[]): boolean {
  return values.some(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      ((value.videocodecid ?? null) !== null || (typeof value.width === 'number' && value.width > 0)),
  );
}
