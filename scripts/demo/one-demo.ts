import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isRunning, processStartTime, startedProcess } from '../../src/platform/processes/processes.ts';

const demoFile = z.object({
  owner: startedProcess,
  /** Of the API; null while it starts. */
  baseUrl: z.string().nullable(),
});
export type RunningDemo = z.infer<typeof demoFile>;

/** The right to be the one demo of a data folder. */
export interface OneDemo {
  /** Tells later demos where this one is looked at. */
  isAt(baseUrl: string): void;
  end(): void;
}

/** @returns the demo that runs in the folder already, else null */
export function runningDemo(folder: string): RunningDemo | null {
  try {
    const demo = demoFile.parse(JSON.parse(readFileSync(pathOf(folder), 'utf8')));
    return isRunning(demo.owner) ? demo : null;
  } catch {
    return null;
  }
}

/** @returns null when another demo was faster */
export function becomeDemo(folder: string): OneDemo | null {
  const owner = { pid: process.pid, startTime: processStartTime(process.pid) ?? '' };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (runningDemo(folder)) return null;
  // What a killed demo has left. Of two demos that start at once only one creates the file.
  rmSync(pathOf(folder), { force: true });
  try {
    writeFileSync(pathOf(folder), JSON.stringify({ owner, baseUrl: null }), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
  return {
    isAt(baseUrl) {
      const draft = `${pathOf(folder)}.new`;
      writeFileSync(draft, JSON.stringify({ owner, baseUrl }), { mode: 0o600 });
      renameSync(draft, pathOf(folder));
    },
    end: () => rmSync(pathOf(folder), { force: true }),
  };
}

const pathOf = (folder: string): string => join(folder, 'demo.json');
