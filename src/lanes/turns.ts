import { setImmediate as eventLoopTurn } from 'node:timers/promises';

/** Turns of the event loop before work that may wait: in them frames of cameras are read, which then come first. */
const GRACE_TURNS = 3;

/**
 * Runs work one piece after the other: `session.run()` blocks the event loop, so detections cannot overlap. Only what is passed
 * to `together` runs at the same time as that of other cameras. The work of
 * cameras runs in the order of the calls. Each camera calls `take` for one frame at a time, so a fast camera waits for every
 * other that is ready. The work of recordings runs only while no camera waits. Between two turns the event loop runs, so that
 * pipes and messages are served.
 */
export class Turns {
  readonly #now: () => number;
  readonly #urgent: (() => Promise<void>)[] = [];
  readonly #spare: (() => Promise<void>)[] = [];
  /** Turns that go on after `together`. Each returns when its turn ends. */
  readonly #resumed: (() => Promise<void>)[] = [];
  readonly #together: (() => Promise<void>)[] = [];
  /** The running turn: its end, and how it makes way for others. */
  #turn: { readonly ended: Promise<void>; readonly leave: () => void } | null = null;
  #atOnce = 1;
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

  /** How many cameras pass work to `together` before it begins, where so many have a frame; with 1 nothing is collected. */
  set atOnce(most: number) {
    this.#atOnce = most;
  }

  /**
   * Only inside a turn of a camera: other cameras have their turns until enough of them have come to this point or none is left.
   * Then the work of all of them begins at once. The turn goes on when its own work has ended.
   * @returns what `work` returns
   */
  async together<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn;
    if (this.#atOnce === 1 || !turn) return work();
    return new Promise<T>((resolve, reject) => {
      const goOn = (settle: () => void) => {
        this.#resumed.push(() => {
          settle();
          return turn.ended;
        });
      };
      this.#together.push(() =>
        work().then(
          (value) => goOn(() => resolve(value)),
          (error: unknown) => goOn(() => reject(error)),
        ),
      );
      turn.leave();
    });
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
    for (;;) {
      const turn = this.#next();
      if (turn) await this.#untilItLeaves(turn);
      else if (this.#together.length > 0) await Promise.all(this.#together.splice(0).map((begin) => begin()));
      else if (this.#spare.length > 0) await this.#spareTurn();
      else break;
      await eventLoopTurn();
    }
    this.#isRunning = false;
  }

  /** A turn that goes on, or the next one of a camera unless enough work was collected. */
  #next(): (() => Promise<void>) | undefined {
    return this.#resumed.shift() ?? (this.#together.length < this.#atOnce ? this.#urgent.shift() : undefined);
  }

  /** Runs a turn until it ends or waits in `together`. */
  async #untilItLeaves(turn: () => Promise<void>): Promise<void> {
    await new Promise<void>((leave) => {
      const ended = turn();
      this.#turn = { ended, leave };
      void ended.then(leave);
    });
    this.#turn = null;
  }

  /** Runs the next turn, of a recording unless a camera asks for one meanwhile. */
  async #spareTurn(): Promise<void> {
    for (let turn = 0; turn < GRACE_TURNS && this.#urgent.length === 0; turn++) await eventLoopTurn();
    const urgent = this.#urgent.shift();
    if (urgent) return urgent();
    const spare = this.#spare.shift();
    if (spare) await this.#runSpare(spare);
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
