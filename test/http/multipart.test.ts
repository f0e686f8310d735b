import { createServer, get, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Part } from '../../src/http/part.ts';
import { PARTS, type Route, route } from '../../src/http/route.ts';
import type { Answer } from '../../src/platform/prometheus.ts';
import { openLive } from '../support/streams/live-stream.ts';
import { authenticate, type KitOptions, kit } from './support.ts';

const stream = (parts: (signal: AbortSignal) => AsyncIterable<Part>): Route =>
  route({
    name: 'watch',
    method: 'get',
    path: '/stream',
    scope: 'scene:read',
    summary: 'parts',
    produces: PARTS,
  }).answers(async ({ signal }) => parts(signal));
const part = (text: string) => new Part('text/plain', Buffer.from(text), { 'X-Name': text.slice(0, 9) });
const untilEnd = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});
const HEADERS = { authorization: 'Bearer good' };

async function serve(only: Route, options?: KitOptions): Promise<string> {
  const server = createServer(kit([only], options));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/stream`;
}

describe('multipart answers', () => {
  test('have one part after the other, each with the boundary behind it, and a closing boundary', async () => {
    const url = await serve(
      stream(async function* () {
        yield part('one');
        yield part('two');
      }),
    );
    const response = await new Promise<IncomingMessage>((resolve) => get(url, { headers: HEADERS }, resolve));
    const [, boundary] = /^multipart\/x-mixed-replace; boundary=(part-[0-9a-f-]{36})$/.exec(
      response.headers['content-type']!,
    )!;
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    let text = '';
    for await (const chunk of response) text += String(chunk);
    const of = (body: string) =>
      `Content-Type: text/plain\r\nContent-Length: ${body.length}\r\nX-Name: ${body}\r\n\r\n${body}\r\n--${boundary}\r\n`;
    expect(text).toBe(`--${boundary}\r\n${of('one')}${of('two')}--${boundary}--\r\n`);
  });

  test('have no header of more than one line', () => {
    for (const name of ['a\r\nX-Other: b', 'a\nb', 'é', '\0'])
      expect(() => new Part('text/plain', Buffer.alloc(0), { 'X-Name': name })).toThrow('X-Name');
  });

  test('repeat the last part while nothing new comes, and end when the key is revoked', async () => {
    let isRevoked = false;
    const url = await serve(
      stream(async function* (signal) {
        yield part('only');
        await untilEnd(signal);
      }),
      { heartbeatMs: 5, authenticate: async (given) => (isRevoked ? null : authenticate(given)) },
    );
    const live = await openLive(url, HEADERS);
    expect((await live.until(4)).body.toString()).toBe('only');
    isRevoked = true;
    await expect(live.ended).resolves.toBeUndefined();
  });

  test('repeat no part after a newer one, however long it takes to look at the key', async () => {
    let asks = 0;
    let [onAsked, onSent] = [() => {}, () => {}];
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const sent = new Promise<void>((resolve) => {
      onSent = resolve;
    });
    const url = await serve(
      stream(async function* (signal) {
        yield part('old');
        await asked;
        yield part('new');
        onSent();
        await untilEnd(signal);
      }),
      {
        heartbeatMs: 5,
        authenticate: async (given) => {
          asks += 1;
          // At the second heartbeat: the first has seen that a part was sent.
          if (asks === 3) {
            onAsked();
            await sent;
          }
          return authenticate(given);
        },
      },
    );
    const live = await openLive(url, HEADERS);
    await live.until(8);
    live.close();
    const names = live.parts.map(({ body }) => body.toString());
    expect(names.slice(names.indexOf('new'))).not.toContain('old');
  });

  test('end when the program stops, and their source when the client disconnects', async () => {
    let ends = 0;
    const stopping = new AbortController();
    const url = await serve(
      stream(async function* (signal) {
        yield part('x');
        await untilEnd(signal);
        ends += 1;
      }),
      { stopping: stopping.signal },
    );
    const [left, stopped] = [await openLive(url, HEADERS), await openLive(url, HEADERS)];
    await Promise.all([left.until(1), stopped.until(1)]);
    left.close();
    stopping.abort();
    await stopped.ended;
    expect(stopped.text).toMatch(/--\r\n$/);
    await left.ended;
    expect(ends).toBe(2);
  });

  test('ask for no part while the client reads nothing, and are closed after a time', async () => {
    let made = 0;
    let end = () => {};
    const closed = new Promise<void>((resolve) => {
      end = resolve;
    });
    const block = part('x'.repeat(1024 * 1024));
    const url = await serve(
      stream(async function* (signal) {
        signal.addEventListener('abort', () => end(), { once: true });
        while (made < 500) {
          made += 1;
          yield block;
        }
      }),
      { heartbeatMs: 20, stuckMs: 300 },
    );
    const live = await openLive(url, HEADERS);
    live.pause();
    await closed;
    expect(made).toBeLessThan(100);
    live.close();
  });

  test('HEAD gets the headers alone, and no answer without an end is measured', async () => {
    const answers: Answer[] = [];
    const url = await serve(
      stream(async function* (signal) {
        yield part('x');
        await untilEnd(signal);
      }),
      { observe: (answer) => answers.push(answer) },
    );
    const response = await new Promise<IncomingMessage>((resolve) =>
      request(url, { method: 'HEAD', headers: HEADERS }, resolve).end(),
    );
    expect(response.headers['content-type']).toMatch(/^multipart/);
    response.resume();
    await new Promise((resolve) => response.once('end', resolve));
    expect(answers).toEqual([]);
  });
});
