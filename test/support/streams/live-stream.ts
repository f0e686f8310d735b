import { get, type IncomingMessage } from 'node:http';
import { eventually } from '../eventually.ts';

export interface LivePart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly capturedAtMs: number;
  /** Tracks by scene: id, zone, left, top, right, bottom. */
  readonly tracks: Readonly<Record<string, readonly [number, string | null, ...number[]][]>>;
}

export interface LiveStream {
  readonly status: number;
  /** Every part so far. */
  readonly parts: readonly LivePart[];
  /** Of an error its body. */
  readonly text: string;
  /** Resolves when the answer has ended. */
  readonly ended: Promise<void>;
  /** Waits until so many parts have come. @returns the newest */
  until(count: number): Promise<LivePart>;
  /** Reads nothing until `resume`. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Opens live pictures and parses their parts. Fails when something besides parts is in the answer. */
export async function openLive(url: string, headers: Record<string, string>): Promise<LiveStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on('error', reject);
  });
  const boundary = /boundary=(\S+)/.exec(response.headers['content-type'] ?? '')?.[1];
  const parts: LivePart[] = [];
  let rest = Buffer.alloc(0);
  response.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (boundary) {
      const part = readPart(rest, boundary);
      if (!part) break;
      parts.push(part.read);
      rest = rest.subarray(part.bytes);
    }
  });
  const ended = new Promise<void>((resolve) => response.once('close', () => resolve()));
  response.on('error', () => undefined);
  const stream: LiveStream = {
    status: response.statusCode!,
    parts,
    get text() {
      return rest.toString();
    },
    ended,
    async until(count) {
      await eventually(`${count} parts have come`, () => parts.length >= count);
      return parts.at(-1)!;
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  };
  if (stream.status !== 200) await ended;
  return stream;
}

/** @returns null when the part is not complete */
function readPart(data: Buffer, boundary: string): { read: LivePart; bytes: number } | null {
  const opening = `--${boundary}\r\n`;
  const headEnd = data.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = data.toString('latin1', 0, headEnd);
  if (!head.startsWith(opening)) throw new Error(`No part begins with ${JSON.stringify(head.slice(0, 80))}.`);
  const headers = Object.fromEntries(
    head
      .slice(opening.length)
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const end = headEnd + 4 + Number(headers['Content-Length']);
  // The next boundary comes with the part.
  if (data.length < end + 2 + opening.length) return null;
  if (data.toString('latin1', end, end + 4) !== '\r\n--')
    throw new Error('A part is not as long as it says.');
  return {
    bytes: end + 2,
    read: {
      headers,
      body: data.subarray(headEnd + 4, end),
      capturedAtMs: Date.parse(headers['X-Captured-At'] ?? ''),
      tracks: JSON.parse(headers['X-Tracks'] ?? '{}') as LivePart['tracks'],
    },
  };
}
