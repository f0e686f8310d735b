import { readProc } from '../../src/platform/processes/processor-time.ts';
import { processTree, type SeenProcess } from './process-tree.ts';

/** Bytes of memory. */
export interface TreeMemory {
  readonly programs: number;
  readonly ffmpeg: number;
}

/** The memory that a process and all its descendants have now. */
export function treeMemory(pid: number): TreeMemory {
  const tree = processTree(pid);
  const sum = (seen: readonly SeenProcess[]) => seen.reduce((bytes, each) => bytes + memoryOf(each), 0);
  const isFfmpeg = ({ name }: SeenProcess) => /^ff(mpeg|probe)/.test(name);
  return { programs: sum(tree.filter((each) => !isFfmpeg(each))), ffmpeg: sum(tree.filter(isFfmpeg)) };
}

/** Memory that several processes share counts for each of them in parts, where the system tells (Linux); else whole for each. */
function memoryOf({ pid, rssBytes }: SeenProcess): number {
  const [, kilobytes] = /^Pss:\s*(\d+) kB/m.exec(readProc(`/proc/${pid}/smaps_rollup`)) ?? [];
  return kilobytes === undefined ? rssBytes : Number(kilobytes) * 1024;
}
