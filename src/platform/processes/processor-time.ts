import { readFileSync } from 'node:fs';

/** Linux counts the processor time of programs in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Seconds that all threads of a program, and its children that have ended, have used so far. */
export interface ProcessorTime {
  readonly own: number;
  readonly endedChildren: number;
}

/** @returns null where the system does not tell, or the program has ended (it is read from /proc, which only Linux has) */
export function processorTimeOf(pid: number): ProcessorTime | null {
  const line = readProc(`/proc/${pid}/stat`);
  // The name in brackets may contain anything. The eleventh field after it is the user time (proc(5)).
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const seconds = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND;
  const [own, endedChildren] = [seconds(11), seconds(13)];
  return Number.isFinite(own) && Number.isFinite(endedChildren) ? { own, endedChildren } : null;
}

/** @returns nothing where the program has ended meanwhile, or the system has no such file */
export function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
