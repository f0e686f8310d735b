import { isDatabaseAway } from '../../platform/database/database-away.ts';
import type { Logger } from '../../platform/logger.ts';

/** Whether the database answers, as the last steps of a node have shown. */
export class DatabaseAvailability {
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #onBack: () => void;
  /** Monotonic ms; null while the database does not answer. */
  #sinceMs: number | null = null;

  /** @param now monotonic ms @param onBack called when the database answers again */
  constructor({ log, now, onBack }: { log: Logger; now: () => number; onBack: () => void }) {
    this.#log = log;
    this.#now = now;
    this.#onBack = onBack;
  }

  get isAvailable(): boolean {
    return this.#sinceMs !== null;
  }

  /** Time since the end of the last outage, ms; 0 during an outage. */
  get availableMs(): number {
    return this.#sinceMs === null ? 0 : this.#now() - this.#sinceMs;
  }

  /** @param work queries the database: when it succeeds, the database answers */
  async during(work: () => Promise<void>): Promise<void> {
    await work();
    if (this.#sinceMs !== null) return;
    this.#log.info('the database answers');
    this.#sinceMs = this.#now();
    this.#onBack();
  }

  /** Logs the error of a step. An outage of the database is logged once. */
  failed(error: unknown): void {
    if (!isDatabaseAway(error)) {
      this.#log.error({ err: error }, 'a step of the supervisor failed');
      return;
    }
    if (this.#sinceMs !== null) this.#log.error({ err: error }, 'the database does not answer: trying again');
    this.#sinceMs = null;
  }
}
