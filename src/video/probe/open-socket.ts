import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface SocketTarget {
  /** Number that was checked. */
  readonly address: string;
  readonly port: number;
  /** With TLS to this host; null: plain. */
  readonly tlsHost: string | null;
  /** Ends it at any time. */
  readonly signal: AbortSignal;
}

/** @throws Error with a code when it cannot be connected to */
export function openSocket({ address, port, tlsHost, signal }: SocketTarget): Promise<Socket> {
  const where = { host: address, port, signal };
  return new Promise((resolve, reject) => {
    const servername = tlsHost !== null && !isIP(tlsHost) ? { servername: tlsHost } : {};
    // Cameras sign their certificates themselves.
    const socket: Socket =
      tlsHost === null
        ? connect(where, () => resolve(socket))
        : connectTls({ ...where, ...servername, rejectUnauthorized: false }, () => resolve(socket));
    if (tlsHost !== null) signal.addEventListener('abort', () => socket.destroy(signal.reason as Error));
    socket.on('error', reject);
  });
}
