import type { Queue } from './queue.ts';

/**
 * A queue that connects when it is first wanted, and tries again the next time where that failed: a program can start
 * while the database is away.
 */
export function lazyQueue(start: () => Promise<Queue>): Queue {
  let started: Promise<Queue> | undefined;
  const connected = () => {
    started ??= start().catch((error: unknown) => {
      started = undefined;
      throw error;
    });
    return started;
  };
  return {
    send: async (...sent) => (await connected()).send(...sent),
    work: async (...given) => (await connected()).work(...given),
    check: async () => (await connected()).check(),
    counts: async () => (await connected()).counts(),
    stop: async (timeoutMs) => (await started?.catch(() => undefined))?.stop(timeoutMs),
  };
}
