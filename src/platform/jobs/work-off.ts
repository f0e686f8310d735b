import { every } from './every.ts';

/** How many rows were worked on. */
export interface WorkedOff {
  readonly done: number;
  readonly failed: number;
}

export const isWorkedOff = (result: unknown): result is WorkedOff =>
  typeof result === 'object' && result !== null && 'done' in result && 'failed' in result;

/**
 * Claims rows and works on them, `atOnce` at the same time, until none is due. A claim must make its rows due later: what fails comes
 * again then, and what is done no more.
 * @param parts.claim at most so many rows
 * @param parts.failed is told each error, and may change when the row is due again
 */
export async function workOff<Row>(parts: {
  readonly atOnce: number;
  readonly claim: (free: number) => Promise<readonly Row[]>;
  readonly work: (row: Row) => Promise<unknown>;
  readonly failed: (error: unknown, row: Row) => void | Promise<void>;
}): Promise<WorkedOff> {
  const { atOnce, claim, work, failed } = parts;
  const counts = { done: 0, failed: 0 };
  const running = new Set<Promise<void>>();
  const workOn = async (row: Row) => {
    try {
      await work(row);
      counts.done += 1;
    } catch (error) {
      counts.failed += 1;
      try {
        await failed(error, row);
      } catch {
        // As without a database. The row is due again at the end of its claim.
      }
    }
  };
  try {
    for (;;) {
      // What was worked on during a claim may be due again, and the claim did not see it.
      const isIdle = running.size === 0;
      const rows = await claim(atOnce - running.size);
      for (const row of rows) {
        const worked = workOn(row).finally(() => running.delete(worked));
        running.add(worked);
      }
      if (rows.length === 0 && isIdle) return counts;
      if (running.size > 0 && (rows.length === 0 || running.size >= atOnce)) await Promise.race(running);
    }
  } finally {
    // When a claim cannot be made, the others are finished all the same.
    await Promise.allSettled(running);
  }
}

/**
 * Does work whose claim is renewed meanwhile. The signal aborts when `renew` says that another program has the claim.
 * @param parts.failed is told why a claim could not be renewed; the next renewal may succeed
 */
export async function whileHeld<Result>(
  parts: {
    readonly everyMs: number;
    readonly renew: () => Promise<boolean>;
    readonly failed: (error: unknown) => void;
  },
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { everyMs, renew, failed } = parts;
  const lost = new AbortController();
  // The claim has just been made.
  let isNew = true;
  const renewing = every(
    everyMs,
    async () => {
      if (!isNew && !(await renew())) lost.abort();
      isNew = false;
    },
    failed,
  );
  try {
    return await work(lost.signal);
  } finally {
    await renewing.stop();
  }
}
