import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { progress } from '../support/terminal.ts';
import { faultsOfAlerts } from './alerts/check-alerts.ts';
import { type ModelServer, startModelServer } from './alerts/model-server.ts';
import { ask } from './history.ts';
import type { Installation, Watched } from './installation.ts';
import { installedPart } from './part.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RULES_PER_SCENE = 5;
/** How long a worker lives after its first frames, at most. */
const LIFE_MS = 3_000;
/** Claims of the dead lapse after 20 s; then somebody has to look. */
const DRAIN_SECONDS = 180;

export interface AlertsOptions {
  readonly kills: number;
  readonly firings: number;
  readonly rules: number;
  /** Seconds of frame time in a second. */
  readonly speed: number;
}

export interface AlertsResult {
  readonly kills: number;
  readonly rules: number;
  readonly firings: number;
  readonly insightsCompleted: number;
  /** Of alerts whose worker died before their picture was stored: said as SNAPSHOT_MISSING. */
  readonly insightsWithoutPicture: number;
  /** Calls of the model whose answer nobody stored: made again. */
  readonly repeatedCalls: number;
  readonly seconds: number;
  readonly faults: readonly string[];
  readonly passed: boolean;
}

export const alerts = installedPart({
  name: 'alerts',
  description:
    'kill -9 of a worker, again and again, while rules fire and insights are written; made-up frames.',
  options: {
    kills: ['kills', 100],
    firings: ['alerts at least', 1_000],
    rules: ['rules, five a scene', 50],
    speed: ['seconds of frame time in a second', 20],
  },
  // Only the worker that is killed writes insights.
  needs: { workers: 0, apiJobs: false },
  run: runAlerts,
});

/** kill -9 of the worker while rules fire, their insights are written and all of it is charged. */
export async function runAlerts(installation: Installation, options: AlertsOptions): Promise<AlertsResult> {
  const model = await startModelServer();
  const worker = new KilledWorker(installation, model, options.speed);
  const startedMs = performance.now();
  try {
    worker.start();
    await installation.until('the worker is a node', async () => (await installation.liveNodes()) > 0, 120);
    for (const camera of await addRules(installation, options.rules)) await installation.start(camera);
    const bar = progress('kills', options.kills, 'kills');
    for (let kills = 0; kills < options.kills; kills++) {
      await worker.sees();
      await pause(Math.random() * LIFE_MS);
      await worker.kill();
      worker.start();
      bar.update(kills + 1);
    }
    bar.stop();
    const url = installation.databaseUrl;
    await installation.until(
      `${options.firings} firings`,
      async () => (await count(url, 'AlertEvent')) >= options.firings,
      1_800,
    );
    await worker.end();
    worker.start();
    await stopAll(installation);
    await installation.until(
      'every insight is written',
      async () => (await count(url, 'Insight', `"vlmStatus" = 'pending'`)) === 0,
      DRAIN_SECONDS,
    );
    await worker.end();
    const firings = await count(url, 'AlertEvent');
    const insightsCompleted = await count(url, 'Insight', `"vlmStatus" = 'completed'`);
    const insightsWithoutPicture = await count(url, 'Insight', `"vlmError" = 'SNAPSHOT_MISSING'`);
    const faults = await faultsOfAlerts(url, worker.baseMs);
    return {
      kills: options.kills,
      rules: options.rules,
      firings,
      insightsCompleted,
      insightsWithoutPicture,
      repeatedCalls: model.calls - insightsCompleted,
      seconds: Math.round((performance.now() - startedMs) / 1000),
      faults,
      passed:
        faults.length === 0 &&
        firings >= options.firings &&
        insightsCompleted + insightsWithoutPicture === firings,
    };
  } finally {
    await worker.kill();
    await model.stop();
  }
}

/** Scenes with rules that all fire in every round, each at its own number of people. */
async function addRules(installation: Installation, rules: number): Promise<Watched[]> {
  const cameras: Watched[] = [];
  for (let made = 0; made < rules; made++) {
    const threshold = made % RULES_PER_SCENE;
    if (threshold === 0) {
      const number = cameras.length + 1;
      cameras.push(await installation.addCamera(`Alerts ${number}`, `sim:shop?seed=${number}`, 1));
    }
    await installation.client.post('/alerts/rules', {
      name: `More than ${threshold}`,
      sceneId: cameras.at(-1)!.sceneId,
      severity: 'warning',
      conditions: [{ metricPath: 'current.inQueue', operator: 'GT', threshold }],
      cooldownMinutes: 1,
    });
  }
  return cameras;
}

async function stopAll(installation: Installation): Promise<void> {
  const devices = await ask<{ id: string }>(installation.databaseUrl, `SELECT id FROM "Device"`);
  for (const { id } of devices) await installation.stop({ deviceId: id, sceneId: '' });
}

async function count(url: string, table: 'AlertEvent' | 'Insight', where = 'true'): Promise<number> {
  const [row] = await ask<{ many: number }>(
    url,
    `SELECT count(*)::int AS many FROM "${table}" WHERE ${where}`,
  );
  return row?.many ?? 0;
}

/** The worker of the harness, one life after the other. */
class KilledWorker {
  readonly baseMs = Math.floor(Date.now() / 1000) * 1000;
  readonly #installation: Installation;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(installation: Installation, model: ModelServer, speed: number) {
    this.#installation = installation;
    this.#environment = {
      ...process.env,
      ...installation.environment,
      ...{ NODE_NAME: 'chaos-alerts', LOG_LEVEL: 'warn' },
      ...{ CHAOS_BASE_MS: String(this.baseMs), CHAOS_SPEED: String(speed) },
      ...{ VLM_PROVIDER: 'openai', VLM_URL: model.url, VLM_MODEL: 'made-up', VLM_TIMEOUT_SECONDS: '5' },
      // The dead hold theirs for a while.
      ...{ VLM_CONCURRENCY: '64', VLM_USER_CONCURRENCY: '64' },
    };
  }

  start(): void {
    const log = openSync(join(this.#installation.folder, 'alerts-worker.log'), 'a', 0o600);
    const file = 'scripts/chaos/alerts/injecting-worker.ts';
    const child = spawn(process.execPath, ['--import', 'tsx', file], {
      ...{ cwd: ROOT, env: this.#environment, stdio: ['ignore', log, log, 'ipc'] },
    });
    closeSync(log);
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', resolve));
    this.#installation.note(`worker started, pid ${child.pid}`);
  }

  /** Until frames of this life are stored. */
  async sees(): Promise<void> {
    const frames = async () => {
      const sql = `SELECT coalesce(sum(extract(epoch FROM "lastFrameAt")), 0)::text AS seen FROM "AnalysisTask"`;
      return (await ask<{ seen: string }>(this.#installation.databaseUrl, sql))[0]!.seen;
    };
    const before = await frames();
    await this.#installation.until('frames are stored', async () => (await frames()) !== before, 120);
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#ended;
    this.#installation.note('kill -9');
  }

  async end(): Promise<void> {
    this.#child?.kill('SIGTERM');
    await this.#ended;
  }
}
