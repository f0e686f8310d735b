import { processorTimeOf, readProc } from './processor-time.ts';

/** What a program has done so far. */
export interface Progress {
  /** Processor time of all its threads, in ms. */
  readonly processorMs: number;
  /** Bytes that it has read. */
  readonly bytes: number;
}

/** @returns null where the system does not tell, or the program has ended */
export function progressOf(pid: number): Progress | null {
  const time = processorTimeOf(pid);
  if (time === null) return null;
  const bytes = Number(/^rchar: (\d+)/m.exec(readProc(`/proc/${pid}/io`))?.[1] ?? 0);
  return { processorMs: time.own * 1_000, bytes };
}

/**
 * The limit of a program that reads somebody's file: so much processor time of its own, or so much time in which it neither computes
 * nor reads. A slow disk or a busy machine does not end it.
 */
export class ProgressLimit {
  readonly #limitMs: number;
  #last: Progress | null = null;
  #sinceMs: number;

  constructor(limitMs: number, nowMs: number) {
    this.#limitMs = limitMs;
    this.#sinceMs = nowMs;
  }

  /** @param progress null: not known, so that only the time counts */
  isOver(progress: Progress | null, nowMs: number): boolean {
    const last = this.#last;
    this.#last = progress;
    if (progress !== null && progress.processorMs >= this.#limitMs) return true;
    const goesOn = progress && (progress.processorMs !== last?.processorMs || progress.bytes !== last.bytes);
    if (goesOn) this.#sinceMs = nowMs;
    return nowMs - this.#sinceMs >= this.#limitMs;
  }
}
