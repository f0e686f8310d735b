import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { liftBodyTime, limitBodyTime } from '../../src/http/server/body-time.ts';

const BODY_MS = 50;

/** Answers when the body has arrived; `/upload` may take its time. */
const server = createServer();
limitBodyTime(server, BODY_MS);
server.on('request', (request, response) => {
  if (request.url === '/upload') liftBodyTime(request);
  request.on('data', () => undefined).on('end', () => response.end('whole'));
  request.on('error', () => undefined);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => void server.close());

/** Begins a request whose body has five bytes; `send` sends more of it. @returns what was answered when the connection ends */
function begin(path: string): { send(text: string): void; readonly answer: Promise<string> } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('error', () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\n12`);
  return {
    send: (text) => void socket.write(text),
    answer: new Promise((resolve) => {
      socket.on('data', (text) => {
        answer += String(text);
      });
      socket.on('close', () => resolve(answer));
    }),
  };
}

test('a body that does not arrive in time is refused, and the connection closed', async () => {
  expect(await begin('/').answer).toMatch(/^HTTP\/1\.1 408 /);
});

test('an upload may take longer', async () => {
  const upload = begin('/upload');
  // The limit of this one began later.
  const other = begin('/');
  await other.answer;
  upload.send('345');
  expect(await upload.answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*whole/);
});

test('a body that arrives is not limited afterwards', async () => {
  const request = begin('/');
  request.send('345');
  expect(await request.answer).toMatch(/^HTTP\/1\.1 200 /);
});
