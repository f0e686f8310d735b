import type { ApiClient } from '../support/api-client.ts';

interface Stats {
  totalRecords: number;
  totalPersons: number;
}
interface Captured {
  totalPersons: number;
  attributes: Record<string, number>;
}

const HOUR_MS = 3_600_000;
/** A capture is made every ten seconds, so more frequent requests are useless. */
const EVERY_MS = 5_000;

/** One line from the attribute endpoints: the last capture, and the number of people in the last hour. */
export class PeopleLine {
  readonly #client: ApiClient;
  readonly #deviceId: string;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #line: string | null = null;

  constructor(client: ApiClient, deviceId: string) {
    this.#client = client;
    this.#deviceId = deviceId;
  }

  /** Null before the first capture. */
  async line(): Promise<string | null> {
    if (performance.now() - this.#askedAtMs < EVERY_MS) return this.#line;
    this.#askedAtMs = performance.now();
    const device = `deviceId=${this.#deviceId}`;
    const [last] = await this.#client.get<Captured[]>(`/analysis/attributes?${device}&limit=1`);
    if (!last) return null;
    const range = `startDate=${ago(HOUR_MS)}&endDate=${ago(-1000)}`;
    const stats = await this.#client.get<Stats>(`/analysis/insights/attributes/stats?${device}&${range}`);
    const present = Object.entries(last.attributes).filter(([, count]) => count > 0);
    const shown = present.map(([key, count]) => `${key} ${count}`).join(', ');
    this.#line = `people: ${last.totalPersons} captured last (${shown || 'no attributes yet'}); ${stats.totalPersons} in ${stats.totalRecords} captures this hour`;
    return this.#line;
  }
}

const ago = (ms: number): string => encodeURIComponent(new Date(Date.now() - ms).toISOString());
