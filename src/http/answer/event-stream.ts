import { once } from 'node:events';
import type { Response } from 'express';
import type { ServerEvent } from '../route.ts';

/** A connection that accepts no data for so long is closed. */
const STUCK_MS = 30_000;

export interface EventStreamOptions {
  readonly response: Response;
  /** Aborted when the client disconnects or the program stops. */
  readonly ended: AbortController;
  /** Time between two heartbeat comments, which keep proxies from closing an idle event stream. */
  readonly heartbeatMs: number;
  /** Called at each heartbeat; the event stream ends when it returns false. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/** Sends events at the pace of the client until they end, the client disconnects or the program stops. */
export async function sendEvents(
  events: AsyncIterable<ServerEvent>,
  { response, ended, heartbeatMs, isStillAllowed }: EventStreamOptions,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Without this, nginx holds events back until its buffer is full.
    'X-Accel-Buffering': 'no',
  });
  response.setTimeout(STUCK_MS, () => response.destroy());
  response.write(': open\n\n');
  const heartbeat = setInterval(async () => {
    if (!(await isStillAllowed().catch(() => true))) return ended.abort();
    if (!response.writableNeedDrain) response.write(': alive\n\n');
  }, heartbeatMs);
  const { signal } = ended;
  const end = whenAborted(signal);
  const iterator = events[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), end]);
      if (!next || next.done) break;
      if (!response.write(frame(next.value))) await once(response, 'drain', { signal }).catch(() => {});
    }
  } finally {
    clearInterval(heartbeat);
    ended.abort();
    // Not awaited: a generator that waits for its next event ends only with that event or by the signal.
    iterator.return?.().catch(() => {});
  }
  response.end();
}

/** The text of one event; JSON contains no line break. */
const frame = ({ id, type, data }: ServerEvent) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

const whenAborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
