import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSecondsOfTrees } from '../../support/cpu-time.ts';

/** A moment of a start. CPU time does not depend on what else the machine does; wall time does. */
export interface Moment {
  readonly wallSeconds: number;
  /** Of the command and everything that it has started. */
  readonly cpuSeconds: number;
}

/** A command of npm in a clone. Each ends with its children. */
export class MeasuredStart {
  readonly #child: ChildProcess;
  readonly #sinceMs = performance.now();
  readonly #last: string[] = [];
  #ended = false;

  /** @param onLine gets each line of its output */
  constructor(
    script: readonly string[],
    { cwd, env, onLine }: { cwd: string; env: NodeJS.ProcessEnv; onLine?: (line: string) => void },
  ) {
    this.#child = spawn('npm', [...script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      createInterface({ input: stream }).on('line', (line) => {
        this.#last.splice(0, Math.max(0, this.#last.length - LINES_KEPT));
        this.#last.push(line);
        onLine?.(line);
      });
    this.#child.once('close', () => {
      this.#ended = true;
    });
  }

  now(): Moment {
    const cpuSeconds = cpuSecondsOfTrees([this.#child.pid!]);
    if (cpuSeconds === null)
      throw new Error('The CPU time of a start is read from /proc: run this bench on Linux.');
    return { wallSeconds: (performance.now() - this.#sinceMs) / 1000, cpuSeconds };
  }

  /** Looks until something holds, as long as the command runs. @throws Error with its last lines when it has ended */
  async until(holds: () => boolean | Promise<boolean>): Promise<Moment> {
    while (!(await holds())) {
      if (this.#ended) throw new Error(`The command has ended. Its last lines:\n${this.#last.join('\n')}`);
      await pause(LOOK_MS);
    }
    return this.now();
  }

  /** Ends it as Ctrl-C does. */
  async stop(): Promise<void> {
    if (this.#ended) return;
    this.#child.kill('SIGTERM');
    if (!this.#ended) await once(this.#child, 'close');
  }
}

const LINES_KEPT = 20;
const LOOK_MS = 50;
