/** Work that repeats until it is stopped. */
export interface Repeating {
  /** Runs the work as soon as possible, in addition to the regular runs. */
  now(): void;
  /** Starts no further run; resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` at once and then `pauseMs` after each end, so that two runs never overlap. An error goes to `onError`; the
 * next run follows nevertheless.
 * @param pauseMs a function is called after each run
 */
export function every(
  pauseMs: number | (() => number),
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repeating {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  function turn(): void {
    clearTimeout(timer);
    again = false;
    running = work()
      .catch(onError)
      .finally(() => {
        running = null;
        if (stopped) return;
        if (again) turn();
        else timer = setTimeout(turn, typeof pauseMs === 'number' ? pauseMs : pauseMs());
      });
  }

  turn();
  return {
    now() {
      if (stopped) return;
      if (running) again = true;
      else turn();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Runs `work` every `pauseMs` until it has succeeded once. An error goes to `onError`. */
export function untilDone(
  pauseMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repeating {
  const repeating = every(
    pauseMs,
    async () => {
      await work();
      void repeating.stop();
    },
    onError,
  );
  return repeating;
}
