import type { Response } from 'express';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Db } from '../../platform/database/db.ts';
import { ApiError } from '../errors.ts';

const WINDOW_SECONDS = 60;

export interface RateLimitOptions {
  /** Database in which all API processes count together; default: each process counts by itself. */
  readonly sharedBy?: Db;
  /** Time in which the number of requests is allowed; default 60 s. */
  readonly windowSeconds?: number;
  /** Whether every answer has the headers of the limit, or only a refused one; default true. */
  readonly isShown?: boolean;
}

/** Allows a number of requests per minute, or another time, for each key. */
export class RateLimit {
  readonly #name: string;
  readonly #most: number;
  readonly #windowSeconds: number;
  readonly #limiter: RateLimiterAbstract;

  readonly #isShown: boolean;

  /** @param name name of the policy in the RateLimit headers */
  constructor(name: string, most: number, options: RateLimitOptions = {}) {
    const { sharedBy, isShown = true, windowSeconds = WINDOW_SECONDS } = options;
    this.#windowSeconds = windowSeconds;
    this.#isShown = isShown;
    this.#name = name;
    this.#most = most;
    const limit = { points: most, duration: windowSeconds };
    this.#limiter = sharedBy
      ? new RateLimiterPostgres({
          ...limit,
          keyPrefix: name,
          tableName: 'RateLimit',
          tableCreated: true,
          storeType: 'client',
          storeClient: queriesOf(sharedBy),
        })
      : new RateLimiterMemory(limit);
  }

  /**
   * Counts one request and adds to the headers RateLimit and RateLimit-Policy of the answer.
   * @throws ApiError RATE_LIMITED
   */
  async consume(key: string, response?: Response): Promise<void> {
    const spent = await this.#limiter.consume(key).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const isRefused = spent.consumedPoints > this.#most;
    if (!isRefused && !this.#isShown) return;
    const resetSeconds = Math.ceil(spent.msBeforeNext / 1000);
    response?.appendHeader('RateLimit-Policy', `"${this.#name}";q=${this.#most};w=${this.#windowSeconds}`);
    response?.appendHeader('RateLimit', `"${this.#name}";r=${spent.remainingPoints};t=${resetSeconds}`);
    if (!isRefused) return;
    const retryAfterSeconds = Math.max(1, resetSeconds);
    const message = `Too many requests: try again in ${retryAfterSeconds} seconds`;
    throw new ApiError('RATE_LIMITED', message, [], { retryAfterSeconds });
  }

  /** Undoes the last `consume`, including its headers, when it turns out that the request does not count. */
  async giveBack(key: string, response?: Response): Promise<void> {
    await this.#limiter.reward(key);
    response?.removeHeader('RateLimit-Policy');
    response?.removeHeader('RateLimit');
  }
}

/** Our database connection with the interface of a pg client, as the limiter needs it. */
function queriesOf(db: Db) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const rows = await db.$queryRawUnsafe<{ points: number; expire: bigint }[]>(text, ...values);
      return { rows: rows.map(({ points, expire }) => ({ points, expire: Number(expire) })) };
    },
  };
}
