import { get, type IncomingMessage } from 'node:http';

/** Numbers of a camera that have arrived, in the order of their arrival. All in ms. */
export interface Arrival {
  /** From a frame to the event with the numbers that contain it. */
  readonly latencyMs: number;
  /** How old the newest known numbers were just before; null: there were none. */
  readonly oldestMs: number | null;
}

/** A client that follows the numbers of all scenes over the event stream, and notes how old each is when it has arrived. */
export class MetricsClient {
  /** By device, since `reset`. */
  readonly arrivals = new Map<string, Arrival[]>();
  readonly #response: IncomingMessage;
  /** Of the newest numbers of each device: the time of their frame. */
  readonly #newestMs = new Map<string, number>();
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
    this.arrivals.clear();
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
      const { deviceId, updatedAt } = JSON.parse(data) as { deviceId?: string; updatedAt?: string };
      if (deviceId === undefined || updatedAt === undefined) continue;
      const frameMs = Date.parse(updatedAt);
      const before = this.#newestMs.get(deviceId);
      this.#newestMs.set(deviceId, frameMs);
      const arrival = {
        latencyMs: Date.now() - frameMs,
        oldestMs: before === undefined ? null : Date.now() - before,
      };
      this.arrivals.set(deviceId, [...(this.arrivals.get(deviceId) ?? []), arrival]);
    }
  }
}
