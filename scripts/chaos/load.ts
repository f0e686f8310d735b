import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from '../support/installation.ts';

const CLIENTS = 3;
const PAUSE_MS = 50;
const CALL_MS = 20_000;

/** Clients that write and read over HTTP all the time, and record the devices whose creation was answered 201. */
export class Load {
  readonly #installation: Installation;
  readonly #committed: string[] = [];
  readonly #clients: Promise<void>[];
  readonly answersWhileAway: Record<string, number> = {};
  /** While it is true, answers to calls that begin and end in this time are counted. */
  isDatabaseDown = false;
  #stopping = false;

  constructor(installation: Installation) {
    this.#installation = installation;
    this.#clients = Array.from({ length: CLIENTS }, (_, number) => this.#work(number));
  }

  /** @returns ids of the devices whose creation was answered 201 */
  async stop(): Promise<string[]> {
    this.#stopping = true;
    await Promise.all(this.#clients);
    return this.#committed;
  }

  async #work(client: number): Promise<void> {
    for (let call = 0; !this.#stopping; call++) {
      const wasDown = this.isDatabaseDown;
      const [status, body] = await this.#call(call % 2 === 0, `Load ${client}-${call}`);
      if (status === '201') this.#committed.push((body as { data: { id: string } }).data.id);
      if (wasDown && this.isDatabaseDown)
        this.answersWhileAway[status] = (this.answersWhileAway[status] ?? 0) + 1;
      await pause(PAUSE_MS);
    }
  }

  async #call(isWrite: boolean, name: string): Promise<[string, unknown]> {
    const { baseUrl, key } = this.#installation;
    try {
      const response = await fetch(`${baseUrl}/api/v1/devices${isWrite ? '' : '?limit=5'}`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(CALL_MS),
        ...(isWrite && { method: 'POST', body: JSON.stringify({ name, streamUrl: 'sim:shop?seed=1' }) }),
      });
      return [String(response.status), await response.json()];
    } catch (error) {
      return [`no answer (${(error as Error).name})`, null];
    }
  }
}
