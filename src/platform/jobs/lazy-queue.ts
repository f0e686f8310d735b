import type { Queue } from './queue.ts';

/**
 * A queue that connects at its first use. When that fails, the next use tries again, so a program can start while the
 * database cannot be reached.
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
    schedule: async (...given) => (await connected()).schedule(...given),
    work: async (...given) => (await connected()).work(...given),
    check: async () => (await connected()).check(),
    counts: async () => (await connected()).counts(),
    stop: async (timeoutMs) => (await started?.catch(() => undefined))?.stop(timeoutMs),
  };
}
