import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { closeServer, listen } from '../../../support/loopback.ts';
import { readClock } from './burnt-clock.ts';
import { FILM_FPS, type Films } from './films.ts';
import { TransportStream } from './transport-stream.ts';

const FRAME_MS = 1000 / FILM_FPS;
/** Between two looks which frames are due. */
const TICK_MS = 4;
/** Cameras show the same film, each from another frame on, and none sends at the moment of another. */
const FRAMES_APART = 37.3;

/** Somebody who reads a camera. */
interface Reader {
  readonly response: ServerResponse;
  readonly stream: TransportStream;
  readonly camera: number;
  /** The frame that comes next; null: the next key frame. */
  next: number | null;
}

/**
 * Cameras that send a film as MPEG-TS over HTTP, each by its own clock whether or not somebody reads: who comes gets the frames from
 * the next key frame on, and what a reader does not take waits for it.
 */
export class LiveCameras {
  readonly #streams: Readonly<Record<keyof Films, TransportStream | null>>;
  readonly #zeroMs = now();
  readonly #readers = new Set<Reader>();
  readonly #server: Server;
  readonly #timer: NodeJS.Timeout;
  #port = 0;

  private constructor(streams: Readonly<Record<keyof Films, TransportStream | null>>) {
    this.#streams = streams;
    this.#server = createServer((request, response) => {
      const [, camera, name] = /^\/(\d+)\/(main|second)$/.exec(request.url ?? '') ?? [];
      const stream = this.#streams[name as keyof Films];
      if (!stream) return response.writeHead(404).end();
      response.writeHead(200, { 'Content-Type': 'video/mp2t' });
      const reader = { response, stream, camera: Number(camera), next: null };
      this.#readers.add(reader);
      response.on('error', () => undefined).on('close', () => this.#readers.delete(reader));
    });
    this.#timer = setInterval(() => this.#send(), TICK_MS);
  }

  static async open(films: Films): Promise<LiveCameras> {
    const read = async (film: string | null) =>
      film === null ? null : new TransportStream(await readFile(film));
    const cameras = new LiveCameras({ main: await read(films.main), second: await read(films.second) });
    cameras.#port = await listen(cameras.#server);
    return cameras;
  }

  url(camera: number, stream: keyof Films): string {
    return `http://127.0.0.1:${this.#port}/${camera}/${stream}`;
  }

  /**
   * How old a frame was when the product gave it its time.
   * @param jpeg a picture of this camera @param capturedAtMs its time
   */
  async lagMs(camera: number, jpeg: Uint8Array, capturedAtMs: number): Promise<number> {
    const frames = this.#streams.main!.frames;
    const shown = await readClock(jpeg);
    if (shown >= frames)
      throw new Error(`A picture shows frame ${shown} of ${frames}: its clock cannot be read.`);
    const newest = this.#newest(camera, capturedAtMs);
    const behind = (((newest - shown) % frames) + frames) % frames;
    return capturedAtMs - this.#sentMs(camera, newest - behind);
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return closeServer(this.#server);
  }

  /** The frame that a camera has sent last. */
  #newest(camera: number, atMs: number): number {
    return Math.floor((atMs - this.#zeroMs) / FRAME_MS + camera * FRAMES_APART);
  }

  #sentMs(camera: number, frame: number): number {
    return this.#zeroMs + (frame - camera * FRAMES_APART) * FRAME_MS;
  }

  #send(): void {
    const nowMs = now();
    for (const reader of this.#readers) {
      const newest = this.#newest(reader.camera, nowMs);
      for (let frame = reader.next ?? newest; frame <= newest; frame++) {
        if (reader.next === null && !reader.stream.isKey(frame)) continue;
        reader.next = frame + 1;
        reader.response.write(reader.stream.bytes(frame));
      }
    }
  }
}

/** Without the steps of the system's clock. */
const now = (): number => performance.timeOrigin + performance.now();
