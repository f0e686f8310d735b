import { get, type IncomingMessage } from 'node:http';

const HEAD_END = '\r\n\r\n';

/** A client that watches live pictures and notes how old each one is when it has arrived. */
export class LiveClient {
  /** From the frame to the last byte of its picture. */
  latenciesMs: number[] = [];
  bytes = 0;
  newest: { readonly jpeg: Uint8Array; readonly capturedAtMs: number } | null = null;
  readonly #response: IncomingMessage;
  #rest: Buffer = Buffer.alloc(0);

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.on('data', (chunk: Buffer) => this.#take(chunk));
    response.on('error', () => undefined);
  }

  /** @throws Error when the answer is no stream of pictures */
  static async open(url: string, key: string): Promise<LiveClient> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers: { authorization: `Bearer ${key}` }, agent: false }, resolve).on('error', reject);
    });
    if (response.statusCode !== 200) throw new Error(`Live pictures: the answer was ${response.statusCode}.`);
    return new LiveClient(response);
  }

  /** Forgets what has arrived so far. */
  reset(): void {
    this.latenciesMs = [];
    this.bytes = 0;
  }

  close(): void {
    this.#response.destroy();
  }

  #take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const headEnd = this.#rest.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = this.#rest.toString('latin1', 0, headEnd);
      const length = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
      const end = headEnd + HEAD_END.length + length;
      if (this.#rest.length < end) return;
      const capturedAtMs = Date.parse(/X-Captured-At: (\S+)/.exec(head)?.[1] ?? '');
      this.newest = { jpeg: this.#rest.subarray(headEnd + HEAD_END.length, end), capturedAtMs };
      this.latenciesMs.push(Date.now() - capturedAtMs);
      this.bytes += length;
      this.#rest = this.#rest.subarray(end);
    }
  }
}
