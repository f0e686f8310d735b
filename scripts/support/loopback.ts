import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Starts to listen, by default on loopback. @param port 0 takes a free one @returns the port */
export async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Ends an HTTP server and its connections. */
export function closeServer(server: Server & { closeAllConnections(): void }): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** @returns `preferred` if it is free on loopback, else a free port */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer();
  const port = await listen(server, preferred).catch(() => listen(server));
  await new Promise((resolve) => server.close(resolve));
  return port;
}
