import { setTimeout as pause } from 'node:timers/promises';
import { WORKER_SESSIONS } from '../../src/platform/database/session-owner.ts';
import type { Installation } from '../support/installation.ts';
import { processTree } from '../support/process-tree.ts';
import { eachWithProgress } from '../support/terminal.ts';
import { checkHistory } from './history/check-history.ts';
import { installedPart } from './part.ts';
import { busiestWorker, Hits, meterError, untilRestarted, untilResumed } from './runs.ts';
import { verdict } from './verdict.ts';

/** Beyond the lease: another node notices, ends the frozen node's sessions and opens the cameras. */
const TAKE_OVER_SECONDS = 15;
/** A lane that does not answer is ended after 10 s; then its successor loads the model. */
const LANE_SECONDS = 10 + 15;
/** A program that starts prepares its model first. */
const START_SECONDS = 30;

export const frozen = installedPart({
  name: 'frozen',
  description:
    'Freezes (SIGSTOP) a worker in the middle of a transaction, a worker, a lane and the API; kills (SIGKILL) a lane, the ' +
    'API and both workers at once.',
  options: {
    rounds: ['how often all these faults are made', 1],
    scenes: ['simulated cameras, a scene each', 4],
    fps: ['frames a second of each', 2],
  },
  needs: { workers: 2 },
  /** Makes one fault after the other: each run must continue in time, and one node at a time may write it. */
  async run(installation, options) {
    const { rounds, scenes, fps } = options;
    const { cameras, taskIds } = await installation.startShops('Frozen', { scenes, fps });
    await installation.untilFrames(taskIds, Date.now(), 180);
    const breaker = new Breaker(installation, taskIds);
    const takenOver = installation.leaseSeconds + TAKE_OVER_SECONDS;
    const kinds: [fault: string, allowedSeconds: number, make: () => Promise<number>][] = [
      ['a worker frozen in the middle of a transaction', takenOver, () => breaker.freezeWorker(true)],
      ['a worker frozen', takenOver, () => breaker.freezeWorker(false)],
      ['a lane frozen', LANE_SECONDS, () => breaker.hitLane('SIGSTOP')],
      ['a lane killed', LANE_SECONDS, () => breaker.hitLane('SIGKILL')],
      ['the API frozen for 20 s', 5, () => breaker.freezeApi()],
      ['the API killed', 5, () => breaker.killApi()],
      ['both workers killed at once', takenOver + START_SECONDS, () => breaker.killWorkers()],
    ];
    const all = Array.from({ length: rounds }, () => kinds).flat();
    const seen = await eachWithProgress('faults', all, 'faults', async ([fault, allowedSeconds, make]) => {
      const seconds = await make();
      installation.note(`${fault}: frames after ${seconds} s`);
      return { fault, seconds, allowedSeconds };
    });
    for (const camera of cameras) await installation.stop(camera);
    const history = await checkHistory(installation);
    const late = seen.filter(({ seconds, allowedSeconds }) => seconds > allowedSeconds);
    const faults = [
      ...history.faults,
      ...breaker.faults,
      ...late.map(({ fault, seconds }) => `${fault}: frames only after ${seconds} s`),
    ];
    const { hits } = breaker;
    const watched = await coveredSeconds(installation, taskIds);
    const meterErrorSecondsPerFault = await meterError(installation, { watched, taskIds, hits });
    return {
      rounds,
      scenes,
      /** `seconds`: until frames of every run that the fault hit were stored again. */
      seen,
      /** How often a worker was stopped until it was in the middle of a transaction. */
      triesForTransaction: breaker.tries,
      meterErrorSecondsPerFault,
      faults,
      ...verdict({
        faults: { is: faults.length, exactly: 0 },
        meterErrorSecondsPerFault: { is: Math.abs(meterErrorSecondsPerFault), atMost: 10 },
      }),
    };
  },
});

/**
 * How long each run had frames by its stored minutes. The recorded changes would not do: where a lane is replaced, there
 * are gaps within one epoch.
 */
async function coveredSeconds(
  installation: Installation,
  taskIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await installation.query<{ id: string; seconds: number }>(
    `SELECT t.id, sum(o."coveredMs")::float8 / 1000 AS seconds
     FROM "AnalysisTask" t JOIN "OccupancyMinute" o ON o."sceneId" = t."sceneId" WHERE t.id = ANY($1) GROUP BY 1`,
    [taskIds],
  );
  return new Map(rows.map(({ id, seconds }) => [id, seconds]));
}

/** Makes a fault, waits until all runs continue, and ends it. Each method returns how long that took, in seconds. */
class Breaker {
  tries = 0;
  readonly faults: string[] = [];
  readonly hits = new Hits();
  readonly #installation: Installation;
  readonly #taskIds: readonly string[];

  constructor(installation: Installation, taskIds: readonly string[]) {
    this.#installation = installation;
    this.#taskIds = taskIds;
  }

