import { type ChildProcess, fork } from 'node:child_process';
import { childEnvironment } from '../platform/processes/child-environment.ts';
import { killGroup } from '../platform/processes/processes.ts';
import { LOADER, programFile } from '../platform/processes/program-file.ts';
import type { FromLane, ToLane } from './lane-protocol.ts';

export interface LaneListener {
  onMessage(message: FromLane): void;
  /** The process has ended, for whatever reason. Called once. */
  onEnd(how: string): void;
}

/** One lane as the node sees it: the child process, its IPC channel, and the time of its last message. */
export class LaneProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #lastMessageMs = performance.now();
  #running = true;

  constructor(listener: LaneListener, logLevel: string) {
    this.#child = fork(programFile('src/lane.ts'), [logLevel], {
      // A process group of its own: SIGKILL reaches its ffmpegs too, and Ctrl-C in a terminal reaches neither.
      detached: true,
      // Not the arguments of this process: a test runner's would not start a working child.
      execArgv: [...LOADER],
      env: childEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.pid = this.#child.pid ?? 0;
    this.#ended = new Promise((resolve) => {
      const end = (how: string) => {
        if (!this.#running) return;
        this.#running = false;
        if (this.pid) killGroup(this.pid, 'SIGKILL');
        resolve();
        listener.onEnd(how);
      };
      this.#child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
      this.#child.once('error', (error) => end(error.message));
    });
    this.#child.on('message', (message) => {
      this.#lastMessageMs = performance.now();
      listener.onMessage(message as FromLane);
    });
  }

  get running(): boolean {
    return this.#running;
  }

  /** The time since the last message. */
  silentMs(nowMs: number): number {
    return nowMs - this.#lastMessageMs;
  }

  /** The time since the last message starts again. */
  allowSilence(nowMs: number): void {
    this.#lastMessageMs = nowMs;
  }

  send(message: ToLane): void {
    // A lane that has just died takes no message; `onEnd` reports it.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Ends a stuck lane and its ffmpegs with SIGKILL. */
  kill(): void {
    if (this.#running) killGroup(this.pid, 'SIGKILL');
  }

  /** Asks the lane to end and waits for it. After `deadlineMs` it kills it. */
  async stop(deadlineMs: number): Promise<void> {
    this.send({ type: 'stop' });
    const killer = setTimeout(() => this.kill(), deadlineMs);
    await this.#ended;
    clearTimeout(killer);
  }
}
