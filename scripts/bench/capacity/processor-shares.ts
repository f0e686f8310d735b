import { cpuSecondsOf, cpuSecondsOfEnded } from '../../support/cpu-time.ts';
import type { Installation } from '../../support/installation.ts';
import { rounded, sum } from '../../support/numbers.ts';
import { processTree } from '../../support/process-tree.ts';

/** What uses the processor; `bench` are the cameras and the client. */
export type Share = 'lanes' | 'ffmpeg' | 'worker' | 'api' | 'database' | 'bench';

/** CPU seconds so far. */
type ProcessorSeconds = Readonly<Record<Share, number>>;

/** @throws Error where the system does not tell (it is read from /proc, which only Linux has) */
export function processorSeconds({ workers, api, databasePid }: Installation): ProcessorSeconds {
  const bench = cpuSecondsOf(process.pid);
  if (bench === null)
    throw new Error('The CPU time of programs is read from /proc; run this bench on Linux.');
  const trees = workers.flatMap(({ pid }) => processTree(pid));
  const isWorker = ({ pid }: { pid: number }) => workers.some((worker) => worker.pid === pid);
  const children = trees.filter((each) => !isWorker(each));
  const isFfmpeg = ({ name }: { name: string }) => /^ff(mpeg|probe)/.test(name);
  const running = (those: typeof children) => sum(those.map(({ pid }) => cpuSecondsOf(pid) ?? 0));
  const lanes = children.filter((each) => !isFfmpeg(each));
  return {
    lanes: running(lanes),
    // Also those that a lane has ended.
    ffmpeg: running(children.filter(isFfmpeg)) + sum(lanes.map(({ pid }) => cpuSecondsOfEnded(pid) ?? 0)),
    worker: running(trees.filter(isWorker)),
    api: cpuSecondsOf(api.pid) ?? 0,
    database: running(processTree(databasePid)) + (cpuSecondsOfEnded(databasePid) ?? 0),
    bench,
  };
}

/** What each has used since, in ms of CPU for each of so many frames. */
export const msPerFrame = (
  before: ProcessorSeconds,
  after: ProcessorSeconds,
  frames: number,
): Record<Share, number> =>
  Object.fromEntries(
    Object.entries(after).map(([share, seconds]) => [
      share,
      rounded((1000 * (seconds - before[share as Share])) / Math.max(1, frames), 2),
    ]),
  ) as Record<Share, number>;
