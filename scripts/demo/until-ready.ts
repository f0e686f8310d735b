import { setTimeout as pause } from 'node:timers/promises';
import { ApiCallError } from '../support/api-client.ts';
import { cpuSecondsOfTrees } from '../support/cpu-time.ts';
import { lastComplaint, logLine, type Program } from '../support/programs.ts';

/** The programs and the end of a wait for them. */
export interface Waiting {
  readonly programs: readonly Program[];
  readonly signal: AbortSignal;
  /** Prints what the programs have said about their steps since the last call. */
  showSteps(): void;
}

/**
 * Tries every half second. A connection error means that the service is not ready yet. Programs that compute are waited for,
 * however slow the machine is; what their logs say about their steps is shown.
 * @throws Error with one sentence and what to do: a program has ended, or none does anything
 */
export async function untilReady(
  { signal, programs, showSteps }: Waiting,
  isReady: () => Promise<boolean>,
  patience = new Patience(() => cpuSecondsOfTrees(programs.map(({ pid }) => pid))),
): Promise<void> {
  const worker = programs.at(-1)!;
  let lastError = '';
  for (;;) {
    signal.throwIfAborted();
    showSteps();
    failIfEnded(programs);
    try {
      if (await isReady()) return;
    } catch (error) {
      if (error instanceof ApiCallError) throw error;
      lastError = ` (${String(error)})`;
    }
    if (patience.isOver())
      throw new Error(complaintOf(worker, `Nothing has happened for ${IDLE_SECONDS} s${lastError}`));
    await pause(500, undefined, { signal });
  }
}

/** @returns a function that says what the log of a program has of its steps since the last call */
export function stepsOf(program: Pick<Program, 'written'>, say: (step: string) => void): () => void {
  let shown = 0;
  return () => {
    const lines = program.written().split('\n').map(logLine);
    const steps = lines.flatMap((line) => (line?.step && line.msg ? [line.msg] : []));
    for (const step of steps.slice(shown)) say(step);
    shown = steps.length;
  };
}

/** How long nothing may happen. */
const IDLE_SECONDS = 120;
/** Programs that wait use less of the processor in that time. */
const IDLE_CPU_SECONDS = 3;
const LOOK_SECONDS = 2;

/** Whether to go on waiting for programs: as long as they use the processor. */
export class Patience {
  readonly #usedSeconds: () => number | null;
  readonly #now: () => number;
  #progress: { readonly atSeconds: number; readonly used: number };
  #lookedAt: number;

  /** @param usedSeconds of the processor so far; null where the system does not tell: then there is no end */
  constructor(usedSeconds: () => number | null, now = () => performance.now() / 1000) {
    this.#usedSeconds = usedSeconds;
    this.#now = now;
    this.#progress = { atSeconds: now(), used: usedSeconds() ?? 0 };
    this.#lookedAt = now();
  }

  isOver(): boolean {
    const atSeconds = this.#now();
    // A look reads every process of the machine.
    if (atSeconds - this.#lookedAt < LOOK_SECONDS) return false;
    this.#lookedAt = atSeconds;
    const used = this.#usedSeconds();
    if (used === null || used - this.#progress.used >= IDLE_CPU_SECONDS)
      this.#progress = { atSeconds, used: used ?? 0 };
    return atSeconds - this.#progress.atSeconds >= IDLE_SECONDS;
  }
}

/** @throws Error with one sentence and what to do */
export function failIfEnded(programs: readonly Program[]): void {
  const ended = programs.find((program) => !program.running);
  if (ended) throw new Error(complaintOf(ended, `The ${ended.name} ended`));
}

/** What is wrong with the demo in one sentence, and what to do. */
export function complaintOf(program: Pick<Program, 'written' | 'logFile'>, what: string): string {
  const said = lastComplaint(program);
  return [
    said ? `${what}: ${said}` : `${what}.`,
    'Run the demo again: it goes on with what is stored.',
    `The whole log: ${program.logFile}`,
  ].join('\n');
}
