import { setImmediate as eventLoopTurn } from 'node:timers/promises';

/** Turns of the event loop before work that may wait: in them frames of cameras are read, which then come first. */
const GRACE_TURNS = 3;

/**
 * Runs work one piece after the other: `session.run()` blocks the event loop, so detections cannot overlap. The work of
 * cameras runs in the order of the calls. Each camera calls `take` for one frame at a time, so a fast camera waits for every
 * other that is ready. The work of recordings runs only while no camera waits. Between two turns the event loop runs, so that
 * pipes and messages are served.
 */
export class Turns {
  readonly #now: () => number;
  readonly #urgent: (() => Promise<void>)[] = [];
  readonly #spare: (() => Promise<void>)[] = [];
  #isRunning = false;
  /** The number of cameras that have a turn or wait for one. */
  #pending = 0;
  #busyMs = 0;
  /** Null while no camera has a turn or waits, and during a turn of a recording. */
  #busySinceMs: number | null = null;
  #isSpareTurn = false;

  /** @param now monotonic ms; tests pass their own time */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The time up to now in which a camera had a turn or waited for one, without turns of recordings, in ms. */
  get busyMs(): number {
    return this.#busyMs + (this.#busySinceMs === null ? 0 : this.#now() - this.#busySinceMs);
  }

  /** @returns what `work` returns. An error reaches only this caller. */
  take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pending++ === 0 && !this.#isSpareTurn) this.#busySinceMs = this.#now();
    return this.#add(this.#urgent, work).finally(() => {
      if (--this.#pending === 0) this.#countBusy();
    });
  }

  /** Runs the work of a recording, which waits until no camera has work. @returns what `work` returns */
  takeSpare<T>(work: () => Promise<T>): Promise<T> {
    return this.#add(this.#spare, work);
  }

  #add<T>(queue: (() => Promise<void>)[], work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      queue.push(() => Promise.resolve().then(work).then(resolve, reject));
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#urgent.length > 0 || this.#spare.length > 0) {
      const turn = this.#urgent.shift() ?? (await this.#spareTurn());
      await turn();
      await eventLoopTurn();
    }
    this.#isRunning = false;
  }

  /** The next turn, of a recording unless a camera asks for one meanwhile. */
  async #spareTurn(): Promise<() => Promise<void>> {
    for (let turn = 0; turn < GRACE_TURNS && this.#urgent.length === 0; turn++) await eventLoopTurn();
    return this.#urgent.shift() ?? (() => this.#runSpare(this.#spare.shift()!));
  }

  async #runSpare(turn: () => Promise<void>): Promise<void> {
    this.#isSpareTurn = true;
    await turn();
    this.#isSpareTurn = false;
    if (this.#pending > 0) this.#busySinceMs = this.#now();
  }

  #countBusy(): void {
    if (this.#busySinceMs !== null) this.#busyMs += this.#now() - this.#busySinceMs;
    this.#busySinceMs = null;
  }
}
