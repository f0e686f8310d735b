import type { ServerEvent } from '../route.ts';
import type { EndlessFormat } from './endless.ts';

/** Server-sent events. Heartbeats are comments. */
export const EVENT_STREAM: EndlessFormat<ServerEvent> = {
  contentType: 'text/event-stream; charset=utf-8',
  opening: ': open\n\n',
  closing: '',
  // JSON contains no line break.
  write: ({ id, type, data }) =>
    `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
  heartbeat: () => ': alive\n\n',
};
