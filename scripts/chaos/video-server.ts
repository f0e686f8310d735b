import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shopFrames } from '../../src/simulator/shop-frames.ts';
import { findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { startEncoder } from '../support/start-encoder.ts';

const FPS = 10;
const SECONDS = 30;
/** Of the simulated shop: people stand in line all the time. */
const SEED = 1;
const FROM_SECONDS = 120;

export type Shown = 'shop' | 'black' | 'frozen';

/** A camera as H.264 in MPEG-TS over HTTP: the simulated shop again and again, or nothing, or one picture of it. */
export class VideoServer {
  readonly #folder: string;
  readonly #ffmpeg: string;
  readonly #server: Server;
  readonly #readers = new Map<ServerResponse, ChildProcess>();
  #shown: Shown = 'shop';

  private constructor(folder: string, ffmpeg: string) {
    this.#folder = folder;
    this.#ffmpeg = ffmpeg;
    this.#server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'video/mp2t' });
      response.on('error', () => undefined);
      response.on('close', () => this.#leave(response));
      this.#play(response);
    });
  }

  static async open(): Promise<VideoServer> {
    const folder = await mkdtemp(join(tmpdir(), 'chaos-video-'));
    const { ffmpeg } = await findFfmpeg({});
    const server = new VideoServer(folder, ffmpeg.path);
    await server.#draw();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on it shows this, on the same connections. */
  show(shown: Shown): void {
    this.#shown = shown;
    for (const [response, child] of [...this.#readers]) {
      child.kill('SIGKILL');
      this.#play(response);
    }
  }

  async close(): Promise<void> {
    for (const response of [...this.#readers.keys()]) this.#leave(response);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true });
  }

  #play(response: ServerResponse): void {
    const child = spawn(this.#ffmpeg, this.#argv(), { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#readers.set(response, child);
    child.on('error', () => response.destroy());
    child.stdout!.pipe(response, { end: false });
  }

  #argv(): string[] {
    const shop = join(this.#folder, 'shop.mp4');
    const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', String(2 * FPS)];
    const shows: Record<Shown, string[]> = {
      shop: ['-stream_loop', '-1', '-i', shop],
      black: ['-f', 'lavfi', '-i', `color=black:size=1280x720:rate=${FPS}`],
      frozen: ['-loop', '1', '-framerate', String(FPS), '-i', join(this.#folder, 'still.png')],
    };
    const size = ['-vf', 'scale=640:360', '-pix_fmt', 'yuv420p', '-b:v', '1500k'];
    return ['-loglevel', 'error', '-re', ...shows[this.#shown], ...size, ...encode, '-f', 'mpegts', 'pipe:1'];
  }

  #leave(response: ServerResponse): void {
    this.#readers.get(response)?.kill('SIGKILL');
    this.#readers.delete(response);
  }

  async #draw(): Promise<void> {
    const shop = shopFrames({ seed: SEED, fps: FPS });
    const { width, height } = shop;
    const file = join(this.#folder, 'shop.mp4');
    const encoder = startEncoder(this.#ffmpeg, file, { width, height, fps: FPS });
    const buffer = new Uint8Array(width * height * 3);
    for (let index = 0; index < SECONDS * FPS; index++) {
      const timeMs = FROM_SECONDS * 1000 + (index * 1000) / FPS;
      await shop.prepare(timeMs);
      shop.frame(timeMs, buffer);
      await encoder.write(buffer);
    }
    await encoder.end();
    const still = spawn(this.#ffmpeg, [
      '-loglevel',
      'error',
      '-i',
      file,
      '-frames:v',
      '1',
      join(this.#folder, 'still.png'),
    ]);
    await once(still, 'close');
  }
}
