import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../platform/processes/child-environment.ts';
import { killGroup } from '../platform/processes/processes.ts';
import { type FromLane, fromLane, type ToLane } from './lane-protocol.ts';

/** The lane's program, by the same extension as this file: `.ts` under tsx, `.js` in the build. */
const PROGRAM = fileURLToPath(new URL(`../lane${import.meta.url.slice(-3)}`, import.meta.url));
/** Under a test runner this process's own arguments do not lead to a working child. */
const EXEC_ARGV = PROGRAM.endsWith('.ts') ? ['--import', 'tsx'] : [];

export interface LaneListener {
  onMessage(message: FromLane): void;
  /** The process is gone, wanted or not. Called once. */
  onEnd(how: string): void;
}

/** A lane as its supervisor holds it: the child, its channel, and the sign of life. */
export class LaneProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #lastSignMs = performance.now();
  #running = true;

  constructor(listener: LaneListener, logLevel: string) {
    this.#child = fork(PROGRAM, [logLevel], {
      // A group of its own: SIGKILL reaches its ffmpegs too, and a terminal's Ctrl-C does not.
      detached: true,
      execArgv: EXEC_ARGV,
      env: childEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.pid = this.#child.pid ?? 0;
    this.#ended = new Promise((resolve) => {
      const end = (how: string) => {
        if (!this.#running) return;
        this.#running = false;
        // What it had started goes with it, however it ended.
        if (this.pid) killGroup(this.pid, 'SIGKILL');
        resolve();
        listener.onEnd(how);
      };
      this.#child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
      this.#child.once('error', (error) => end(error.message));
    });
    this.#child.on('message', (message) => {
      this.#lastSignMs = performance.now();
      listener.onMessage(fromLane.parse(message));
    });
  }

  get running(): boolean {
    return this.#running;
  }

  /** How long nothing was heard of it. */
  silentMs(nowMs: number): number {
    return nowMs - this.#lastSignMs;
  }

  /** The time in which nothing was heard begins anew. */
  allowSilence(nowMs: number): void {
    this.#lastSignMs = nowMs;
  }

  send(message: ToLane): void {
    // A lane that has just died takes no message; `onEnd` tells.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** SIGKILL to the whole group, for a lane that is stuck. */
  kill(): void {
    if (this.#running) killGroup(this.pid, 'SIGKILL');
  }

  /** Asks it to end and waits; SIGKILL after `deadlineMs`. */
  async stop(deadlineMs: number): Promise<void> {
    this.send({ type: 'stop' });
    const killer = setTimeout(() => this.kill(), deadlineMs);
    await this.#ended;
    clearTimeout(killer);
  }
}
