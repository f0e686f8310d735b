import type { Config } from '../../platform/config.ts';
import { type FfmpegBinaries, findFfmpeg } from '../../video/ffmpeg/ffmpeg-binaries.ts';
import { CameraProxies } from '../../video/proxy/camera-proxies.ts';
import type { CameraProxy } from '../../video/proxy/camera-proxy.ts';
import { networkPolicy } from './camera-network.ts';

/** How a program reaches cameras: a camera proxy for each user's networks, and ffmpeg. */
export class CameraAccess {
  readonly #config: Config;
  readonly #proxies: CameraProxies;
  #binaries: Promise<FfmpegBinaries> | null = null;

  constructor(config: Config) {
    this.#config = config;
    this.#proxies = new CameraProxies(networkPolicy(config));
  }

  /** @param networks of the user; empty if they have none of their own */
  proxyFor(networks: readonly string[]): CameraProxy {
    return this.#proxies.of(networks);
  }

  /** Searches until ffmpeg was found once. */
  binaries(): Promise<FfmpegBinaries> {
    const { ffmpegPath, ffprobePath } = this.#config;
    this.#binaries ??= findFfmpeg({ ffmpegPath, ffprobePath }).catch((error: unknown) => {
      this.#binaries = null;
      throw error;
    });
    return this.#binaries;
  }
}

/** For `Context.shared`. */
export const makeCameraAccess = ({ config }: { readonly config: Config }): CameraAccess =>
  new CameraAccess(config);
