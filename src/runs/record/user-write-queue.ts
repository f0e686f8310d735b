import { isDatabaseBusy } from '../../platform/database/database-away.ts';
import { AtMost } from '../../platform/jobs/at-most.ts';

/** Users who are written at the same time; each of them uses a connection. */
const MAX_CONCURRENT = 5;
/** The same for users whose rows were locked at the last write, so that they leave connections to the others. */
const MAX_CONCURRENT_LOCKED = 2;

/**
 * The writes of a node: those of one user one after the other, those of several users at the same time. Users whose rows
 * another session has locked wait in a line of their own, so that a locked row delays only its user.
 */
export class UserWriteQueue {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #lockedUsers = new Set<string>();
  readonly #slots = new AtMost(MAX_CONCURRENT);
  readonly #lockedSlots = new AtMost(MAX_CONCURRENT_LOCKED);

  /** Never call it from within `work`: that would wait for itself. @returns what `work` returns */
  add<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const previous = this.#last.get(userId) ?? Promise.resolve();
    const result = previous.then(() => this.#run(userId, work));
    const last: Promise<unknown> = result
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(userId) === last) this.#last.delete(userId);
      });
    this.#last.set(userId, last);
    return result;
  }

  async #run<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const slots = this.#lockedUsers.has(userId) ? this.#lockedSlots : this.#slots;
    try {
      const result = await slots.run(work);
      this.#lockedUsers.delete(userId);
      return result;
    } catch (error) {
      if (isDatabaseBusy(error)) this.#lockedUsers.add(userId);
      throw error;
    }
  }
}
