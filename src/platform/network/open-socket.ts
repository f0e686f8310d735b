import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface SocketTarget {
  /** The IP address that was checked. */
  readonly address: string;
  readonly port: number;
  /** Host name for TLS; null: no TLS. */
  readonly tlsName: string | null;
}

/**
 * A connection to a camera. Its certificate is not checked, because most cameras sign their own.
 * @param signal destroys the socket at any time
 * @throws Error with a code; ABORT_ERR or a TimeoutError when `signal` aborts first
 */
export function openSocket({ address, port, tlsName }: SocketTarget, signal?: AbortSignal): Promise<Socket> {
  const options = { host: address, port, noDelay: true, ...(signal && { signal }) };
  return new Promise((resolve, reject) => {
    const servername = tlsName === null || isIP(tlsName) ? {} : { servername: tlsName };
    const socket: Socket =
      tlsName === null
        ? connect(options, () => resolve(socket))
        : connectTls({ ...options, ...servername, rejectUnauthorized: false }, () => resolve(socket));
    if (tlsName !== null) signal?.addEventListener('abort', () => socket.destroy(signal.reason as Error));
    socket.on('error', reject);
  });
}
