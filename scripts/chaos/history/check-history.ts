import { setTimeout as pause } from 'node:timers/promises';
import { grouped } from '../../../src/catalogue/grouped.ts';
import type { Installation } from '../../support/installation.ts';
import { type RunChange, readRunChanges, readTotalsChanges, type TotalsChange } from './history.ts';

/** A write may reach the database so long after the node checked its lease. */
const WRITE_MS = 50;
/** The last rows of a stopped run are written within this time. */
const SETTLE_MS = 500;

/** Checks the whole history, after its runs have stopped. @returns the changes of runs, and a sentence for each fault */
export async function checkHistory(
  installation: Installation,
): Promise<{ changes: RunChange[]; faults: string[] }> {
  await pause(SETTLE_MS);
  const changes = await readRunChanges(installation);
  return {
    changes,
    faults: [...faultsOfRuns(changes), ...faultsOfTotals(await readTotalsChanges(installation))],
  };
}

/** @returns a sentence for each change that breaks a promise about runs */
function faultsOfRuns(changes: readonly RunChange[]): string[] {
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
      if (wroteFrames && now.leaseEndMs !== null && now.atMs > now.leaseEndMs + WRITE_MS) {
        say('frames were written after the lease had ended');
      }
    }
  }
  return faults;
}

/** @returns a sentence for each time a scene's totals went back */
function faultsOfTotals(changes: readonly TotalsChange[]): string[] {
  return [...grouped(changes, ({ sceneId }) => sceneId)].flatMap(([sceneId, totals]) =>
    totals.flatMap((now, at) => {
      const before = totals[at - 1];
      const back = before && now.counts.some((count, kind) => count < before.counts[kind]!);
      return back ? [`totals of ${sceneId} went from ${before.counts} to ${now.counts}`] : [];
    }),
  );
}

/** Seconds with frames of each run: from one stored frame to the next, within the same epoch. */
export function watchedSeconds(changes: readonly RunChange[]): Map<string, number> {
  const seconds = new Map<string, number>();
  for (const [taskId, run] of grouped(changes, ({ taskId }) => taskId)) {
    let watchedMs = 0;
    let last: RunChange | null = null;
    for (const now of run) {
      if (now.frameMs === null || now.frameMs === last?.frameMs) continue;
      // A node's frames before its first write, up to a second of them, do not count.
      if (last?.frameMs && last.epoch === now.epoch) watchedMs += now.frameMs - last.frameMs;
      last = now;
    }
    seconds.set(taskId, watchedMs / 1000);
  }
  return seconds;
}

/** When frames of a run were first stored under an epoch above this one; null when they were not. */
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
