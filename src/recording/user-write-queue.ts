import { isDatabaseBusy } from '../platform/database/database-away.ts';

/** Users whose rows are free, written at the same time: each takes a connection. */
const AT_ONCE = 5;
/** Users whose rows somebody held the last time: so few wait for them that the others keep their connections. */
const WAITING_AT_ONCE = 2;

/**
 * What a node writes of many users: of one user one thing after the other, of several at the same time. Whose rows are held
 * by somebody else waits in a line of its own, so that a locked row costs its user alone.
 */
export class UserWriteQueue {
  readonly #lines = new Map<string, Promise<unknown>>();
  readonly #held = new Set<string>();
  readonly #free = new Places(AT_ONCE);
  readonly #waiting = new Places(WAITING_AT_ONCE);

  /** Never call it from within its own work: that would wait for itself. @returns what `work` returns */
  take<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#lines.get(userId) ?? Promise.resolve();
    const mine = before.then(() => this.#run(userId, work));
    const line: Promise<unknown> = mine
      .catch(() => undefined)
      .then(() => {
        if (this.#lines.get(userId) === line) this.#lines.delete(userId);
      });
    this.#lines.set(userId, line);
    return mine;
  }

  async #run<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const places = this.#held.has(userId) ? this.#waiting : this.#free;
    await places.enter();
    try {
      const result = await work();
      this.#held.delete(userId);
      return result;
    } catch (error) {
      if (isDatabaseBusy(error)) this.#held.add(userId);
      throw error;
    } finally {
      places.leave();
    }
  }
}

class Places {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  enter(): Promise<void> | void {
    if (this.#free === 0) return new Promise((resolve) => this.#queue.push(resolve));
    this.#free--;
  }

  leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free++;
  }
}
