import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The API has one core to itself; everything else shares another. */
export const CORES = { api: 0, rest: 1 } as const;

/** Whether processes can be bound to cores here: needs Linux's taskset and two cores. */
export async function canPin(): Promise<boolean> {
  if (availableParallelism() < 2) return false;
  return run('taskset', ['--version']).then(
    () => true,
    () => false,
  );
}

/** Binds a process, its threads and its children to a core, also those that they start later. */
export async function pin(pid: number, core: number): Promise<void> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
  const children = stdout.split('\n').map(Number).filter(Boolean);
  for (const one of [pid, ...children]) {
    await run('taskset', ['-acp', String(core), String(one)]).catch((error: unknown) => {
      // A child may have ended meanwhile.
      if (one === pid) throw error;
    });
  }
}
