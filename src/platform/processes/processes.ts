import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * A process is named by its id and its start time together: ids are used again, and ending somebody else's
 * process because it got an old id would be worse than leaving one of ours.
 */
export const startedProcess = z.object({ pid: z.number().int().positive(), startTime: z.string() });
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

export const isRunning = ({ pid, startTime }: StartedProcess): boolean => processStartTime(pid) === startTime;

/**
 * When a program is told to end: by SIGTERM or Ctrl-C, or because the one that started it over an IPC channel is gone,
 * however that ended. @param end may be called more than once
 */
export function onStopRequest(end: () => void): void {
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('disconnect', end);
  process.channel?.unref();
}

/** Signals a whole process group; a group that is gone already is no error. @param pid its leader */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
