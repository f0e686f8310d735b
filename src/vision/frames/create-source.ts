import type { Drawing } from './drawn-feed.ts';
import { FfmpegSource, type FfmpegSourceOptions } from './ffmpeg-source.ts';
import { type FrameSource, StreamError } from './source.ts';
import { parseStreamUrl } from './stream-url.ts';

export type CreateSourceOptions = Omit<FfmpegSourceOptions, 'url' | 'drawing'>;

/**
 * The source of an address: a camera, a file, or the simulated shop (`sim:shop?seed=N`).
 * Nothing is opened yet.
 * @throws StreamError when the address is of a kind that is not read
 */
export function createSource(url: string, options: CreateSourceOptions): FrameSource {
  const { scheme } = parseStreamUrl(url);
  if (scheme !== 'sim') return new FfmpegSource({ ...options, url });
  const seed = shopSeed(url);
  return new FfmpegSource({ ...options, url, drawing: () => openShop(seed, options.fps) });
}

const DEFAULT_SEED = 1;

function shopSeed(url: string): number {
  const address = new URL(url);
  const seed = Number(address.searchParams.get('seed') ?? DEFAULT_SEED);
  if (address.pathname !== 'shop' || !Number.isInteger(seed) || seed < 0) {
    throw new StreamError(`"${url}" is no simulated camera; write sim:shop?seed=1, the seed a whole number.`);
  }
  return seed;
}

/** Loaded only where it is used: a lane with real cameras needs no drawing. */
async function openShop(seed: number, fps: number): Promise<Drawing> {
  const { shopFrames } = await import('./sim/shop-frames.ts');
  return shopFrames({ seed, fps });
}
