import { createServer, Server as HttpServer } from 'node:http';
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
  const server = createServer({ requestTimeout: 60_000, keepAliveTimeout: 65_000 });
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
