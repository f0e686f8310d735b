import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from '../support/installation.ts';
import { type Program, startProgram } from '../support/programs.ts';
import { progress } from '../support/terminal.ts';
import { faultsOfAlerts } from './alerts/check-alerts.ts';
import { type ModelServer, startModelServer } from './alerts/model-server.ts';
import { installedPart } from './part.ts';
import { verdict } from './verdict.ts';

const RULES_PER_SCENE = 5;
/** How long a worker lives after its first frames, at most. */
const LIFE_MS = 3_000;
/** Claims of a killed worker expire after 20 s; then another one must find them. */
const DRAIN_SECONDS = 180;

export const alerts = installedPart({
  name: 'alerts',
  description:
    'Kills a worker with SIGKILL, again and again, while rules fire and insights are written. Its frames are made up.',
  options: {
    kills: ['number of kills', 100],
    firings: ['least number of alerts', 1_000],
    rules: ['number of rules, five per scene', 50],
    speed: ['seconds of frame time in a second', 20],
  },
  // Only the worker that is killed shall write insights.
  needs: { workers: 0, environment: { API_JOBS: 'false' } },
  /** Kills the worker while rules fire, their insights are written and all of it is charged. */
  async run(installation, options) {
    const model = await startModelServer();
    const baseMs = Math.floor(Date.now() / 1000) * 1000;
    const startWorker = () => startInjectingWorker(installation, { model, baseMs, speed: options.speed });
    const startedMs = performance.now();
    let worker = startWorker();
    try {
      await installation.untilNodes(1);
      await startScenes(installation, options.rules);
      const bar = progress('kills', options.kills, 'kills');
      for (let kills = 0; kills < options.kills; kills++) {
        await untilNewFrames(installation);
        await pause(Math.random() * LIFE_MS);
        await worker.kill();
        installation.note('kill -9');
        worker = startWorker();
        bar.step();
      }
      bar.stop();
      const haveFired = async () => (await count(installation, 'AlertEvent')) >= options.firings;
      await installation.until(`${options.firings} firings`, haveFired, 1_800);
      await worker.stop();
      worker = startWorker();
      await stopAll(installation);
      const noneIsPending = async () =>
        (await count(installation, 'Insight', `"vlmStatus" = 'pending'`)) === 0;
      await installation.until('every insight is written', noneIsPending, DRAIN_SECONDS);
      await worker.stop();
      const firings = await count(installation, 'AlertEvent');
      const insightsCompleted = await count(installation, 'Insight', `"vlmStatus" = 'completed'`);
      const insightsWithoutPicture = await count(installation, 'Insight', `"vlmError" = 'SNAPSHOT_MISSING'`);
      const faults = await faultsOfAlerts(installation, baseMs);
      return {
        kills: options.kills,
        rules: options.rules,
        firings,
        insightsCompleted,
        /** Insights with SNAPSHOT_MISSING: their worker was killed before the images of the alert were stored. */
        insightsWithoutPicture,
        /** Calls of the model that were made again, because nobody stored their answer. */
        repeatedCalls: model.calls - insightsCompleted,
        seconds: Math.round((performance.now() - startedMs) / 1000),
        faults,
        ...verdict({
          faults: { is: faults.length, exactly: 0 },
          firings: { is: firings, atLeast: options.firings },
          insights: { is: insightsCompleted + insightsWithoutPicture, exactly: firings },
        }),
      };
    } finally {
      await worker.kill();
      await model.stop();
    }
  },
});

/** Adds scenes with rules that all fire in every round, each at its own number of people, and starts their analysis. */
async function startScenes(installation: Installation, rules: number): Promise<void> {
  const scenes = Math.ceil(rules / RULES_PER_SCENE);
  const cameras = [];
  for (let number = 1; number <= scenes; number++) {
    cameras.push(await installation.addCamera(`Alerts ${number}`, `sim:shop?seed=${number}`, 1));
  }
  for (let number = 0; number < rules; number++) {
    const camera = cameras[Math.floor(number / RULES_PER_SCENE)]!;
    const condition = { metric: 'inQueue', operator: 'GT', threshold: number % RULES_PER_SCENE };
    await installation.addRule(camera, condition);
  }
  for (const camera of cameras) await installation.start(camera);
}

async function stopAll(installation: Installation): Promise<void> {
  const devices = await installation.query<{ id: string }>(`SELECT id FROM "Device"`);
  for (const { id } of devices) await installation.stop({ deviceId: id, sceneId: '' });
}

async function count(installation: Installation, table: string, where = 'true'): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM "${table}" WHERE ${where}`;
  return (await installation.query<{ count: number }>(sql))[0]?.count ?? 0;
}

/** Waits until the current worker has stored frames. */
async function untilNewFrames(installation: Installation): Promise<void> {
  const frames = async () => {
    const sql = `SELECT coalesce(sum(extract(epoch FROM "lastFrameAt")), 0)::text AS seen FROM "AnalysisTask"`;
    return (await installation.query<{ seen: string }>(sql))[0]!.seen;
  };
  const before = await frames();
  await installation.until('frames are stored', async () => (await frames()) !== before, 120);
}

function startInjectingWorker(
  installation: Installation,
  { model, baseMs, speed }: { model: ModelServer; baseMs: number; speed: number },
): Program {
  const environment = {
    ...installation.environment,
    ...{ NODE_NAME: 'node-alerts', LOG_LEVEL: 'warn' },
    ...{ CHAOS_BASE_MS: String(baseMs), CHAOS_SPEED: String(speed) },
    ...{ VLM_PROVIDER: 'openai', VLM_URL: model.url, VLM_MODEL: 'made-up', VLM_TIMEOUT_SECONDS: '5' },
    // The claims of a killed worker take some of these until they expire.
    ...{ VLM_CONCURRENCY: '64', VLM_USER_CONCURRENCY: '64' },
  };
  const worker = startProgram('scripts/chaos/alerts/injecting-worker.ts', environment, installation.folder);
  installation.note(`worker started, pid ${worker.pid}`);
  return worker;
}
