import { setImmediate as eventLoopTurn } from 'node:timers/promises';

/**
 * One worker for many: `session.run()` blocks the event loop, so frames are taken one after the other, in the
 * order they asked. A camera asks for one turn at a time, which makes first come, first served fair: a fast
 * camera waits for every other that is ready. Between two turns the event loop runs once, so that pipes and
 * messages are served.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns what `work` returns; its error is its caller's alone */
  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.then(
      () => eventLoopTurn(),
      () => eventLoopTurn(),
    );
    return mine;
  }
}
