/** Something that happens again and again until it is stopped. */
export interface Repeating {
  /** As soon as possible, beside its rhythm. */
  now(): void;
  /** No further turn begins; resolves when the one under way is over. */
  stop(): Promise<void>;
}

/**
 * Runs `work` at once and then `pauseMs` after each end of it, so that a slow turn never meets itself. An error of
 * a turn goes to `onError`; the next turn comes all the same.
 * @param pauseMs asked after each turn where it is a function
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
