import { type AddressInfo, connect, createServer, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { CheckedAddress } from './network-guard.ts';

export interface TunnelTarget {
  readonly checked: CheckedAddress;
  readonly port: number;
  /** TLS on the way out, with this name; null: none. */
  readonly tlsName: string | null;
  /** Carries on between ffmpeg and the other side, both connected. */
  readonly join: (client: Socket, camera: Socket) => void;
  readonly timeoutMs: number;
}

export interface Tunnel {
  /** On loopback. */
  readonly port: number;
  close(): void;
}

/** One for the question what a stream is, one for the stream, and those that come back with a password. */
const MAX_CONNECTIONS = 8;

/**
 * A door on loopback that leads to one checked address and nowhere else.
 * @throws Error with a code when it cannot be connected to
 */
export async function openTunnel(target: TunnelTarget): Promise<Tunnel> {
  const sockets = new Set<Socket>();
  // Tried before ffmpeg is started, so that a fault is told as what it is.
  let ready: Socket | null = await connectTo(target);
  let left = MAX_CONNECTIONS;
  const server = createServer((client) => {
    const upstream = ready ? Promise.resolve(ready) : connectTo(target);
    ready = null;
    left -= 1;
    if (left <= 0) server.close();
    sockets.add(client);
    client.on('error', () => client.destroy());
    upstream.then(
      (socket) => {
        sockets.add(socket);
        target.join(client, socket);
      },
      () => client.destroy(),
    );
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      ready?.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function connectTo({ checked, port, tlsName, timeoutMs }: TunnelTarget): Promise<Socket> {
  const where = { host: checked.address, port, noDelay: true };
  return new Promise((resolve, reject) => {
    const servername = tlsName === null || isIP(tlsName) ? undefined : tlsName;
    const socket =
      tlsName === null
        ? connect(where, () => resolved())
        : connectTls({ ...where, rejectUnauthorized: false, ...(servername ? { servername } : {}) }, () =>
            resolved(),
          );
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    );
    const resolved = () => {
      clearTimeout(timer);
      resolve(socket);
    };
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
