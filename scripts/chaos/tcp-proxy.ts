import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What goes wrong between two programs.
 * - `none`: bytes pass
 * - `refused`: nobody listens, what was open is reset
 * - `black-holed`: connections are taken, nothing passes in either direction, nothing is said about it
 * - `frozen`: what was asked is answered with a few hundred bytes, then nothing more comes
 * - `garbage`: the server's bytes are replaced by noise
 * - `cut`: every connection is reset in the middle of what the server says first, again and again
 */
export type TcpFault = 'none' | 'refused' | 'black-holed' | 'frozen' | 'garbage' | 'cut';

/** Within the head of a picture: of one that is cut later a decoder still shows a part, and the camera is not away. */
const CUT_AFTER_BYTES = 400;
const FROZEN_AFTER_BYTES = 400;

/** Stands between a client and a server on loopback and does to their bytes what it is told. */
export class TcpProxy {
  readonly #targetPort: number;
  readonly #open = new Set<Socket>();
  #server = createServer();
  #port = 0;
  #fault: TcpFault = 'none';
  /** One byte in so many of the server's is changed; null: none. */
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
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  async set(fault: TcpFault): Promise<void> {
    const was = this.#fault;
    this.#fault = fault;
    if (fault === 'refused') {
      this.#reset();
      await this.#stopListening();
    } else if (was === 'refused') await this.listen();
    // A hole swallows what went on in it: both sides begin anew.
    if (fault === 'none' && (was === 'black-holed' || was === 'frozen')) this.#reset();
  }

  /** @param every one byte in so many that the server sends is another one from now on; null: none */
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

  /** The gaps between two are of all lengths, and the same at each run. */
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
