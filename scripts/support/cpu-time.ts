import { processorTimeOf } from '../../src/platform/processes/processor-time.ts';
import { processTree } from './process-tree.ts';

/** CPU seconds, user and system together. Unlike wall time they include neither waiting nor other programs. */
export interface CpuTime {
  /** Of this process, all threads. */
  readonly self: number;
  /** Of the children that have ended so far, and of their children. */
  readonly children: number;
}

/** @throws Error where the system does not report the time of children */
export function cpuTime(): CpuTime {
  const { user, system } = process.cpuUsage();
  return { self: (user + system) / 1e6, children: childrenSeconds() };
}

function childrenSeconds(): number {
  const ended = cpuSecondsOfEnded(process.pid);
  if (ended !== null) return ended;
  throw new Error('The CPU time of ffmpeg is read from /proc, which is not there; run this bench on Linux.');
}

/** CPU seconds of a running process so far; null where the system does not report them. */
export const cpuSecondsOf = (pid: number): number | null => processorTimeOf(pid)?.own ?? null;

/** CPU seconds that the ended children of a running process have used so far; null where the system does not report them. */
export const cpuSecondsOfEnded = (pid: number): number | null => processorTimeOf(pid)?.endedChildren ?? null;

/** CPU seconds used by `work`, which must wait for the children it starts. */
export async function measureCpu(work: () => Promise<void>): Promise<CpuTime> {
  const before = cpuTime();
  await work();
  const after = cpuTime();
  return { self: after.self - before.self, children: after.children - before.children };
}

/**
 * CPU seconds of programs and of everything they have started, also of what has ended since.
 * @returns null where the system does not report them
 */
export function cpuSecondsOfTrees(pids: readonly number[]): number | null {
  if (process.platform !== 'linux') return null;
  return pids
    .flatMap((pid) => processTree(pid))
    .map(({ pid }) => processorTimeOf(pid))
    .reduce((sum, time) => sum + (time ? time.own + time.endedChildren : 0), 0);
}
