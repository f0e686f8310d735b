import { parseShopAddress, SHOP_ADDRESS_HINT, type ShopAddress } from '../simulator/shop-address.ts';
import type { Drawing } from './drawing.ts';
import { FfmpegSource, type FfmpegSourceOptions } from './ffmpeg/ffmpeg-source.ts';
import type { FrameSource } from './frame-source.ts';
import { StreamError } from './stream-error.ts';
import { parseStreamUrl } from './stream-url.ts';

export type CreateSourceOptions = Omit<FfmpegSourceOptions, 'url' | 'drawing'>;

/**
 * Makes the source for an address: a camera, a file, or the simulated shop (`sim:shop?seed=N&start=SECONDS&scenario=NAME`).
 * It opens nothing yet.
 * @throws StreamError when the scheme of the address is not supported
 */
export function createSource(url: string, options: CreateSourceOptions): FrameSource {
  const { scheme } = parseStreamUrl(url);
  if (scheme !== 'sim') return new FfmpegSource({ ...options, url });
  const shop = parseShopAddress(url);
  if (!shop) throw new StreamError(`"${url}" ${SHOP_ADDRESS_HINT}.`);
  return new FfmpegSource({ ...options, url, drawing: () => openShop({ ...shop, fps: options.fps }) });
}

/** Loaded at first use, because a lane with real cameras needs no drawing. */
async function openShop(shop: ShopAddress & { fps: number }): Promise<Drawing> {
  const { ShopFrames } = await import('../simulator/shop-frames.ts');
  return new ShopFrames(shop);
}
