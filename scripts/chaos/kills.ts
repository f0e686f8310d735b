import { setTimeout as pause } from 'node:timers/promises';
import { isRunning, processStartTime, type StartedProcess } from '../../src/platform/processes/processes.ts';
import { processTree } from '../support/process-tree.ts';
import { progress } from '../support/terminal.ts';
import { faultsOfRuns, faultsOfTotals, resumedAtMs, watchedSeconds } from './check-history.ts';
import { ask, readRunChanges, readTotalsChanges } from './history.ts';
import type { Installation } from './installation.ts';
import { installedPart } from './part.ts';
import { startShops } from './start-shops.ts';

export interface KillsOptions {
  readonly rounds: number;
  readonly scenes: number;
  readonly fps: number;
  /** All runs have to give frames on the other worker within so long of a kill. */
  readonly withinSeconds: number;
}

export interface KillsResult {
  readonly rounds: number;
  readonly scenes: number;
  /** Of each round: until the last of the killed worker's runs gave frames elsewhere. */
  readonly resumedSeconds: readonly number[];
  readonly slowestSeconds: number;
  /** Of the run that differs most: metered seconds less seconds with frames, for each time its worker was killed. */
  readonly meterErrorSecondsPerKill: number;
  readonly faults: readonly string[];
  readonly processesLeft: number;
  readonly passed: boolean;
}

export const kills = installedPart({
  name: 'kills',
  description: 'kill -9 of one of two workers, again and again: the other goes on with every run.',
  options: {
    rounds: ['kills', 50],
    scenes: ['simulated cameras, a scene each', 4],
    fps: ['frames a second of each', 2],
    withinSeconds: ['every run has to go on within so long', 20],
  },
  needs: { workers: 2 },
  run: runKills,
});

/** Takes a worker's life again and again while scenes run: the other one goes on with them, and nothing is counted twice. */
export async function runKills(installation: Installation, options: KillsOptions): Promise<KillsResult> {
  const { rounds, scenes, fps, withinSeconds } = options;
  const { cameras, taskIds } = await startShops(installation, 'Kill', { scenes, fps });
  await installation.until(
    'every run gives frames',
    async () => (await freshRuns(installation, taskIds)) === scenes,
    90,
  );

  const resumedSeconds: number[] = [];
  const kills = new Map<string, number>();
  const leftOvers: StartedProcess[] = [];
  const bar = progress('kills', rounds, 'rounds');
  for (let round = 0; round < rounds; round++) {
    const victim = await busiestWorker(installation);
    const worker = installation.workers[victim.number]!;
    leftOvers.push(...processTree(worker.pid).flatMap(({ pid }) => started(pid)));
    const before = await epochsOf(installation, victim.nodeId);
    for (const { id } of before) kills.set(id, (kills.get(id) ?? 0) + 1);
    installation.note(`kill -9 of chaos-${victim.number}, which held ${before.length} runs`);
    const killedAtMs = Date.now();
    process.kill(worker.pid, 'SIGKILL');
    const resumed = async () => {
      const changes = await readRunChanges(installation.databaseUrl);
      const times = before.map(({ id, epoch }) => resumedAtMs(changes, { taskId: id, afterEpoch: epoch }));
      if (times.some((time) => time === null)) return false;
      resumedSeconds.push((Math.max(killedAtMs, ...times.map(Number)) - killedAtMs) / 1000);
      return true;
    };
    await installation.until('the other worker goes on', resumed, 3 * withinSeconds);
    const nodes = await installation.liveNodes();
    installation.startWorker(victim.number);
    // The killed one's last heartbeat is fresh for a while: what counts is one after a new start.
    await installation.until(
      'the worker is back',
      () => hasBeaten(installation, victim.nodeId, killedAtMs),
      120,
    );
    bar.update(round + 1);
    installation.note(`round ${round + 1}: resumed after ${resumedSeconds.at(-1)} s, ${nodes} nodes`);
  }
  bar.stop();
  for (const camera of cameras) await installation.stop(camera);
  await pause(500);
  const changes = await readRunChanges(installation.databaseUrl);
  const faults = [
    ...faultsOfRuns(changes),
    ...faultsOfTotals(await readTotalsChanges(installation.databaseUrl)),
  ];
  const meterErrorSecondsPerKill = await meterError(installation, {
    watched: watchedSeconds(changes),
    taskIds,
    kills,
  });
  const processesLeft = leftOvers.filter(isRunning).length;
  const slowestSeconds = Math.max(...resumedSeconds);
  const passed =
    slowestSeconds <= withinSeconds &&
    faults.length === 0 &&
    Math.abs(meterErrorSecondsPerKill) <= 10 &&
    processesLeft === 0;
  return {
    rounds,
    scenes,
    resumedSeconds,
    slowestSeconds,
    meterErrorSecondsPerKill,
    faults,
    processesLeft,
    passed,
  };
}

const started = (pid: number): StartedProcess[] => {
  const startTime = processStartTime(pid);
  return startTime === null ? [] : [{ pid, startTime }];
};

export async function freshRuns({ databaseUrl }: Installation, taskIds: readonly string[]): Promise<number> {
  const rows = await ask(
    databaseUrl,
    `SELECT id FROM "AnalysisTask" WHERE id = ANY($1) AND "lastFrameAt" > clock_timestamp() - interval '5 seconds'`,
    [taskIds],
  );
  return rows.length;
}

export async function busiestWorker({
  databaseUrl,
}: Installation): Promise<{ nodeId: string; number: number }> {
  const [node] = await ask<{ id: string; name: string }>(
    databaseUrl,
    `SELECT n.id, n.name FROM "ComputeNode" n JOIN "AnalysisTask" t ON t."computeNodeId" = n.id
     WHERE t.status = 'PROCESSING' GROUP BY n.id ORDER BY count(*) DESC LIMIT 1`,
  );
  if (!node) throw new Error('No worker holds a run.');
  return { nodeId: node.id, number: Number(node.name.split('-').at(-1)) };
}

export const epochsOf = (
  { databaseUrl }: Installation,
  nodeId: string,
): Promise<{ id: string; epoch: number }[]> =>
  ask(
    databaseUrl,
    `SELECT id, epoch FROM "AnalysisTask" WHERE status = 'PROCESSING' AND "computeNodeId" = $1`,
    [nodeId],
  );

export async function hasBeaten(
  { databaseUrl, workers }: Installation,
  nodeId: string,
  sinceMs: number,
): Promise<boolean> {
  const rows = await ask(
    databaseUrl,
    `SELECT 1 FROM "ComputeNode"
     WHERE id = $1 AND "startedAt" > to_timestamp($2::float8 / 1000) AND "lastHeartbeatAt" > "startedAt"`,
    [nodeId, sinceMs],
  );
  return workers.every(({ running }) => running) && rows.length > 0;
}

export async function meterError(
  { databaseUrl }: Installation,
  runs: { watched: Map<string, number>; taskIds: readonly string[]; kills: Map<string, number> },
): Promise<number> {
  const metered = await ask<{ taskId: string; seconds: number }>(
    databaseUrl,
    `SELECT "taskId", sum(quantity)::float8 AS seconds FROM "UsageEvent"
     WHERE feature = 'analysis' AND "taskId" = ANY($1) GROUP BY 1`,
    [runs.taskIds],
  );
  const errors = metered.map(({ taskId, seconds }) => {
    const error = seconds - (runs.watched.get(taskId) ?? 0);
    return error / Math.max(1, runs.kills.get(taskId) ?? 0);
  });
  return errors.reduce((worst, error) => (Math.abs(error) > Math.abs(worst) ? error : worst), 0);
}
