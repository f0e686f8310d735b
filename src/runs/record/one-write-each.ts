/** Waits for all of them. @throws the first error, after all have settled */
export async function settleAll(work: Iterable<Promise<unknown>>): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

/** Writes of one kind, of which at most one is under way for each key. */
export class OneWriteEach {
  readonly #underWay = new Map<string, Promise<void>>();

  /**
   * Starts a write for each key without one, and waits for all that are under way.
   * @throws the first error, after all have settled
   */
  async start(keys: Iterable<string>, write: (key: string) => Promise<void>): Promise<void> {
    for (const key of keys) {
      if (this.#underWay.has(key)) continue;
      this.#underWay.set(
        key,
        write(key).finally(() => this.#underWay.delete(key)),
      );
    }
    await settleAll(this.#underWay.values());
  }
}
