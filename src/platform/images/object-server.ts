import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from './object-store.ts';

/** How another program of this machine reads an object. */
export interface ReadableObject {
  /** A file, or an `http` address on loopback. */
  readonly scheme: 'file' | 'http';
  /** Path or address. */
  readonly location: string;
}

/**
 * Lets ffmpeg read an object while `use` runs: the file itself, or an object of a bucket through a server on loopback, from
 * which ffmpeg reads the parts that it needs. The address cannot be guessed and ends with `use`.
 * @returns null when there is no such object
 */
export async function withReadable<Result>(
  objects: ObjectStore,
  key: string,
  use: (object: ReadableObject) => Promise<Result>,
): Promise<Result | null> {
  const size = await objects.sizeOf(key);
  if (size === null) return null;
  const file = objects.fileOf(key);
  if (file !== null) return use({ scheme: 'file', location: file });
  const path = `/${randomUUID()}`;
  const server = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    answer(request, response, { objects, key, size }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  try {
    const { port } = server.address() as AddressInfo;
    return await use({ scheme: 'http', location: `http://127.0.0.1:${port}${path}` });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

interface Served {
  readonly objects: ObjectStore;
  readonly key: string;
  readonly size: number;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { objects, key, size }: Served,
): Promise<void> {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const start = Number(from ?? 0);
  const end = Math.min(size - 1, to ? Number(to) : size - 1);
  response.setHeader('Accept-Ranges', 'bytes');
  if (start > end) return void response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
  response.writeHead(from === undefined ? 200 : 206, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': end - start + 1,
    ...(from !== undefined && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  });
  if (request.method === 'HEAD') return void response.end();
  const stream = await objects.read(key, { start, end });
  if (stream === null) throw new Error('The object was removed');
  await pipeline(stream, response);
}
