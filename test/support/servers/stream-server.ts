import type { ChildProcess } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { join, normalize } from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { freePort } from '../../../scripts/support/loopback.ts';
import { makeCertificate } from '../../../scripts/webhook-receiver/certificate.ts';
import { endFfmpeg, LIVE_VIDEO, scratchFolder, spawnFfmpeg } from '../ffmpeg.ts';

export interface StreamServer {
  readonly url: string;
  readonly port: number;
  /** How often somebody connected. */
  connections: number;
  close(): Promise<void>;
}

/** Something that listens on loopback and forgets its connections when it is closed. */
export async function listen(
  server: Server,
  path: (port: number) => string,
  onClose?: () => Promise<void>,
): Promise<StreamServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    running.connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const running: StreamServer = {
    url: path(port),
    port,
    connections: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await onClose?.();
    },
  };
  return running;
}

export const serveHttp = (handler: RequestListener, onClose?: () => Promise<void>): Promise<StreamServer> =>
  listen(createServer(handler), (port) => `http://127.0.0.1:${port}/stream`, onClose);

/**
 * A camera over HTTP: every request gets a new ffmpeg's output until one side leaves. `endNewest` ends the newest one.
 * @param argv of each; it writes to `pipe:1`
 */
export async function serveLive(
  contentType: string,
  argv: (request: number) => string[],
): Promise<StreamServer & { endNewest(): void }> {
  const children: ChildProcess[] = [];
  let requests = 0;
  const server = await serveHttp(
    async (_request, response) => {
      const child = spawnFfmpeg(...argv(requests++), 'pipe:1');
      children.push(child);
      response.writeHead(200, { 'Content-Type': contentType });
      child.stdout!.pipe(response);
      response.on('close', () => child.kill('SIGKILL'));
    },
    async () => void (await Promise.all(children.map(endFfmpeg))),
  );
  return Object.assign(server, { endNewest: () => void children.at(-1)?.kill('SIGINT') });
}

/**
 * A camera that sends JPEGs, ten a second.
 * @param images of one reader, in their order; after the last it ends, or says nothing more where it `fallsSilent`
 */
export function serveJpegs(
  images: (request: number) => readonly Buffer[],
  { fallsSilent = false } = {},
): Promise<StreamServer> {
  let requests = 0;
  return serveHttp(async (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'multipart/x-mixed-replace;boundary=camera' });
    for (const image of images(requests++)) {
      response.write(`--camera\r\nContent-Type: image/jpeg\r\nContent-Length: ${image.length}\r\n\r\n`);
      response.write(image);
      response.write('\r\n');
      await sleep(100);
      if (response.destroyed) return;
    }
    if (!fallsSilent) response.end();
  });
}

/** HLS as a camera's server makes it: segments of a second, old ones deleted. */
export async function serveHls(): Promise<StreamServer> {
  const folder = scratchFolder();
  const child = spawnFfmpeg(
    ...LIVE_VIDEO('320x180'),
    // Its segments stay: a reader on a busy machine asks for one long after the playlist named it.
    ...['-f', 'hls', '-hls_time', '0.5', '-hls_list_size', '5', '-hls_flags', 'temp_file'],
    join(folder, 'live.m3u8'),
  );
  while (!existsSync(join(folder, 'live.m3u8'))) await sleep(50);
  const server = createServer((request, response) => {
    const file = createReadStream(join(folder, normalize(`/${request.url ?? ''}`)));
    file.on('error', () => response.writeHead(404).end());
    file.on('open', () => file.pipe(response));
  });
  return listen(
    server,
    (port) => `http://127.0.0.1:${port}/live.m3u8`,
    async () => {
      await endFfmpeg(child);
      await rm(folder, { recursive: true });
    },
  );
}

/** The same behind TLS, with a certificate that no authority has signed. */
export async function overTls(serving: Promise<StreamServer>): Promise<StreamServer> {
  const [inner, { key, certificate }] = await Promise.all([serving, makeCertificate(['camera.test'])]);
  const server = createTlsServer({ key, cert: certificate }, (reader) => {
    const camera = connect(inner.port, '127.0.0.1');
    pipeline(reader, camera, () => undefined);
    pipeline(camera, reader, () => undefined);
  });
  const url = (port: number) => inner.url.replace('://', 's://').replace(String(inner.port), String(port));
  return listen(server, url, () => inner.close());
}

/** RTMP: ffmpeg can serve one reader, so every connection gets an ffmpeg of its own. */
export async function serveRtmp(): Promise<StreamServer> {
  const children: ChildProcess[] = [];
  const server = createTcpServer(async (reader) => {
    reader.pause();
    const port = await freePort();
    const inner = `rtmp://127.0.0.1:${port}/stream`;
    const child = spawnFfmpeg(...LIVE_VIDEO('320x180'), '-f', 'flv', '-listen', '1', inner);
    children.push(child);
    reader.on('close', () => child.kill('SIGKILL'));
    const relay = await connectPatiently(port);
    reader.pipe(relay).pipe(reader);
  });
  return listen(
    server,
    (port) => `rtmp://127.0.0.1:${port}/stream`,
    async () => void (await Promise.all(children.map(endFfmpeg))),
  );
}

async function connectPatiently(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const connected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.on('error', () => {});
    if (connected) return socket;
    await sleep(20);
  }
}

/** A port that takes connections and answers nothing; or says `answer` and then nothing. */
export const serveSilence = (scheme: string, answer?: Buffer | string): Promise<StreamServer> =>
  listen(
    createTcpServer((socket) => {
      socket.on('data', () => {});
      if (answer !== undefined) socket.write(answer);
    }),
    (port) => `${scheme}://127.0.0.1:${port}/stream`,
  );

/** An address where nobody listens. */
export async function refusedUrl(scheme: string): Promise<string> {
  return `${scheme}://127.0.0.1:${await freePort()}/stream`;
}
