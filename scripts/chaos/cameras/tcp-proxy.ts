import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../support/loopback.ts';

/**
 * A fault between a client and a server.
 * - `none`: bytes pass
 * - `refused`: nobody listens; open connections are reset
 * - `black-holed`: connections are accepted, but nothing passes in either direction
 * - `frozen`: the server's answer stops after a few hundred bytes, and the connection stays open
 * - `garbage`: the server's bytes are replaced by noise
 * - `cut`: every connection is reset within the first answer of the server, again and again
 */
export type TcpFault = 'none' | 'refused' | 'black-holed' | 'frozen' | 'garbage' | 'cut';

/** Within the header of a frame: of a frame that is cut later a decoder still shows a part, which would be no outage. */
const CUT_AFTER_BYTES = 400;
const FROZEN_AFTER_BYTES = 400;

/** A proxy on loopback between a client and a server, which makes TCP faults. */
export class TcpProxy {
  readonly #targetPort: number;
  readonly #open = new Set<Socket>();
  #server = createServer();
  #port = 0;
  #fault: TcpFault = 'none';
  /** One of so many bytes from the server is changed; null: none. */
  #damagedEvery: number | null = null;
  #untilDamage = 0;

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
  }

  get port(): number {
    return this.#port;
  }

  async listen(): Promise<this> {
    this.#server = createServer((client) => this.#join(client));
    this.#port = await listen(this.#server, this.#port);
    return this;
  }

  async set(fault: TcpFault): Promise<void> {
    const was = this.#fault;
    this.#fault = fault;
    if (fault === 'refused') {
      this.#reset();
      await this.#stopListening();
    } else if (was === 'refused') await this.listen();
    // Bytes that were lost would break the protocol: both sides connect again.
    if (fault === 'none' && (was === 'black-holed' || was === 'frozen')) this.#reset();
  }

  /** From now on changes bytes of the server. @param every one byte in so many; null: none */
  damage(every: number | null): void {
    this.#damagedEvery = every;
    this.#untilDamage = every ?? 0;
  }

  async close(): Promise<void> {
    this.#reset();
    if (this.#fault !== 'refused') await this.#stopListening();
  }

  #join(client: Socket): void {
    const server = connect(this.#targetPort, '127.0.0.1');
    for (const socket of [client, server]) {
      this.#open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#open.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    let passed = 0;
    const pass = (to: Socket, isAnswer: boolean) => (chunk: Buffer) => {
      if (this.#fault === 'black-holed') return;
      const room = CUT_AFTER_BYTES - passed;
      passed += chunk.length;
      if (this.#fault === 'frozen' && isAnswer && passed > FROZEN_AFTER_BYTES) return;
      if (this.#fault === 'garbage' && isAnswer) chunk = noise(chunk.length);
      if (this.#fault === 'cut' && isAnswer && passed > CUT_AFTER_BYTES) {
        if (room > 0) to.write(chunk.subarray(0, room), () => client.resetAndDestroy());
        else client.resetAndDestroy();
        return;
      }
      if (isAnswer) this.#flip(chunk);
      to.write(chunk);
    };
    client.on('data', pass(server, false));
    server.on('data', pass(client, true));
  }

  /** Changes bytes at gaps of many lengths, which are the same each time. */
  #flip(chunk: Buffer): void {
    const every = this.#damagedEvery;
    if (every === null) return;
    let at = this.#untilDamage;
    for (; at < chunk.length; at += 1 + Math.floor((((at * 2_654_435_761) % 997) / 997) * 2 * every)) {
      chunk[at]! ^= 1 + (at % 255);
    }
    this.#untilDamage = at - chunk.length;
  }

  #reset(): void {
    for (const socket of this.#open) socket.resetAndDestroy();
  }

  #stopListening(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

const noise = (length: number): Buffer => {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at++) bytes[at] = (at * 2654435761) >>> 7;
  return bytes;
};
