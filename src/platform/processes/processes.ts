import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * Identifies a process by id and start time. Ids are reused, and to kill another program's process that got an old id would
 * be worse than to leave one of ours.
 */
export const startedProcess = z.object({ pid: z.number().int().positive(), startTime: z.string() });
export type StartedProcess = z.infer<typeof startedProcess>;

/** @returns an opaque text that stays the same while this process lives; null if there is no such process */
export function processStartTime(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in brackets may contain anything. The first field after it is the state, the 20th the start time.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? null : (fields[19] ?? null);
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

export const isRunning = ({ pid, startTime }: StartedProcess): boolean => processStartTime(pid) === startTime;

/**
 * Calls `end` on SIGTERM and Ctrl-C, and when the parent that started this program over an IPC channel is gone.
 * @param end may be called more than once
 */
export function onStopRequest(end: () => void): void {
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('disconnect', end);
  process.channel?.unref();
}

/** Signals a whole process group. A group that no longer exists is no error. @param pid of its leader */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
