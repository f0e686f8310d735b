import { isDatabaseAway } from '../platform/database/database-away.ts';
import type { Logger } from '../platform/logger.ts';

/** Whether the database can be reached, as far as the turns of a node have shown. */
export class DatabaseAvailability {
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #onBack: () => void;
  #sinceMs: number | null = null;

  /** @param onBack it answers again @param now monotonic ms */
  constructor({ log, now, onBack }: { log: Logger; now: () => number; onBack: () => void }) {
    this.#log = log;
    this.#now = now;
    this.#onBack = onBack;
  }

  get isAway(): boolean {
    return this.#sinceMs === null;
  }

  /** For how long it has been reached since it was away, ms. */
  get reachedMs(): number {
    return this.#sinceMs === null ? 0 : this.#now() - this.#sinceMs;
  }

  /** Work that asks the database: where it succeeds, the database answers. */
  async reaching(work: () => Promise<void>): Promise<void> {
    await work();
    if (this.#sinceMs !== null) return;
    this.#log.info('the database answers');
    this.#sinceMs = this.#now();
    this.#onBack();
  }

  /** Logs what a turn has failed with; that the database is away, once. */
  failed(error: unknown): void {
    if (!isDatabaseAway(error)) {
      this.#log.error({ err: error }, 'a turn of the supervisor failed');
      return;
    }
    if (this.#sinceMs !== null) this.#log.error({ err: error }, 'the database is away: trying again');
    this.#sinceMs = null;
  }
}
