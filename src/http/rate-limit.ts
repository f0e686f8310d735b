import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from './errors.ts';

const WINDOW_SECONDS = 60;

/** So many points a minute for each key, counted in this process. */
export class RateLimit {
  readonly #name: string;
  readonly #perMinute: number;
  readonly #limiter: RateLimiterMemory;

  /** @param name of the policy in the RateLimit headers */
  constructor(name: string, perMinute: number) {
    this.#name = name;
    this.#perMinute = perMinute;
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  }

  /**
   * Takes one point and sets the headers RateLimit and RateLimit-Policy.
   * @throws ApiError RATE_LIMITED, with Retry-After set
   */
  async consume(key: string, response: Response): Promise<void> {
    const spent = await this.#limiter.consume(key).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const resetSeconds = Math.ceil(spent.msBeforeNext / 1000);
    response.setHeader('RateLimit-Policy', `"${this.#name}";q=${this.#perMinute};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"${this.#name}";r=${spent.remainingPoints};t=${resetSeconds}`);
    if (spent.consumedPoints <= this.#perMinute) return;
    response.setHeader('Retry-After', String(Math.max(1, resetSeconds)));
    throw new ApiError(
      'RATE_LIMITED',
      `Too many requests: try again in ${Math.max(1, resetSeconds)} seconds`,
    );
  }
}
