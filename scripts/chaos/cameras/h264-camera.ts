import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ShopFrames } from '../../../src/simulator/shop-frames.ts';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { encodeVideo } from '../../support/footage/start-encoder.ts';
import { closeServer, listen } from '../../support/loopback.ts';

const FPS = 10;
const SECONDS = 30;
/** Of the simulated shop: from this time on people stand in line. */
const FROM_SECONDS = 120;
const SEED = 1;

/** What the camera shows: the simulated shop in a loop, black frames, or one frame of the shop. */
export type Shown = 'shop' | 'black' | 'frozen';

/** A camera that sends H.264 in MPEG-TS over HTTP. */
export interface H264Camera {
  readonly port: number;
  /** From now on it shows this, over the same connections. */
  show(shown: Shown): void;
  close(): Promise<void>;
}

export async function openH264Camera(): Promise<H264Camera> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-video-'));
  const { path: ffmpeg } = (await findFfmpeg({})).ffmpeg;
  const inputs = await drawInputs(ffmpeg, folder);
  const readers = new Map<ServerResponse, ChildProcess>();
  let shown: Shown = 'shop';

  const play = (response: ServerResponse) => {
    const child = spawn(ffmpeg, argumentsOf(inputs[shown], shown), { stdio: ['ignore', 'pipe', 'ignore'] });
    readers.set(response, child);
    child.on('error', () => response.destroy());
    child.stdout.pipe(response, { end: false });
  };
  const leave = (response: ServerResponse) => {
    readers.get(response)?.kill('SIGKILL');
    readers.delete(response);
  };
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp2t' });
    response.on('error', () => undefined);
    response.on('close', () => leave(response));
    play(response);
  });
  return {
    port: await listen(server),
    show(next) {
      shown = next;
      for (const [response, child] of [...readers]) {
        child.kill('SIGKILL');
        play(response);
      }
    },
    async close() {
      for (const response of [...readers.keys()]) leave(response);
      await closeServer(server);
      await rm(folder, { recursive: true });
    },
  };
}

const argumentsOf = (input: readonly string[], shown: Shown): string[] => [
  ...['-loglevel', 'error', '-re', ...input, '-vf', 'scale=640:360', '-pix_fmt', 'yuv420p'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency'],
  // A hanging camera repeats the same bits. Between key frames of variable quality the decoded frames would differ.
  ...(shown === 'frozen' ? ['-g', '1', '-qp', '23'] : ['-b:v', '1500k', '-g', String(2 * FPS)]),
  ...['-f', 'mpegts', 'pipe:1'],
];

/** Draws the shop. @returns ffmpeg's input arguments for all that the camera can show */
async function drawInputs(ffmpeg: string, folder: string): Promise<Record<Shown, readonly string[]>> {
  const video = join(folder, 'shop.mp4');
  const frame = join(folder, 'frame.png');
  const shop = new ShopFrames({ seed: SEED, fps: FPS });
  const { width, height } = shop;
  const format = { width, height, fps: FPS, frames: SECONDS * FPS };
  await encodeVideo(ffmpeg, video, format, async (ms, pixels) => {
    const timeMs = FROM_SECONDS * 1000 + ms;
    await shop.prepare(timeMs);
    shop.frame(timeMs, pixels);
  });
  await promisify(execFile)(ffmpeg, ['-loglevel', 'error', '-i', video, '-frames:v', '1', frame]);
  return {
    shop: ['-stream_loop', '-1', '-i', video],
    black: ['-f', 'lavfi', '-i', `color=black:size=1280x720:rate=${FPS}`],
    frozen: ['-loop', '1', '-framerate', String(FPS), '-i', frame],
  };
}
