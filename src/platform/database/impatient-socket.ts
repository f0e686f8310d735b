import { Socket } from 'node:net';

/** Longer than any statement may take. A node pauses its runs by its own clock before their leases of 15 s end. */
export const SILENCE_MS = 15_000;

/**
 * A socket to the database that closes when no data arrives for `silenceMs`. After a cut cable or a firewall change the system
 * would notice only after many minutes. `query_timeout` is not enough, because it leaves the dead connection in the pool.
 */
export function impatientSocket(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => {
    const error = new Error(`The database was silent for ${silenceMs / 1000} s.`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
}
