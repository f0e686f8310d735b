import { setTimeout as pause } from 'node:timers/promises';
import { WORKER_SESSIONS } from '../../src/platform/database/session-owner.ts';
import { processTree } from '../support/process-tree.ts';
import { progress } from '../support/terminal.ts';
import { faultsOfRuns, faultsOfTotals, resumedAtMs } from './check-history.ts';
import { ask, readRunChanges, readTotalsChanges } from './history.ts';
import type { Installation } from './installation.ts';
import { busiestWorker, epochsOf, freshRuns, hasBeaten, meterError } from './kills.ts';
import { installedPart } from './part.ts';
import { startShops } from './start-shops.ts';

export interface FrozenOptions {
  readonly rounds: number;
  readonly scenes: number;
  readonly fps: number;
  readonly leaseSeconds: number;
}

interface FaultSeen {
  readonly fault: string;
  /** Until frames of every run that it hit were stored again. */
  readonly seconds: number;
  readonly allowedSeconds: number;
}

export interface FrozenResult {
  readonly rounds: number;
  readonly scenes: number;
  readonly seen: readonly FaultSeen[];
  /** How often a worker was stopped until it was in the middle of a transaction. */
  readonly triesForTransaction: number;
  readonly meterErrorSecondsPerFault: number;
  readonly faults: readonly string[];
  readonly passed: boolean;
}

/** Beyond the lease: somebody has to look, to end the session of the frozen, and to open the cameras. */
const TAKE_OVER_SECONDS = 15;
/** A lane is silent for so long before it is ended, and then its successor loads the model. */
const LANE_SECONDS = 10 + 15;
/** Programs that start prepare their model first. */
const START_SECONDS = 30;

export const frozen = installedPart({
  name: 'frozen',
  description:
    'SIGSTOP of a worker in the middle of a transaction, of a worker, a lane and the API; kill -9 of a lane, of the API, of both workers at once.',
  options: {
    rounds: ['of all these faults', 1],
    scenes: ['simulated cameras, a scene each', 4],
    fps: ['frames a second of each', 2],
  },
  needs: { workers: 2 },
  run: runFrozen,
});

/** Freezes and kills programs, one kind after the other: every run goes on in time, written by one node at a time. */
export async function runFrozen(installation: Installation, options: FrozenOptions): Promise<FrozenResult> {
  const { rounds, scenes, fps, leaseSeconds } = options;
  const { cameras, taskIds } = await startShops(installation, 'Frozen', { scenes, fps });
  await installation.until(
    'every run gives frames',
    async () => (await freshRuns(installation, taskIds)) === scenes,
    180,
  );
  const broken = new Breaker(installation, taskIds);
  const taken = leaseSeconds + TAKE_OVER_SECONDS;
  const seen: FaultSeen[] = [];
  const bar = progress('faults', rounds * 7, 'faults');
  for (let round = 0; round < rounds; round++) {
    const faults: [string, number, () => Promise<number>][] = [
      [
        'a worker frozen in the middle of a transaction',
        taken,
        () => broken.freezeWorker('in a transaction'),
      ],
      ['a worker frozen', taken, () => broken.freezeWorker('at any moment')],
      ['a lane frozen', LANE_SECONDS, () => broken.hitLane('SIGSTOP')],
      ['a lane killed', LANE_SECONDS, () => broken.hitLane('SIGKILL')],
      ['the API frozen for 20 s', 5, () => broken.freezeApi()],
      ['the API killed', 5, () => broken.killApi()],
      ['both workers killed at once', taken + START_SECONDS, () => broken.killWorkers()],
    ];
    for (const [fault, allowedSeconds, make] of faults) {
      const seconds = await make();
      seen.push({ fault, seconds, allowedSeconds });
      installation.note(`${fault}: frames after ${seconds} s`);
      bar.update(seen.length);
    }
  }
  bar.stop();
  for (const camera of cameras) await installation.stop(camera);
  await pause(500);
  const changes = await readRunChanges(installation.databaseUrl);
  const faults = [
    ...faultsOfRuns(changes),
    ...faultsOfTotals(await readTotalsChanges(installation.databaseUrl)),
    ...broken.faults,
    ...seen
      .filter(({ seconds, allowedSeconds }) => seconds > allowedSeconds)
      .map(({ fault, seconds }) => `${fault}: frames only after ${seconds} s`),
  ];
  const meterErrorSecondsPerFault = await meterError(installation, {
    // Within one epoch there are gaps too: lanes are replaced.
    watched: await coveredSeconds(installation, taskIds),
    taskIds,
    kills: broken.hits,
  });
  return {
    ...{ rounds, scenes, seen, triesForTransaction: broken.tries, meterErrorSecondsPerFault, faults },
    passed: faults.length === 0 && Math.abs(meterErrorSecondsPerFault) <= 10,
  };
}

