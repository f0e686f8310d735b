import { connect } from 'node:net';

/** What it is, its bytes, and what the answer begins with; null: there need be none. */
export type RawRequest = readonly [what: string, bytes: (key: string) => string[], expected: RegExp | null];

const post = (key: string, ...headers: string[]) =>
  [
    'POST /api/v1/scenes HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
  ]
    .concat(headers, '', '')
    .join('\r\n');
const get = (key: string, ...headers: string[]) =>
  ['GET /api/v1/scenes HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`]
    .concat(headers, '', '')
    .join('\r\n');

const BAD = /^HTTP\/1\.1 400 /;

/** What no client library sends; each part is a packet of its own. */
export const RAW_REQUESTS: readonly RawRequest[] = [
  ['a body that ends before its length', (key) => [post(key, 'Content-Length: 100'), '{"name":'], null],
  ['a body of which nothing comes', (key) => [post(key, 'Content-Length: 100')], null],
  [
    'a chunked body that breaks off',
    (key) => [post(key, 'Transfer-Encoding: chunked'), '5\r\n{"a":\r\n'],
    null,
  ],
  ['a chunk of no length', (key) => [post(key, 'Transfer-Encoding: chunked'), 'zz\r\n{}\r\n'], BAD],
  [
    'a body over the limit',
    (key) => [post(key, 'Content-Length: 300000'), 'x'.repeat(300_000)],
    /^HTTP\/1\.1 413 /,
  ],
  [
    'a chunked body over the limit',
    (key) => [
      post(key, 'Transfer-Encoding: chunked'),
      `${(300_000).toString(16)}\r\n${'x'.repeat(300_000)}\r\n0\r\n\r\n`,
    ],
    /^HTTP\/1\.1 413 /,
  ],
  ['two lengths', (key) => [post(key, 'Content-Length: 2', 'Content-Length: 3'), '{}'], BAD],
  [
    'a length and chunks',
    (key) => [post(key, 'Content-Length: 2', 'Transfer-Encoding: chunked'), '0\r\n\r\n'],
    BAD,
  ],
  [
    'a body that is not compressed as it says',
    (key) => [post(key, 'Content-Length: 2', 'Content-Encoding: gzip'), '{}'],
    BAD,
  ],
  ['a length that is no number', (key) => [post(key, 'Content-Length: many'), '{}'], BAD],
  ['a NUL in a header', (key) => [get(key, 'X-Thing: a\0b')], BAD],
  ['a header line without a name', (key) => [get(key, ': x')], BAD],
  ['headers over the limit', (key) => [get(key, `X-Thing: ${'x'.repeat(40_000)}`)], /^HTTP\/1\.1 431 /],
  ['no HTTP at all', () => ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'], BAD],
  ['an unknown method', (key) => [get(key).replace('GET', 'BREW')], BAD],
  ['a method no route has', (key) => [get(key).replace('GET', 'PROPFIND')], /^HTTP\/1\.1 405 /],
  ['a path of bytes that are no text', (key) => [get(key).replace('scenes', 'scenes/%ff%fe')], BAD],
  ['an absolute address', (key) => [get(key).replace('/api', 'http://elsewhere/api')], /^HTTP\/1\.1 200 /],
  ['half a request line', () => ['GET /api/v1/sce'], null],
];

/**
 * Sends and gives back what was answered.
 * @param waits for the beginning of an answer before the connection ends; else it ends after the last part
 */
export function exchange(url: string, parts: readonly string[], waits: boolean): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += String(chunk);
      socket.end();
    });
    // A server that has answered may close while we still send.
    socket.on('error', () => undefined).on('close', () => resolve(answer));
    for (const part of parts) socket.write(part, 'latin1');
    if (!waits) socket.end();
  });
}
