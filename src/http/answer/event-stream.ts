import { randomInt } from 'node:crypto';
import type { ServerEvent } from '../route.ts';
import type { EndlessFormat } from './endless.ts';

/** A client whose connection is lost waits this long; not all the same time, because a restart loses all of them at once. */
const LEAST_RETRY_MS = 1_000;
const MOST_RETRY_MS = 4_000;

/** Server-sent events. Heartbeats are comments. */
export const EVENT_STREAM: EndlessFormat<ServerEvent> = {
  contentType: 'text/event-stream; charset=utf-8',
  opening: () => `retry: ${randomInt(LEAST_RETRY_MS, MOST_RETRY_MS)}\n: open\n\n`,
  closing: '',
  // JSON contains no line break.
  write: ({ id, type, data }) =>
    `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
  heartbeat: () => ': alive\n\n',
};
