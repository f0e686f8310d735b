import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface SeenProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly rssBytes: number;
  /** The program's name; the system shortens long names. */
  readonly name: string;
}

/** A process and all its descendants at this moment. */
export function processTree(pid: number): SeenProcess[] {
  const all = process.platform === 'linux' ? linuxProcesses() : psProcesses();
  const tree = all.filter((seen) => seen.pid === pid);
  for (const { pid: parent } of tree) tree.push(...all.filter(({ parentPid }) => parentPid === parent));
  return tree;
}

function linuxProcesses(): SeenProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        const field = (key: string) => new RegExp(`^${key}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
        return {
          pid: Number(name),
          parentPid: Number(field('PPid')),
          rssBytes: Number(field('VmRSS')) * 1024,
          name: field('Name'),
        };
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

function psProcesses(): SeenProcess[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parentPid, rss, ...name] = line.trim().split(/\s+/);
      return {
        pid: Number(pid),
        parentPid: Number(parentPid),
        rssBytes: Number(rss) * 1024,
        name: name.join(' ').split('/').at(-1) ?? '',
      };
    });
}
