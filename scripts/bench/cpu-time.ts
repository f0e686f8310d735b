import { readFileSync } from 'node:fs';

/** Linux counts processes' time in hundredths of a second, whatever its own clock does. */
const TICKS_PER_SECOND = 100;

/** CPU seconds, user and system together. */
export interface CpuTime {
  /** Of this process, all threads. */
  readonly self: number;
  /** Of the children that have ended so far, and theirs. */
  readonly children: number;
}

/**
 * What this process and its ended children have used. Wall time would count the waiting, and whatever else the
 * machine does.
 * @throws Error where the system does not tell
 */
export function cpuTime(): CpuTime {
  const { user, system } = process.cpuUsage();
  return { self: (user + system) / 1e6, children: childrenSeconds() };
}

function childrenSeconds(): number {
  let line: string;
  try {
    line = readFileSync('/proc/self/stat', 'utf8');
  } catch {
    throw new Error(
      'The CPU time of ffmpeg is read from /proc, which is not there; run this bench on Linux.',
    );
  }
  // The name in brackets may hold blanks; user and system time of ended children are fields 16 and 17 (proc(5)).
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** CPU seconds used by `work`, which must wait for the children it starts. */
export async function measureCpu(work: () => Promise<void>): Promise<CpuTime> {
  const before = cpuTime();
  await work();
  const after = cpuTime();
  return { self: after.self - before.self, children: after.children - before.children };
}