  async freezeWorker(inTransaction: boolean): Promise<number> {
    const { nodeId, number, pid, runs } = await busiestWorker(this.#installation);
    this.hits.add(runs.map(({ id }) => id));
    if (inTransaction) await this.#stopInTransaction(pid, nodeId);
    else process.kill(pid, 'SIGSTOP');
    this.#installation.note(`worker node-${number} frozen, with ${runs.length} runs`);
    const sinceMs = Date.now();
    let seconds: number;
    try {
      seconds = await untilResumed(this.#installation, runs, { sinceMs, seconds: 120 });
    } finally {
      // It continues as a node that has lost its runs, whether or not its lanes were ended.
      process.kill(pid, 'SIGCONT');
    }
    const thawedAtMs = Date.now();
    const hasBeaten = async () => {
      const rows = await this.#installation.query(
        'SELECT 1 FROM "ComputeNode" WHERE id = $1 AND "lastHeartbeatAt" > to_timestamp($2::float8 / 1000)',
        [nodeId, thawedAtMs],
      );
      return rows.length > 0;
    };
    await this.#installation.until('the frozen worker is a node again', hasBeaten, 60);
    return seconds;
  }

  async hitLane(signal: 'SIGSTOP' | 'SIGKILL'): Promise<number> {
    const { number, pid, runs } = await busiestWorker(this.#installation);
    const taskIds = runs.map(({ id }) => id);
    this.hits.add(taskIds);
    const lane = processTree(pid).find(({ parentPid, name }) => parentPid === pid && name.startsWith('node'));
    if (!lane) throw new Error(`Worker node-${number} has no lane.`);
    process.kill(lane.pid, signal);
    // Frames that the lane sent before the signal do not count.
    return this.#untilFrames(taskIds, Date.now() + 1_500, 90);
  }

  async freezeApi(): Promise<number> {
    const { pid } = this.#installation.api;
    process.kill(pid, 'SIGSTOP');
    const before = await this.#epochs();
    await pause(20_000);
    const fresh = await this.#installation.runsWithFrames(this.#taskIds, Date.now() - 5_000);
    if (fresh < this.#taskIds.length) this.faults.push('runs stood still while the API was frozen');
    process.kill(pid, 'SIGCONT');
    const seconds = await this.#installation.untilReady();
    await this.#requireSameEpochs(before, 'the API was frozen');
    return seconds;
  }

  async killApi(): Promise<number> {
    const before = await this.#epochs();
    await this.#installation.api.kill();
    const seconds = await this.#untilFrames(this.#taskIds, Date.now(), 60);
    this.#installation.startApi();
    await this.#installation.untilReady();
    await this.#requireSameEpochs(before, 'the API was killed');
    return seconds;
  }

  async killWorkers(): Promise<number> {
    this.hits.add(this.#taskIds);
    const { workers } = this.#installation;
    await Promise.all(workers.map((worker) => worker.kill()));
    const killedAtMs = Date.now();
    for (const number of workers.keys()) this.#installation.startWorker(number);
    const seconds = await this.#untilFrames(this.#taskIds, killedAtMs, 180);
    const nodes = await this.#installation.query<{ id: string }>(
      `SELECT id FROM "ComputeNode" WHERE name LIKE 'node-%'`,
    );
    for (const { id } of nodes) await untilRestarted(this.#installation, id, killedAtMs);
    return seconds;
  }

  /** Stops a worker again and again until one of its transactions has locked rows of runs. */
  async #stopInTransaction(pid: number, nodeId: string): Promise<void> {
    for (let tries = 1; tries <= 2_000; tries++) {
      this.tries++;
      process.kill(pid, 'SIGSTOP');
      // Meanwhile the database executes what the worker had already sent.
      await pause(30);
      const locks = await this.#installation.query(
        `SELECT 1 FROM pg_stat_activity a JOIN pg_locks l USING (pid) JOIN "ComputeNode" n ON n.id = $1
         WHERE a.application_name = $2 || n.incarnation AND a.state = 'idle in transaction' AND l.granted
           AND l.relation = '"AnalysisTask"'::regclass AND l.mode IN ('RowExclusiveLock', 'RowShareLock')`,
        [nodeId, WORKER_SESSIONS],
      );
      if (locks.length > 0) return;
      process.kill(pid, 'SIGCONT');
      await pause(20 + 200 * Math.random());
    }
    throw new Error('The worker was never in the middle of a transaction.');
  }

  /** @returns seconds from now until every one of these runs has a frame newer than `sinceMs` */
  async #untilFrames(taskIds: readonly string[], sinceMs: number, seconds: number): Promise<number> {
    const startedMs = performance.now();
    await pause(Math.max(0, sinceMs - Date.now()));
    await this.#installation.untilFrames(taskIds, sinceMs, seconds);
    return Math.round(performance.now() - startedMs) / 1000;
  }

  #epochs(): Promise<{ id: string; epoch: number }[]> {
    return this.#installation.query('SELECT id, epoch FROM "AnalysisTask" WHERE id = ANY($1) ORDER BY id', [
      this.#taskIds,
    ]);
  }

  async #requireSameEpochs(before: readonly { epoch: number }[], when: string): Promise<void> {
    const now = await this.#epochs();
    if (now.some(({ epoch }, at) => epoch !== before[at]?.epoch))
      this.faults.push(`another node took runs over while ${when}`);
  }
}
