import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The longest time in which the body of a request must arrive. An upload has no such limit. */
const BODY_MS = 60_000;

const TOO_LATE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Closes connections whose request body does not arrive in time. Node's own limit (`requestTimeout`) holds for all requests of
 * a server, and an upload may take hours. Call it before anybody else listens for requests.
 */
export function limitBodyTime(server: Server, bodyMs = BODY_MS): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const close = () => (response.headersSent ? request.destroy() : request.socket.end(TOO_LATE));
    const timer = setTimeout(close, bodyMs).unref();
    timers.set(request, timer);
    request.once('close', () => clearTimeout(timer));
  });
}

/** Lifts the limit for a request: whoever reads its body limits the time. */
export function liftBodyTime(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}
