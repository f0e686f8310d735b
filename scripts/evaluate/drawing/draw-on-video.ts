import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import { loadConfig } from '../../../src/platform/config.ts';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { probeWithFfprobe } from '../../../src/video/probe/ffprobe.ts';
import { parseStreamUrl } from '../../../src/video/stream-url.ts';
import { requireVideo } from '../../support/footage/video-frames.ts';

const PROBE_TIMEOUT_MS = 15_000;
/** ffmpeg writes much about a damaged video. */
const LOG_CHARACTERS = 2000;

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Drawings {
  /** Drawings a second; the last one stays until the end. */
  readonly fps: number;
  readonly count: number;
  /** SVG elements of one drawing, for an image of this size in pixels. */
  readonly at: (index: number, size: Size) => string;
  readonly onDrawn?: (index: number) => void;
}

/**
 * Writes a copy of a video with drawings over it. The copy has the times and the frame rate of the video.
 * @throws Error that says what to do: video missing or unreadable, copy not writable
 */
export async function drawOnVideo(video: string, out: string, drawings: Drawings): Promise<void> {
  await requireVideo(video);
  if (resolve(video) === resolve(out)) throw new Error('--out is the video itself; give another file.');
  const { ffmpegPath, ffprobePath } = loadConfig();
  const binaries = await findFfmpeg({ ffmpegPath, ffprobePath });
  const address = parseStreamUrl(video);
  const { videoIndex, ...shown } = await probeWithFfprobe({ address, binaries, timeoutMs: PROBE_TIMEOUT_MS });
  // The encoder accepts only even sizes.
  const size = { width: even(shown.width), height: even(shown.height) };
  const drawn = `[0:v:${videoIndex}]scale=${size.width}:${size.height},setsar=1[video];[video][1:v]overlay`;
  const argv = [
    ...['-loglevel', 'error', '-y', '-i', address.input],
    ...['-f', 'image2pipe', '-c:v', 'png', '-framerate', `${drawings.fps}`, '-i', 'pipe:0'],
    ...['-filter_complex', drawn, '-an', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20'],
    ...['-pix_fmt', 'yuv420p', out],
  ];
  const child = spawn(binaries.ffmpeg.path, argv, { stdio: ['pipe', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log = `${log}${chunk}`.slice(-LOG_CHARACTERS);
  });
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  try {
    // Where ffmpeg ends early its exit code says so; the broken pipe says nothing.
    await pipeline(Readable.from(pictures(drawings, size)), child.stdin).catch(() => {});
    const [code] = await closed;
    if (code !== 0) throw new Error(`ffmpeg could not write ${out}: ${log.trim().slice(-500) || 'it ended'}`);
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
  }
}

async function* pictures({ count, at, onDrawn }: Drawings, size: Size): AsyncGenerator<Buffer> {
  const { width, height } = size;
  for (let index = 0; index < count; index++) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${at(index, size)}</svg>`;
    yield await sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer();
    onDrawn?.(index);
  }
}

const even = (pixels: number): number => pixels - (pixels % 2);
