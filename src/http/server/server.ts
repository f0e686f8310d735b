import { createServer, Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Express } from 'express';
import { limitBodyTime } from './body-time.ts';

export interface RunningServer {
  /** Address of the server, for example `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Accepts no new connections, finishes running requests (at most `shutdownSeconds`) and closes. */
  stop(): Promise<void>;
}

/** `limitBodyTime` limits the time of a whole request, because uploads have no limit. */
const TIMES = { requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 65_000 };
/** How long idle keep-alive connections stay open at the end, for requests that are already on their way. */
const LAST_REQUEST_MS = 500;

/** @throws Error with the address when it is in use or not available */
export async function startServer(
  app: Express,
  options: { host: string; port: number; shutdownSeconds: number },
): Promise<RunningServer> {
  const { host, port, shutdownSeconds } = options;
  let stopping = false;
  const server = createServer({ ...TIMES, ...classesOf(app) });
  limitBodyTime(server);
  server.on('request', (_request, response) => {
    if (stopping) response.setHeader('Connection', 'close');
  });
  server.on('request', app);
  await listening(server, host, port);

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      stopping = true;
      // http's close() would close idle connections immediately and lose requests that are on their way.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      // Not from the timer itself: a busy process reads what has come before it looks which connections are idle.
      const closeIdle = () => setImmediate(() => server.closeIdleConnections());
      const idle = setTimeout(closeIdle, LAST_REQUEST_MS);
      const rest = setTimeout(() => server.closeAllConnections(), shutdownSeconds * 1000);
      await closed;
      clearTimeout(idle);
      clearTimeout(rest);
      HttpServer.prototype.close.call(server);
    },
  };
}

/**
 * Node's request and response classes with the prototypes of Express. Express sets these prototypes on every request and
 * response; V8 handles objects with a changed prototype slowly, which costs a third of a simple answer. Objects of these
 * classes already have them.
 */
function classesOf(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as typeof app.request;
  app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as typeof app.response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

function listening(server: HttpServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const where = `${host}:${port}`;
      if (error.code === 'EADDRINUSE')
        reject(new Error(`${where} is already in use: set PORT to a free port`));
      else reject(new Error(`Cannot listen on ${where}: ${error.message}`));
    });
    server.listen(port, host, () => resolve());
  });
}
