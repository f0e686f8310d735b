export type Stage = 'inference' | 'outputs' | 'tracking' | 'identity' | 'zones' | 'floor';

/**
 * CPU milliseconds of all threads that each stage of a frame needs. Unlike elapsed time it does not count other processes.
 * For benchmarks only: one reading costs as much as a small stage.
 */
export class Stopwatch {
  readonly spentMs: Record<Stage, number> = {
    inference: 0,
    outputs: 0,
    tracking: 0,
    identity: 0,
    zones: 0,
    floor: 0,
  };
  /** While false it measures nothing and costs nothing. */
  isOn = true;
  #sinceMs = 0;

  start(): void {
    if (this.isOn) this.#sinceMs = cpuMs();
  }

  /** Adds the time since `start` or the last lap to a stage. */
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
