import { once } from 'node:events';
import { WebSocket } from 'undici';
import { until } from '../../support/until.ts';

/** Where Node listens after SIGUSR1. */
const INSPECTOR = 'http://127.0.0.1:9229/json';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** What a part of a program took, in ms of its main thread, the largest first. */
export type Parts = readonly (readonly [part: string, ms: number])[];

/**
 * Samples a running Node program for a while, as `--cpu-prof` does. It opens the inspector of the program meanwhile, so that only one
 * program at a time can be sampled.
 */
export async function profileOf(pid: number, seconds: number): Promise<Profile> {
  process.kill(pid, 'SIGUSR1');
  let url = '';
  const answers = async () => {
    const pages = (await (await fetch(INSPECTOR)).json()) as { webSocketDebuggerUrl: string }[];
    url = pages[0]?.webSocketDebuggerUrl ?? '';
    return url !== '';
  };
  await until('the inspector of a program answers', () => answers().catch(() => false), 20);
  const socket = new WebSocket(url);
  await once(socket, 'open');
  let id = 0;
  const call = async (method: string, params: object = {}): Promise<unknown> => {
    const own = ++id;
    socket.send(JSON.stringify({ id: own, method, params }));
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
      const answer = JSON.parse(data) as { id?: number; result?: unknown };
      if (answer.id === own) return answer.result;
    }
  };
  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: 500 });
  await call('Profiler.start');
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const { profile } = (await call('Profiler.stop')) as { profile: Profile };
  // The next program gets the port.
  const close = "process.getBuiltinModule('node:inspector').close()";
  socket.send(JSON.stringify({ id: ++id, method: 'Runtime.evaluate', params: { expression: close } }));
  await once(socket, 'close');
  return profile;
}

/** Native functions count for who calls them, but for these. */
const OWN: readonly (readonly [RegExp, string])[] = [
  [/^\(idle\)$/, 'idle'],
  [/^\(garbage collector\)$/, 'garbage'],
  [/^\(program\)$/, 'native code without a caller'],
  [/^(parse|stringify)$/, 'JSON'],
];

/** Where the time of a profile went: folders of this project, packages, modules of Node. */
export function partsOf({ nodes, samples, timeDeltas }: Profile): Parts {
  const parts = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const name = (
    { id, callFrame: { functionName, url }, children = [] }: ProfileNode,
    caller: string,
  ): void => {
    const own = OWN.find(([pattern]) => url === '' && pattern.test(functionName))?.[1];
    const part = own ?? partOf(url) ?? caller;
    parts.set(id, part);
    for (const child of children) name(byId.get(child)!, part);
  };
  name(nodes[0]!, 'native code without a caller');
  const spent = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const part = parts.get(id)!;
    spent.set(part, (spent.get(part) ?? 0) + timeDeltas[at]! / 1000);
  }
  spent.delete('idle');
  return [...spent].toSorted(([, a], [, b]) => b - a);
}

/** @returns null where the code tells nothing */
function partOf(url: string): string | null {
  const [, inPackage] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (inPackage !== undefined) return inPackage;
  if (url.startsWith('node:')) return url.replace(/^node:internal\/(\w+).*/, 'node:$1');
  return /\/(src\/[\w-]+(?:\/[\w-]+)?)/.exec(url)?.[1] ?? null;
}
