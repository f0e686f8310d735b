import { setImmediate as eventLoopTurn } from 'node:timers/promises';

/**
 * Runs work one piece after the other, in the order of the calls: `session.run()` blocks the event loop, so detections
 * cannot overlap. Each camera calls `take` for one frame at a time, so a fast camera waits for every other that is ready.
 * Between two turns the event loop runs once, so that pipes and messages are served.
 */
export class Turns {
  readonly #now: () => number;
  #last: Promise<unknown> = Promise.resolve();
  /** The number of callers that have a turn or wait for one. */
  #pending = 0;
  #busyMs = 0;
  #busySinceMs = 0;

  /** @param now monotonic ms; tests pass their own time */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The time up to now in which a caller had a turn or waited for one, in ms. */
  get busyMs(): number {
    return this.#busyMs + (this.#pending > 0 ? this.#now() - this.#busySinceMs : 0);
  }

  /** @returns what `work` returns. An error reaches only this caller. */
  take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pending++ === 0) this.#busySinceMs = this.#now();
    const mine = this.#last.then(work).finally(() => {
      if (--this.#pending === 0) this.#busyMs += this.#now() - this.#busySinceMs;
    });
    this.#last = mine.then(
      () => eventLoopTurn(),
      () => eventLoopTurn(),
    );
    return mine;
  }
}