/** What the minutes say of how long each run had frames. */
async function coveredSeconds(
  { databaseUrl }: Installation,
  taskIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await ask<{ id: string; seconds: number }>(
    databaseUrl,
    `SELECT t.id, sum(o."coveredMs")::float8 / 1000 AS seconds
     FROM "AnalysisTask" t JOIN "OccupancyMinute" o ON o."sceneId" = t."sceneId" WHERE t.id = ANY($1) GROUP BY 1`,
    [taskIds],
  );
  return new Map(rows.map(({ id, seconds }) => [id, seconds]));
}

/** Makes one fault after the other, waits until all runs go on, and mends it. Each returns how long that took, in seconds. */
class Breaker {
  tries = 0;
  readonly faults: string[] = [];
  /** How often each run was hit. */
  readonly hits = new Map<string, number>();
  readonly #installation: Installation;
  readonly #taskIds: readonly string[];

  constructor(installation: Installation, taskIds: readonly string[]) {
    this.#installation = installation;
    this.#taskIds = taskIds;
  }

  async freezeWorker(when: 'in a transaction' | 'at any moment'): Promise<number> {
    const victim = await busiestWorker(this.#installation);
    const { pid } = this.#installation.workers[victim.number]!;
    const runs = await epochsOf(this.#installation, victim.nodeId);
    this.#hit(runs.map(({ id }) => id));
    if (when === 'in a transaction') await this.#stopInTransaction(pid, victim.nodeId);
    else process.kill(pid, 'SIGSTOP');
    this.#installation.note(`worker chaos-${victim.number} frozen ${when}, with ${runs.length} runs`);
    const frozenAtMs = Date.now();
    let resumedMs = frozenAtMs;
    try {
      const resumed = async () => {
        const changes = await readRunChanges(this.#installation.databaseUrl);
        const times = runs.map(({ id, epoch }) => resumedAtMs(changes, { taskId: id, afterEpoch: epoch }));
        if (times.some((time) => time === null)) return false;
        resumedMs = Math.max(frozenAtMs, ...times.map(Number));
        return true;
      };
      await this.#installation.until('the other worker goes on', resumed, 120);
    } finally {
      // Its lanes were ended or not: it goes on as a node that has lost its runs.
      process.kill(pid, 'SIGCONT');
    }
    const thawedAtMs = Date.now();
    await this.#installation.until(
      'the frozen worker is a node again',
      () => this.#beats(victim.nodeId, thawedAtMs),
      60,
    );
    return (resumedMs - frozenAtMs) / 1000;
  }

  async hitLane(signal: 'SIGSTOP' | 'SIGKILL'): Promise<number> {
    const victim = await busiestWorker(this.#installation);
    const { pid } = this.#installation.workers[victim.number]!;
    const runs = (await epochsOf(this.#installation, victim.nodeId)).map(({ id }) => id);
    this.#hit(runs);
    const lane = processTree(pid).find(({ parentPid, name }) => parentPid === pid && name.startsWith('node'));
    if (!lane) throw new Error(`Worker chaos-${victim.number} has no lane.`);
    process.kill(lane.pid, signal);
    // What was sent before counts for nothing.
    return this.#untilFrames(runs, Date.now() + 1_500, 90, 1.5);
  }

  async freezeApi(): Promise<number> {
    const { pid } = this.#installation.api;
    process.kill(pid, 'SIGSTOP');
    const before = await this.#epochs();
    await pause(20_000);
    const fresh = await freshRuns(this.#installation, this.#taskIds);
    if (fresh < this.#taskIds.length) this.faults.push('runs stood still while the API was frozen');
    process.kill(pid, 'SIGCONT');
    const seconds = await this.#untilReady();
    await this.#mustBe(before, 'the API was frozen');
    return seconds;
  }

  async killApi(): Promise<number> {
    const before = await this.#epochs();
    process.kill(this.#installation.api.pid, 'SIGKILL');
    await this.#installation.api.ended;
    const seconds = await this.#untilFrames(this.#taskIds, Date.now(), 60);
    this.#installation.startApi();
    await this.#untilReady();
    await this.#mustBe(before, 'the API was killed');
    return seconds;
  }

  async killWorkers(): Promise<number> {
    this.#hit(this.#taskIds);
    const { workers } = this.#installation;
    for (const { pid } of workers) process.kill(pid, 'SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    const killedAtMs = Date.now();
    for (const number of workers.keys()) this.#installation.startWorker(number);
    const seconds = await this.#untilFrames(this.#taskIds, killedAtMs, 180);
    const nodes = await ask<{ id: string }>(
      this.#installation.databaseUrl,
      `SELECT id FROM "ComputeNode" WHERE name LIKE 'chaos-%'`,
    );
    for (const { id } of nodes) {
      await this.#installation.until(
        'the workers are back',
        () => hasBeaten(this.#installation, id, killedAtMs),
        120,
      );
    }
    return seconds;
  }

  /** Stops a worker again and again until one of its transactions holds rows of runs. */
  async #stopInTransaction(pid: number, nodeId: string): Promise<void> {
    for (let tries = 1; tries <= 2_000; tries++) {
      this.tries++;
      process.kill(pid, 'SIGSTOP');
      // What it had sent is worked off meanwhile.
      await pause(30);
      const held = await ask(
        this.#installation.databaseUrl,
        `SELECT 1 FROM pg_stat_activity a JOIN pg_locks l USING (pid) JOIN "ComputeNode" n ON n.id = $1
         WHERE a.application_name = $2 || n.incarnation AND a.state = 'idle in transaction' AND l.granted
           AND l.relation = '"AnalysisTask"'::regclass AND l.mode IN ('RowExclusiveLock', 'RowShareLock')`,
        [nodeId, WORKER_SESSIONS],
      );
      if (held.length > 0) return;
      process.kill(pid, 'SIGCONT');
      await pause(20 + 200 * Math.random());
    }
    throw new Error('The worker was never in the middle of a transaction.');
  }

  /** @returns after how many seconds every one of these runs had a frame newer than `sinceMs`, plus `already` */
  async #untilFrames(
    taskIds: readonly string[],
    sinceMs: number,
    deadlineSeconds: number,
    already = 0,
  ): Promise<number> {
    const startedMs = performance.now();
    await pause(Math.max(0, sinceMs - Date.now()));
    const areFresh = async () => {
      const rows = await ask(
        this.#installation.databaseUrl,
        'SELECT 1 FROM "AnalysisTask" WHERE id = ANY($1) AND "lastFrameAt" > to_timestamp($2::float8 / 1000)',
        [taskIds, sinceMs],
      );
      return rows.length === taskIds.length;
    };
    await this.#installation.until('every run gives frames', areFresh, deadlineSeconds);
    return Math.max(already, Math.round(performance.now() - startedMs) / 1000);
  }

  #untilReady(): Promise<number> {
    const isReady = async () =>
      (await fetch(`${this.#installation.baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
    return this.#installation.until('the API is ready', isReady, 60);
  }

  async #beats(nodeId: string, sinceMs: number): Promise<boolean> {
    const rows = await ask(
      this.#installation.databaseUrl,
      'SELECT 1 FROM "ComputeNode" WHERE id = $1 AND "lastHeartbeatAt" > to_timestamp($2::float8 / 1000)',
      [nodeId, sinceMs],
    );
    return rows.length > 0;
  }

  #epochs(): Promise<{ id: string; epoch: number }[]> {
    return ask(
      this.#installation.databaseUrl,
      'SELECT id, epoch FROM "AnalysisTask" WHERE id = ANY($1) ORDER BY id',
      [this.#taskIds],
    );
  }

  async #mustBe(before: readonly { epoch: number }[], when: string): Promise<void> {
    const now = await this.#epochs();
    if (now.some(({ epoch }, at) => epoch !== before[at]?.epoch))
      this.faults.push(`runs changed hands while ${when}`);
  }

  #hit(taskIds: readonly string[]): void {
    for (const id of taskIds) this.hits.set(id, (this.hits.get(id) ?? 0) + 1);
  }
}
