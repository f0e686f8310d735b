import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { closeServer, listen } from '../../support/loopback.ts';
import { withTemporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const FRAMES = 20;
const SIZES = { small: '640x360', large: '800x600' } as const;
type Size = keyof typeof SIZES;
type Frames = Readonly<Record<Size, readonly Buffer[]>>;
/** A reader with more unread bytes misses frames. */
const MAX_UNREAD_BYTES = 1_000_000;

/** A camera that sends JPEGs from memory over HTTP to any number of readers, at hardly any cost. */
export interface JpegCamera {
  readonly port: number;
  /** The frame size that it sends from now on. */
  size: Size;
  close(): Promise<void>;
}

/** @param fps frames a second @param wantedPort 0: a free one */
export async function openJpegCamera(fps: number, wantedPort = 0): Promise<JpegCamera> {
  const frames: Frames = { small: await drawFrames(SIZES.small), large: await drawFrames(SIZES.large) };
  const readers = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'multipart/x-mixed-replace;boundary=camera' });
    readers.add(response);
    response.on('error', () => undefined);
    response.on('close', () => readers.delete(response));
  });
  const port = await listen(server, wantedPort);
  let sent = 0;
  const timer = setInterval(() => send(readers, frames[camera.size][sent++ % FRAMES]!), 1000 / fps);
  const camera: JpegCamera = {
    ...{ port, size: 'small' },
    close() {
      clearInterval(timer);
      return closeServer(server);
    },
  };
  return camera;
}

function send(readers: Iterable<ServerResponse>, frame: Buffer): void {
  for (const reader of readers) {
    if (reader.writableLength > MAX_UNREAD_BYTES) continue;
    reader.write(`--camera\r\nContent-Type: image/jpeg\r\nContent-Length: ${frame.length}\r\n\r\n`);
    reader.write(frame);
    reader.write('\r\n');
  }
}

const drawFrames = (size: string): Promise<Buffer[]> =>
  withTemporaryFolder('chaos-frames', async (folder) => {
    const { ffmpeg } = await findFfmpeg({});
    const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=10`, '-frames:v', String(FRAMES)];
    await run(ffmpeg.path, ['-loglevel', 'error', ...source, '-q:v', '5', join(folder, '%03d.jpg')]);
    const names = (await readdir(folder)).sort();
    return Promise.all(names.map((name) => readFile(join(folder, name))));
  });
