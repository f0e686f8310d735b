import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/**
 * A process is named by its id and its start time together: ids are used again, and ending somebody else's
 * process because it got an old id would be worse than leaving one of ours.
 */
const startedProcess = z.object({ pid: z.number().int().positive(), startTime: z.string() });
export type StartedProcess = z.infer<typeof startedProcess>;

/** @returns an opaque text that is the same for as long as this process lives; null when there is none */
export function processStartTime(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name, in brackets, may hold anything; state is the first field after it, start time the 20th.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? null : (fields[19] ?? null);
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

export const isRunning = ({ pid, startTime }: StartedProcess): boolean =>
  processStartTime(pid) === startTime;

/** Signals a whole process group; a group that is gone already is no error. @param pid its leader */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * The group leaders this program has started and not yet ended, kept in a file, so that the next start can end
 * what a crash (or a kill -9) has left over.
 */
export class LeftOverList {
  readonly #file: string;
  readonly #listed = new Map<number, StartedProcess>();

  /** @param file e.g. `DATA_DIR/lanes.json`; its folder is made */
  constructor(file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
  }

  add(pid: number): void {
    const startTime = processStartTime(pid);
    if (startTime !== null) this.#listed.set(pid, { pid, startTime });
    this.#write();
  }

  remove(pid: number): void {
    if (this.#listed.delete(pid)) this.#write();
  }

  /** Ends the groups a former program left. @returns those that were still there */
  endLeftOvers(): StartedProcess[] {
    const left = this.#read().filter(isRunning);
    for (const { pid } of left) killGroup(pid, 'SIGKILL');
    this.#write();
    return left;
  }

  #read(): StartedProcess[] {
    try {
      return z.array(startedProcess).parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      // None, or cut short by the crash: then nothing can be said about it.
      return [];
    }
  }

  #write(): void {
    const partial = `${this.#file}.${process.pid}.part`;
    writeFileSync(partial, JSON.stringify([...this.#listed.values()]));
    renameSync(partial, this.#file);
  }
}
