import { readFileSync } from 'node:fs';
import { processTree } from './process-tree.ts';

/** Linux reports the CPU time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;

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
  const ended = statOf('self')?.endedChildren;
  if (ended !== undefined) return ended;
  throw new Error('The CPU time of ffmpeg is read from /proc, which is not there; run this bench on Linux.');
}

/** CPU seconds of a running process so far; null where the system does not report them. */
export const cpuSecondsOf = (pid: number): number | null => statOf(String(pid))?.own ?? null;

/** CPU seconds that the ended children of a running process have used so far; null where the system does not report them. */
export const cpuSecondsOfEnded = (pid: number): number | null => statOf(String(pid))?.endedChildren ?? null;

function statOf(process: string): { own: number; endedChildren: number } | null {
  let line: string;
  try {
    line = readFileSync(`/proc/${process}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name in brackets may contain spaces. User and system time are fields 14 and 15; those of ended children are the
  // next two (proc(5)).
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const seconds = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND;
  return { own: seconds(11), endedChildren: seconds(13) };
}

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
    .reduce((sum, { pid }) => sum + (cpuSecondsOf(pid) ?? 0) + (cpuSecondsOfEnded(pid) ?? 0), 0);
}
