import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { isDatabaseAway } from './database-away.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** Tries until the database answers, and logs each attempt that finds none. @throws the reason of `signal` once it is aborted */
export async function whenDatabaseAnswers<Result>(
  logger: Pick<Logger, 'warn'>,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isDatabaseAway(error)) throw error;
      const { message } = error as Error;
      logger.warn(
        `The database of DATABASE_URL does not answer (${message.trim().split('\n').at(-1)}). Trying again in ${pauseMs / 1000} s.`,
      );
      await pause(pauseMs, undefined, { signal });
    }
  }
}
