import { Socket } from 'node:net';

/** Longer than any statement of ours takes; a node pauses its runs by its own clock before their leases of 15 s end. */
export const SILENCE_MS = 15_000;

/**
 * A socket to the database that ends itself when nothing is heard on it: where the other side is gone without a word
 * (a cut cable, a firewall) the system would notice after many minutes. A `query_timeout` would not do: it leaves the dead
 * connection in the pool.
 */
export function impatientSocket(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => {
    const error = new Error(`The database was silent for ${silenceMs / 1000} s.`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
}
