import { readFileSync } from 'node:fs';
import type { NodeUse } from './camera-costs.ts';

/** Linux counts the CPU time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/**
 * What this worker, its lanes and their ffmpegs have used so far.
 * @param lanePids process ids of the lanes
 * @returns null where the system does not tell (it is read from /proc, which only Linux has)
 */
export function processorUse(lanePids: readonly number[]): NodeUse | null {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  const use = { lanes: 0, decoders: 0 };
  for (const pid of lanePids) {
    const lane = statOf(pid);
    if (lane === null) return null;
    use.lanes += lane.own;
    use.decoders += lane.endedChildren;
    for (const child of childrenOf(pid)) use.decoders += statOf(child)?.own ?? 0;
  }
  return { ...use, all: own + use.lanes + use.decoders };
}

function statOf(pid: number): { own: number; endedChildren: number } | null {
  const line = read(`/proc/${pid}/stat`);
  // The name in brackets may contain anything. The eleventh field after it is the user time (proc(5)).
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const seconds = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND;
  const [own, endedChildren] = [seconds(11), seconds(13)];
  return Number.isFinite(own) && Number.isFinite(endedChildren) ? { own, endedChildren } : null;
}

/** The children that the main thread of a process has started. */
const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended meanwhile, or the system has no such file.
    return '';
  }
}
