import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { BOUNDARY, OPENING, Part } from '../../../src/http/part.ts';

const SIZE = { width: 960, height: 540 };
/** The most that a client can ask for. */
const PICTURES_PER_SECOND = 15;

interface Crowd {
  readonly baseUrl: string;
  readonly sceneId: string;
  readonly people: number;
}

export interface CrowdServer {
  readonly url: string;
  readonly sent: () => number;
  stop(): void;
}

/** Passes every call on to the API, but sends live pictures of its own: so many people, who all move in each picture. */
export async function serveCrowd(crowd: Crowd): Promise<CrowdServer> {
  const jpeg = await sharp({
    create: { ...SIZE, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 128, sigma: 12 } },
  })
    .jpeg({ quality: 75 })
    .toBuffer();
  let sent = 0;
  const timers = new Set<NodeJS.Timeout>();
  const send = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': `multipart/x-mixed-replace; boundary=${BOUNDARY}` });
    response.write(OPENING);
    const timer = setInterval(() => {
      sent += 1;
      response.write(new Part('image/jpeg', jpeg, headersOf(crowd, sent)).bytes);
    }, 1000 / PICTURES_PER_SECOND);
    timers.add(timer);
    response.on('close', () => clearInterval(timer));
  };
  const server: Server = createServer((asked, response) => {
    if (/^\/api\/v1\/devices\/[^/]+\/live/.test(asked.url ?? '')) return send(response);
    const { port, hostname } = new URL(crowd.baseUrl);
    const options = { port, hostname, path: asked.url, method: asked.method, headers: asked.headers };
    const passed = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    stop() {
      for (const timer of timers) clearInterval(timer);
      server.close().closeAllConnections();
    },
  };
}

function headersOf({ sceneId, people }: Crowd, number: number): Record<string, string> {
  const tracks = Array.from({ length: people }, (_, at) => {
    const left = ((at * 37 + number) % 90) / 100;
    const top = ((at * 13 + number) % 60) / 100;
    return [at, at % 3 === 0 ? 'queue' : at % 3 === 1 ? 'checkout' : null, left, top, left + 0.06, top + 0.3];
  });
  return {
    'X-Captured-At': new Date().toISOString(),
    'X-Live': 'frames',
    'X-Tracks': JSON.stringify({ [sceneId]: tracks }),
  };
}
