import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';

const run = promisify(execFile);
const PICTURES = 20;

/** A camera that sends JPEGs over HTTP to whoever asks, out of memory: many of them cost next to nothing. */
export class CameraServer {
  readonly #pictures: Readonly<Record<'small' | 'large', readonly Buffer[]>>;
  readonly #server: Server;
  readonly #readers = new Set<ServerResponse>();
  readonly #timer: NodeJS.Timeout;
  #count = 0;
  /** What it sends from now on. */
  size: 'small' | 'large' = 'small';

  private constructor(pictures: Readonly<Record<'small' | 'large', readonly Buffer[]>>, fps: number) {
    this.#pictures = pictures;
    this.#server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'multipart/x-mixed-replace;boundary=camera' });
      this.#readers.add(response);
      response.on('error', () => undefined);
      response.on('close', () => this.#readers.delete(response));
    });
    this.#timer = setInterval(() => this.#send(), 1000 / fps);
  }

  /** @param fps pictures a second */
  static async open(fps: number): Promise<CameraServer> {
    const pictures = { small: await drawPictures('640x360'), large: await drawPictures('800x600') };
    const camera = new CameraServer(pictures, fps);
    await new Promise<void>((resolve) => camera.#server.listen(0, '127.0.0.1', resolve));
    return camera;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #send(): void {
    const picture = this.#pictures[this.size][this.#count++ % PICTURES]!;
    const head = `--camera\r\nContent-Type: image/jpeg\r\nContent-Length: ${picture.length}\r\n\r\n`;
    for (const reader of this.#readers) {
      // Whoever does not read gets no queue of pictures.
      if (reader.writableLength > 1_000_000) continue;
      reader.write(head);
      reader.write(picture);
      reader.write('\r\n');
    }
  }
}

async function drawPictures(size: string): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-pictures-'));
  try {
    const { ffmpeg } = await findFfmpeg({});
    const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=10`, '-frames:v', String(PICTURES)];
    await run(ffmpeg.path, ['-loglevel', 'error', ...source, '-q:v', '5', join(folder, '%03d.jpg')]);
    const names = (await readdir(folder)).sort();
    return await Promise.all(names.map((name) => readFile(join(folder, name))));
  } finally {
    await rm(folder, { recursive: true });
  }
}
