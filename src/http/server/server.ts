import { createServer, Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Express } from 'express';

export interface RunningServer {
  /** Where it listens, e.g. `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Takes no new connection, finishes what runs (at most `shutdownSeconds`), ends. */
  stop(): Promise<void>;
}

/** How long an idle keep-alive connection may still send the request that is already on its way. */
const LAST_REQUEST_MS = 500;

/** @throws Error that names the address when it is taken or not ours */
export async function startServer(
  app: Express,
  options: { host: string; port: number; shutdownSeconds: number },
): Promise<RunningServer> {
  const { host, port, shutdownSeconds } = options;
  let stopping = false;
  const server = createServer({ requestTimeout: 60_000, keepAliveTimeout: 65_000, ...classesOf(app) });
  server.on('request', (_request, response) => {
    if (stopping) response.setHeader('Connection', 'close');
  });
  server.on('request', app);
  await listening(server, host, port);

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      stopping = true;
      // http's own close() also cuts idle connections at once, and with them a request that is on its way.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      const idle = setTimeout(() => server.closeIdleConnections(), LAST_REQUEST_MS);
      const rest = setTimeout(() => server.closeAllConnections(), shutdownSeconds * 1000);
      await closed;
      clearTimeout(idle);
      clearTimeout(rest);
      HttpServer.prototype.close.call(server);
    },
  };
}

/**
 * Node's classes with Express' prototypes. Express gives these to every request and answer as they come, and V8 handles
 * objects whose prototype was changed so slowly that it is a third of a simple answer's cost; on ours nothing changes.
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
      if (error.code === 'EADDRINUSE') reject(new Error(`${where} is taken: set PORT to a free port`));
      else reject(new Error(`Cannot listen on ${where}: ${error.message}`));
    });
    server.listen(port, host, () => resolve());
  });
}
