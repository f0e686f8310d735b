import type { RunChange, TotalsChange } from './history.ts';

/** @returns a sentence for everything that must not happen to runs: none is what is wanted */
export function faultsOfRuns(changes: readonly RunChange[]): string[] {
  const faults: string[] = [];
  for (const [taskId, run] of grouped(changes, ({ taskId }) => taskId)) {
    const writers = new Map<number, string>();
    for (const [at, now] of run.entries()) {
      const before = run[at - 1];
      const say = (what: string) =>
        faults.push(`run ${taskId}, ${new Date(now.atMs).toISOString()}: ${what}`);
      if (before && now.epoch < before.epoch) say(`epoch ${now.epoch} after ${before.epoch}`);
      if (before && (now.frameMs ?? 0) < (before.frameMs ?? 0)) say('its last frame went back');
      if (now.status !== 'PROCESSING' || !now.nodeId) continue;
      const writer = writers.get(now.epoch) ?? now.nodeId;
      writers.set(now.epoch, writer);
      if (writer !== now.nodeId) say(`two writers in epoch ${now.epoch}: ${writer} and ${now.nodeId}`);
      const wroteFrames = before !== undefined && now.frameMs !== before.frameMs;
      if (wroteFrames && now.leaseEndMs !== null && now.atMs > now.leaseEndMs + 50) {
        say('frames were written after the lease had ended');
      }
    }
  }
  return faults;
}

/** @returns a sentence for each time a scene's totals went back */
export function faultsOfTotals(changes: readonly TotalsChange[]): string[] {
  return [...grouped(changes, ({ sceneId }) => sceneId)].flatMap(([sceneId, totals]) =>
    totals.flatMap((now, at) => {
      const before = totals[at - 1];
      const back = before && now.counts.some((count, kind) => count < before.counts[kind]!);
      return back ? [`totals of ${sceneId} went from ${before.counts} to ${now.counts}`] : [];
    }),
  );
}

/** Seconds with frames of each run: from one stored frame to the next, as long as one node had it. */
export function watchedSeconds(changes: readonly RunChange[]): Map<string, number> {
  const seconds = new Map<string, number>();
  for (const [taskId, run] of grouped(changes, ({ taskId }) => taskId)) {
    let watchedMs = 0;
    let last: RunChange | null = null;
    for (const now of run) {
      if (now.frameMs === null || now.frameMs === last?.frameMs) continue;
      // The first frames of a node are those it had at its first write, up to a second.
      if (last?.frameMs && last.epoch === now.epoch) watchedMs += now.frameMs - last.frameMs;
      last = now;
    }
    seconds.set(taskId, watchedMs / 1000);
  }
  return seconds;
}

/** When a run's frames were first stored under an epoch above this one; null when they were not. */
export function resumedAtMs(
  changes: readonly RunChange[],
  run: { taskId: string; afterEpoch: number },
): number | null {
  let frameMs: number | null = null;
  for (const now of changes) {
    if (now.taskId !== run.taskId) continue;
    if (now.epoch > run.afterEpoch && now.status === 'PROCESSING' && now.frameMs !== frameMs) return now.atMs;
    frameMs = now.frameMs;
  }
  return null;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
