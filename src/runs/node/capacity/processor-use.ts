import { processorTimeOf, readProc } from '../../../platform/processes/processor-time.ts';
import type { NodeUse } from './camera-costs.ts';

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
    const lane = processorTimeOf(pid);
    if (lane === null) return null;
    use.lanes += lane.own;
    use.decoders += lane.endedChildren;
    for (const child of childrenOf(pid)) use.decoders += processorTimeOf(child)?.own ?? 0;
  }
  return { ...use, all: own + use.lanes + use.decoders };
}

/** The children that the main thread of a process has started. */
const childrenOf = (pid: number): number[] =>
  readProc(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
