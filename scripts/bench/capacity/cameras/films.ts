import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../../../src/platform/config.ts';
import { findFfmpeg } from '../../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { writeShopVideo } from '../../../support/footage/recordings.ts';
import { requireVideo } from '../../../support/footage/video-frames.ts';
import { clockFilters, MOST_FRAMES } from './burnt-clock.ts';

export const FILM_FPS = 25;
const SHOP = { seconds: 40, fps: FILM_FPS, seed: 1 };
/** A line that stands for 26 s and moves for 4 s. */
const STANDING = { periodMs: 30_000, movingMs: 4_000, seconds: 60 };
/** Of the longest film: the clock in its pictures has no larger numbers. */
const MOST_SECONDS = Math.floor(MOST_FRAMES / FILM_FPS);

/** The streams of every camera: MPEG-TS files with a clock in each picture. */
export interface Films {
  readonly main: string;
  readonly second: string | null;
}

export interface FilmOptions {
  /** A video file; empty: a simulated shop. */
  readonly video: string;
  /** The people of the simulated shop stand most of the time. */
  readonly standing: boolean;
  /** The main stream has 1920 × 1080 pixels instead of 640 × 360. */
  readonly hd: boolean;
  /** Each camera has a second stream of 640 × 360. */
  readonly secondStreams: boolean;
}

const SMALL = { size: '640:360', rate: '1000k' };
const LARGE = { size: '1920:1080', rate: '4000k' };

/** Makes what the cameras send, as cameras send it: H.264 of a steady rate, a key frame every two seconds, with a little noise. */
export async function makeFilms(
  folder: string,
  options: FilmOptions,
): Promise<Films & { readonly drawn: string }> {
  const { ffmpegPath, ffprobePath } = loadConfig();
  const { ffmpeg } = await findFfmpeg({ ffmpegPath, ffprobePath });
  const drawn = await sourceOf(folder, options);
  const film = async (name: keyof Films, { size, rate }: typeof SMALL) => {
    const out = join(folder, `${name}.ts`);
    const filters = `fps=${FILM_FPS},scale=${size},noise=alls=3:allf=t,${clockFilters()}`;
    const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0', '-g', '50', '-sc_threshold', '0'];
    const steady = ['-b:v', rate, '-maxrate', rate, '-bufsize', rate, '-pix_fmt', 'yuv420p'];
    const input = [
      '-nostdin',
      '-loglevel',
      'error',
      '-y',
      '-i',
      drawn,
      '-t',
      String(MOST_SECONDS),
      '-map',
      '0:v:0',
    ];
    await promisify(execFile)(ffmpeg.path, [
      ...input,
      '-vf',
      filters,
      ...encoder,
      ...steady,
      '-f',
      'mpegts',
      out,
    ]);
    return out;
  };
  const main = await film('main', options.hd ? LARGE : SMALL);
  return { drawn, main, second: options.secondStreams ? await film('second', SMALL) : null };
}

async function sourceOf(folder: string, { video, standing }: FilmOptions): Promise<string> {
  if (video !== '') {
    await requireVideo(video);
    return resolve(video);
  }
  const drawn = join(folder, 'shop.mp4');
  await rm(drawn, { force: true });
  await writeShopVideo(drawn, standing ? { ...SHOP, seconds: STANDING.seconds, shopMs: standingMs } : SHOP);
  return drawn;
}

/** The time of the shop, which stands still for most of each period. */
function standingMs(filmMs: number): number {
  const { periodMs, movingMs } = STANDING;
  return Math.floor(filmMs / periodMs) * movingMs + Math.min(movingMs, filmMs % periodMs);
}
