export type Stage = 'inference' | 'outputs' | 'tracking' | 'identity' | 'zones';

/**
 * CPU milliseconds that the stages of a frame spend, all threads together, for those who measure: unlike a clock on the
 * wall it does not count what else the machine does. Asking costs as much as a small stage, so nobody else does.
 */
export class Stopwatch {
  readonly spentMs: Record<Stage, number> = { inference: 0, outputs: 0, tracking: 0, identity: 0, zones: 0 };
  /** While false it costs nothing and counts nothing. */
  isOn = true;
  #sinceMs = 0;

  start(): void {
    if (this.isOn) this.#sinceMs = cpuMs();
  }

  /** What was spent since `start` or the last lap goes to this stage. */
  lap(stage: Stage): void {
    if (!this.isOn) return;
    const nowMs = cpuMs();
    this.spentMs[stage] += nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
