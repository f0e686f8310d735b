import { once } from 'node:events';
import type { Response } from 'express';

export interface EndlessOptions {
  readonly response: Response;
  /** Aborted when the client disconnects or the program stops. */
  readonly ended: AbortController;
  /** Time between two heartbeats, which keep proxies from closing an idle connection. */
  readonly heartbeatMs: number;
  /** A connection that accepts no data for so long is closed. */
  readonly stuckMs: number;
  /** Called at each heartbeat; the answer ends when it returns false. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/** How one kind of endless answer is written. */
export interface EndlessFormat<Item> {
  readonly contentType: string;
  /** Sent before the first item. */
  readonly opening: () => string;
  /** Sent after the last item. */
  readonly closing: string;
  readonly write: (item: Item) => string | Uint8Array;
  /**
   * Sent at each heartbeat.
   * @param idle the last item, if none was sent since the last heartbeat
   * @returns null for nothing
   */
  readonly heartbeat: (idle: Item | null) => string | Uint8Array | null;
}

/**
 * Sends items at the pace of the client until they end, the client disconnects or the program stops. While the client takes
 * no data, no item is asked for.
 */
export async function sendEndless<Item>(
  items: AsyncIterable<Item>,
  format: EndlessFormat<Item>,
  { response, ended, heartbeatMs, stuckMs, isStillAllowed }: EndlessOptions,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': format.contentType,
    'Cache-Control': 'no-store',
    // Without this, nginx holds data back until its buffer is full.
    'X-Accel-Buffering': 'no',
  });
  response.setTimeout(stuckMs, () => response.destroy());
  if (response.req.method === 'HEAD') ended.abort();
  response.write(format.opening());
  let last: Item | null = null;
  let isIdle = true;
  const heartbeat = setInterval(async () => {
    if (!(await isStillAllowed().catch(() => true))) return ended.abort();
    // Only now: a newer item may have been sent meanwhile.
    const sign = format.heartbeat(isIdle ? last : null);
    isIdle = true;
    if (sign !== null && !response.writableNeedDrain && !ended.signal.aborted) response.write(sign);
  }, heartbeatMs);
  const { signal } = ended;
  const end = whenAborted(signal);
  const iterator = items[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), end]);
      if (!next || next.done) break;
      last = next.value;
      isIdle = false;
      if (!response.write(format.write(last))) await once(response, 'drain', { signal }).catch(() => {});
    }
  } finally {
    clearInterval(heartbeat);
    ended.abort();
    // Not awaited: a generator that waits for its next item ends only with that item or by the signal.
    iterator.return?.().catch(() => {});
  }
  response.end(format.closing);
}

const whenAborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
