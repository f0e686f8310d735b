import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, Sender } from '../../../src/delivery/outbox/send.ts';
import { listenOnLoopback } from '../../../src/platform/network/loopback.ts';
import { answering, type TestReceiver, testReceiver } from '../../support/servers/receiver.ts';

const BODY = Buffer.from('{"ü":"\u2028"}');
let receiver: TestReceiver;
let sender: Sender;
beforeAll(async () => {
  receiver = await testReceiver();
  sender = new Sender({ allowedHosts: ['localhost', '127.0.0.1'], caFile: receiver.caFile });
});
afterEach(() => {
  receiver.answer = answering(204);
  receiver.arrived.length = 0;
});
afterAll(async () => {
  sender.close();
  await receiver.stop();
});

/** Longer than any of these tests. */
const LONG_MS = 60_000;
const send = (url = receiver.url, timeoutMs = LONG_MS, by = sender): Promise<Answer> =>
  by.send({ url, body: BODY, headers: { 'X-Test': 'a' }, timeoutMs });

/** A TCP server for what no HTTP server does. */
async function rawServer(
  onConnection: (socket: import('node:net').Socket) => void,
): Promise<Server & { port: number }> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

describe('sending', () => {
  test('sending posts the bytes and returns the answer', async () => {
    receiver.answer = answering(201, { 'retry-after': '7' }, 'ok \0 \u2028');
    expect(await send()).toEqual({
      ...{ httpStatusCode: 201, responseBody: 'ok \ufffd \u2028', retryAfter: '7', errorMessage: null },
      responseTimeMs: expect.any(Number),
    });
    expect(receiver.arrived[0]!.body.equals(BODY)).toBe(true);
    expect(receiver.arrived[0]!.headers).toMatchObject({
      'x-test': 'a',
      'content-length': String(BODY.length),
    });
  });

  test('sending goes without TLS to a host that the operator has named, and to no other', async () => {
    const heard: string[] = [];
    const plain = createHttpServer((request, response) => {
      request.on('data', (chunk) => heard.push(String(chunk)));
      request.on('end', () => response.writeHead(202).end('taken'));
    });
    const port = await listenOnLoopback(plain);
    const url = `http://127.0.0.1:${port}/hook`;
    expect(await send(url)).toMatchObject({ httpStatusCode: 202, responseBody: 'taken', errorMessage: null });
    expect(heard).toEqual([String(BODY)]);
    const strict = new Sender({ allowedHosts: [] });
    const refused = await send(url, LONG_MS, strict);
    expect(refused).toMatchObject({
      httpStatusCode: null,
      errorMessage: expect.stringContaining('WEBHOOK_ALLOW_HOSTS'),
    });
    strict.close();
    plain.closeAllConnections();
    await new Promise((resolve) => plain.close(resolve));
  });

  test('sending keeps 20,000 bytes of an endless answer', async () => {
    receiver.answer = (_arrived, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    const { httpStatusCode, responseBody, errorMessage } = await send();
    expect([httpStatusCode, responseBody?.length, errorMessage]).toEqual([200, 20_000, null]);
  });

  test('sending to a receiver that does not answer ends at the time limit', async () => {
    receiver.answer = () => undefined;
    const answer = await send(receiver.url, 300);
    expect(answer).toMatchObject({
      httpStatusCode: null,
      errorMessage: 'No answer within 300 ms (timeoutMs).',
    });
    expect(answer.responseTimeMs).toBeGreaterThanOrEqual(295);
  });

  test('sending to a receiver that answers byte by byte ends at the time limit', async () => {
    receiver.answer = (_arrived, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    };
    let limitMs = 1_000;
    let answer = await send(receiver.url, limitMs);
    // On a busy machine the answer may not have begun by then.
    while (answer.httpStatusCode === null) {
      limitMs *= 2;
      answer = await send(receiver.url, limitMs);
    }
    expect(answer).toMatchObject({
      ...{ httpStatusCode: 200, responseBody: expect.stringMatching(/^\.+$/) },
      errorMessage: `The answer was not complete within ${limitMs} ms (timeoutMs).`,
    });
    expect(answer.responseTimeMs).toBeGreaterThanOrEqual(limitMs - 5);
  });

  test('sending to a receiver that never starts TLS ends at the time limit', async () => {
    const silent = await rawServer(() => undefined);
    const answer = await send(`https://127.0.0.1:${silent.port}/`, 300);
    expect(answer.errorMessage).toBe('No answer within 300 ms (timeoutMs).');
    silent.close();
  });

  test('sending is repeated at once on a new connection when the reused connection was closed', async () => {
    receiver.answer = (_arrived, response) => {
      // The answer keeps the connection, but the server closes it, as when its idle time ends at that moment.
      response.writeHead(204).end(() => setImmediate(() => response.socket?.destroy()));
    };
    for (let i = 0; i < 20; i++) expect((await send()).errorMessage).toBeNull();
    expect(receiver.arrived.length).toBeGreaterThanOrEqual(20);
  });

  test.each([
    ['a refused connection', 'https://localhost:1/', 'The receiver refuses the connection.'],
    ['another scheme', 'ftp://localhost/', 'url: must be an https:// address'],
    ['no address', 'nonsense', 'url: must be an https:// address'],
  ])('%s leads to a message of one sentence', async (_what, url, words) => {
    expect(await send(url)).toMatchObject({ httpStatusCode: null, responseBody: null, errorMessage: words });
  });

  test.each([
    [
      'closes',
      (socket: import('node:net').Socket) => void socket.destroy(),
      /closed the connection|broke off/,
    ],
    [
      'speaks plain text',
      (socket: import('node:net').Socket) => void socket.end('hello\r\n'),
      /no TLS that we know/,
    ],
  ])('a receiver that %s leads to a message of one sentence', async (_what, onConnection, words) => {
    const server = await rawServer(onConnection);
    expect((await send(`https://127.0.0.1:${server.port}/`)).errorMessage).toMatch(words);
    server.close();
  });

  test('a certificate of an unknown authority is refused', async () => {
    const strict = new Sender({ allowedHosts: ['localhost'] });
    expect((await send(receiver.url, LONG_MS, strict)).errorMessage).toContain('certificate is not trusted');
    expect(receiver.arrived).toEqual([]);
    strict.close();
  });

  test('a certificate for another host name is refused', async () => {
    const other = await testReceiver(['other.example']);
    const by = new Sender({ allowedHosts: ['localhost'], caFile: other.caFile });
    expect((await send(other.url, LONG_MS, by)).errorMessage).toContain('certificate is not trusted');
    by.close();
    await other.stop();
  });

  test('a missing WEBHOOK_CA_FILE is reported at the start', () => {
    expect(() => new Sender({ allowedHosts: [], caFile: '/nowhere.pem' })).toThrow('WEBHOOK_CA_FILE');
  });
});
