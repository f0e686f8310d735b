import { get, type IncomingMessage } from 'node:http';

/** A client that follows the numbers of all scenes over the event stream, and notes how old each is when it has arrived. */
export class MetricsClient {
  /** From a frame to the event with the metrics that contain it. */
  latenciesMs: number[] = [];
  readonly #response: IncomingMessage;
  #rest = '';

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    response.on('error', () => undefined);
  }

  /** @throws Error when the answer is no event stream */
  static async open(baseUrl: string, key: string): Promise<MetricsClient> {
    const url = `${baseUrl}/api/v1/stream?types=metrics`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers: { authorization: `Bearer ${key}` }, agent: false }, resolve).on('error', reject);
    });
    if (response.statusCode !== 200) throw new Error(`The event stream answered ${response.statusCode}.`);
    return new MetricsClient(response);
  }

  /** Forgets what has arrived so far. */
  reset(): void {
    this.latenciesMs = [];
  }

  close(): void {
    this.#response.destroy();
  }

  #take(text: string): void {
    const events = (this.#rest + text).split('\n\n');
    this.#rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      const { updatedAt } = JSON.parse(data) as { updatedAt?: string };
      if (updatedAt !== undefined) this.latenciesMs.push(Date.now() - Date.parse(updatedAt));
    }
  }
}
