import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { LOADER, programFile } from '../../../src/platform/processes/program-file.ts';
import { sum } from '../../support/numbers.ts';
import type { Timings } from './virtual-node.ts';

/** What a process with virtual nodes gets. */
export interface NodesJob {
  readonly url: string;
  readonly folder: string;
  /** Of this process: the number of its first node, and how many it has. */
  readonly first: number;
  readonly count: number;
  /** Nodes of all processes. */
  readonly all: number;
  readonly cameras: number;
}

export type ToNodes = 'begin' | 'end' | 'stop';
export type FromNodes = 'ready' | { readonly timings: Timings; readonly cpuSeconds: number };

/** Virtual nodes in processes, so that one core is not their limit. */
export class NodeProcesses {
  readonly #children: readonly ChildProcess[];

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children;
  }

  /** Starts the nodes and waits until each has its cameras. */
  static async start(
    processes: number,
    { all, ...job }: Omit<NodesJob, 'first' | 'count'>,
  ): Promise<NodeProcesses> {
    const children = Array.from({ length: Math.min(processes, all) }, (_, at) => {
      const first = Math.floor((at * all) / processes);
      const count = Math.floor(((at + 1) * all) / processes) - first;
      const given: NodesJob = { ...job, all, first, count };
      const file = programFile('scripts/bench/scale/nodes-process.ts');
      return fork(file, [JSON.stringify(given)], { execArgv: [...LOADER] });
    });
    const started = new NodeProcesses(children);
    try {
      await started.#answers();
      return started;
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  begin(): void {
    this.#tell('begin');
  }

  /** What they have measured since `begin`. */
  async end(): Promise<{ timings: Timings; cpuSeconds: readonly number[] }> {
    const answers = this.#answers();
    this.#tell('end');
    const measured = (await answers).filter((answer) => answer !== 'ready');
    const all = (of: keyof Timings) => measured.flatMap(({ timings }) => timings[of]);
    return {
      timings: { writes: all('writes'), beats: all('beats'), beatsTook: all('beatsTook') },
      cpuSeconds: measured.map(({ cpuSeconds }) => cpuSeconds),
    };
  }

  async stop(): Promise<void> {
    const living = this.#children.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    );
    const ended = living.map((child) => once(child, 'exit'));
    for (const child of living) if (child.connected) child.send('stop' satisfies ToNodes);
    await Promise.all(ended);
  }

  #tell(order: ToNodes): void {
    for (const child of this.#children) child.send(order);
  }

  /** The next message of each. @throws Error when one of them has ended */
  #answers(): Promise<FromNodes[]> {
    return Promise.all(
      this.#children.map(
        (child) =>
          new Promise<FromNodes>((resolve, reject) => {
            const end = () => reject(new Error('A process with virtual nodes has ended: see above.'));
            child.once('exit', end);
            child.once('message', (answer: FromNodes) => {
              child.off('exit', end);
              resolve(answer);
            });
          }),
      ),
    );
  }
}

/** Cores that were used on average. */
export const coresOf = (cpuSeconds: readonly number[], seconds: number): number => sum(cpuSeconds) / seconds;
