import { setImmediate as eventLoopTurn } from 'node:timers/promises';

/**
 * One worker for many: `session.run()` blocks the event loop, so frames are taken one after the other, in the
 * order they asked. A camera asks for one turn at a time, which makes first come, first served fair: a fast
 * camera waits for every other that is ready. Between two turns the event loop runs once, so that pipes and
 * messages are served.
 */
export class Turns {
  readonly #now: () => number;
  #last: Promise<unknown> = Promise.resolve();
  /** Who has a turn or waits for one. */
  #asked = 0;
  #busyMs = 0;
  #busySinceMs = 0;

  /** @param now monotonic ms; tests pass their own time */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Ms up to now in which somebody had a turn or waited for one. */
  get busyMs(): number {
    return this.#busyMs + (this.#asked > 0 ? this.#now() - this.#busySinceMs : 0);
  }

  /** @returns what `work` returns; its error is its caller's alone */
  take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#asked++ === 0) this.#busySinceMs = this.#now();
    const mine = this.#last.then(work).finally(() => {
      if (--this.#asked === 0) this.#busyMs += this.#now() - this.#busySinceMs;
    });
    this.#last = mine.then(
      () => eventLoopTurn(),
      () => eventLoopTurn(),
    );
    return mine;
  }
}
