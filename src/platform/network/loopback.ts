import type { AddressInfo, Server } from 'node:net';

/** Listens on a free port of 127.0.0.1. The server does not keep the process alive. @returns the port */
export function listenOnLoopback(server: Server): Promise<number> {
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
