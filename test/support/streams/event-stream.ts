import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { eventually } from '../eventually.ts';

export interface SentEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export interface EventStream {
  readonly status: number;
  /** Every event so far. */
  readonly events: readonly SentEvent[];
  /** What came besides events: of an error its body. */
  readonly text: string;
  /** True once the server has ended it. */
  readonly hasEnded: boolean;
  /** Waits until so many events of a type have come. @returns them */
  of(type: string, count?: number): Promise<SentEvent[]>;
  close(): void;
}

export interface StreamServer {
  /** @param path with query, below /api/v1 */
  open(path: string, headers: Record<string, string>): Promise<EventStream>;
  close(): Promise<void>;
}

/** An API process of its own that streams can be opened on. */
export async function serveStreams(app: Express): Promise<StreamServer> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    async open(path, headers) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`http://127.0.0.1:${port}/api/v1${path}`, { headers }, resolve).on('error', reject);
      });
      return follow(response);
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function follow(response: IncomingMessage): Promise<EventStream> {
  const events: SentEvent[] = [];
  let text = '';
  let hasEnded = false;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parse(text.slice(0, end));
      if (event) events.push(event);
      text = text.slice(end + 2);
    }
  });
  response.once('close', () => {
    hasEnded = true;
  });
  const stream: EventStream = {
    status: response.statusCode!,
    events,
    get text() {
      return text;
    },
    get hasEnded() {
      return hasEnded;
    },
    of: (type, count = 1) =>
      eventually(`${count} ${type} on the stream`, () => {
        const found = events.filter((event) => event.type === type);
        return found.length >= count && found;
      }),
    close: () => void response.destroy(),
  };
  if (stream.status !== 200) await eventually('the error is read', () => hasEnded);
  return stream;
}

function parse(block: string): SentEvent | null {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const type = field('event');
  return type === undefined ? null : { id: field('id'), type, data: JSON.parse(field('data')!) };
}
