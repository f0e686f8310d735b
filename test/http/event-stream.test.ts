import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ApiError } from '../../src/http/errors.ts';
import { type Route, route, type ServerEvent } from '../../src/http/route.ts';
import { eventually } from '../support/eventually.ts';
import { authenticate, type KitOptions, kit } from './support.ts';

const schema = z.strictObject({ id: z.string().optional(), type: z.literal('tick'), data: z.unknown() });

type Events = AsyncIterable<ServerEvent & { type: 'tick' }>;
const stream = (events: (signal: AbortSignal) => Events | Promise<Events>): Route =>
  route({
    name: 'events',
    method: 'get',
    path: '/stream',
    scope: 'scene:read',
    summary: 'events',
    events: schema,
  }).answers(async ({ signal }) => events(signal));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function open(only: Route, options?: KitOptions): Promise<IncomingMessage> {
  const server = createServer(kit([only], options));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const url = `http://127.0.0.1:${port}/api/v1/stream`;
    get(url, { headers: { authorization: 'Bearer good' } }, resolve).on('error', reject);
  });
}

/** The text without the line that says when to connect again after a lost connection. */
async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text.replace(/^retry: [1-3]\d{3}\n/, '');
}

/** Waits until it is told to end; then says so. */
function silent(): { events: (signal: AbortSignal) => AsyncIterable<never>; ended: Promise<void> } {
  let tell: () => void;
  const ended = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return {
    ended,
    async *events(signal) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      tell();
    },
  };
}

describe('server-sent events', () => {
  test('events arrive one by one in the order of the source', async () => {
    const response = await open(
      stream(async function* () {
        yield { id: '1', type: 'tick', data: { text: 'two\nlines' } };
        yield { type: 'tick', data: null };
      }),
    );
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(await textOf(response)).toBe(
      ': open\n\nid: 1\nevent: tick\ndata: {"text":"two\\nlines"}\n\nevent: tick\ndata: null\n\n',
    );
  });

  test('an error before the first event is a normal error answer', async () => {
    const refused = route({
      name: 'events',
      method: 'get',
      path: '/stream',
      scope: 'scene:read',
      summary: 'events',
      events: schema,
    }).answers(async () => {
      throw new ApiError('NOT_FOUND', 'Device not found');
    });
    const response = await open(refused);
    expect(response.statusCode).toBe(404);
    expect(JSON.parse(await textOf(response))).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  test('the source ends when the client disconnects', async () => {
    const { events, ended } = silent();
    const response = await open(stream(events));
    response.destroy();
    await ended;
  });

  test('the source ends also when the client has disconnected before it begins, and nothing is logged as an error', async () => {
    let arrive: () => void;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    let leave: () => void;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    let hasEnded = false;
    const source = stream(async (signal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      hasEnded = true;
      signal.throwIfAborted();
      return silent().events(signal);
    });
    const logLines: string[] = [];
    const server = createServer(
      kit([source], {
        logLines,
        async authenticate(client) {
          arrive();
          await left;
          return authenticate(client);
        },
      }),
    );
    servers.push(server);
    server.on('connection', (socket) => socket.once('close', () => setImmediate(leave)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/api/v1/stream`;
    const request = get(url, { headers: { authorization: 'Bearer good' } }).on('error', () => undefined);
    await arrived;
    request.destroy();
    await eventually('the source ends', () => hasEnded);
    expect(logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  test('the event stream ends when the program stops', async () => {
    const { events, ended } = silent();
    const stopping = new AbortController();
    const response = await open(stream(events), { stopping: stopping.signal });
    stopping.abort();
    expect(await textOf(response)).toBe(': open\n\n');
    await ended;
  });

  test('an idle event stream sends heartbeats and ends when its key is revoked', async () => {
    let revoked = false;
    const { events, ended } = silent();
    const response = await open(stream(events), {
      heartbeatMs: 5,
      authenticate: async (authorization) => (revoked ? null : authenticate(authorization)),
    });
    for await (const chunk of response) if (String(chunk).includes(': alive')) revoked = true;
    await ended;
    expect(revoked).toBe(true);
  });

  test('the source waits for a slow client', async () => {
    let made = 0;
    const block = 'x'.repeat(64 * 1024);
    const response = await open(
      stream(async function* () {
        while (made < 1000) {
          made += 1;
          yield { type: 'tick', data: block };
        }
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    const whileNobodyRead = made;
    expect((await textOf(response)).length).toBeGreaterThan(1000 * block.length);
    expect(whileNobodyRead).toBeLessThan(500);
  });

  test('an error of the source after the start closes the connection and is logged', async () => {
    const logLines: string[] = [];
    const response = await open(
      stream(async function* () {
        yield { type: 'tick', data: 1 };
        throw new Error('source broke');
      }),
      { logLines },
    );
    await expect(textOf(response)).rejects.toThrow('aborted');
    expect(logLines.join()).toContain('source broke');
  });
});
