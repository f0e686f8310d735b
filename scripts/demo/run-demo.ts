import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiCallError, ApiClient } from '../support/api-client.ts';
import { ensureKey, migrate, openDatabase } from '../support/database.ts';
import { freePort } from '../support/loopback.ts';
import { lastLines, type Program, startProgram } from '../support/programs.ts';
import { AlertNews, ensureRule } from './alerts.ts';
import { type DemoCamera, demoCamera, ensureScene, requireReadable, stopRunOf } from './camera.ts';
import { PeopleLine } from './people.ts';
import { openScreen, type ShownMetrics } from './screen.ts';
import { ensureWebhook, webhookEnvironment } from './webhook.ts';

export interface DemoOptions {
  readonly source?: string;
  readonly zones?: string;
  readonly webhook?: string;
  readonly seconds?: number;
  readonly data: string;
  readonly port: number;
}

/** What has to be ended, in reverse order of starting. */
type Ends = (() => Promise<unknown>)[];

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/**
 * The whole service on this machine, driven over HTTP as a client would.
 * @throws Error with one sentence that says what to do
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const camera = demoCamera(options);
  const webhook = options.webhook ? webhookEnvironment(options.webhook) : {};
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // A terminal that was closed, or `npm run demo | head`: nobody reads on, so it ends as at Ctrl-C.
  for (const output of [process.stdout, process.stderr]) output.on('error', stop);
  const ends: Ends = [];
  try {
    if (options.source) await requireReadable(camera, demoEnvironment(options));
    const service = await startService({ ...options, webhook }, ends, interrupt.signal);
    await watch({
      ...service,
      camera,
      webhook: options.webhook,
      seconds: options.seconds,
      ends,
      signal: interrupt.signal,
    });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
  } finally {
    if (ends.length > 0) say('Ending …');
    for (const end of ends.reverse()) await end().catch((error: unknown) => say(String(error)));
  }
}

/** A file that was named on the command line may be read wherever it lies. */
const demoEnvironment = ({ source }: { readonly source?: string }): Record<string, string> =>
  source ? { MEDIA_ROOT: process.env.MEDIA_ROOT ?? '/' } : {};

interface Service {
  readonly client: ApiClient;
  readonly baseUrl: string;
  readonly key: string;
  readonly programs: readonly Program[];
}

async function startService(
  options: Omit<DemoOptions, 'webhook'> & { readonly webhook: Record<string, string> },
  ends: Ends,
  signal: AbortSignal,
): Promise<Service> {
  const folder = resolve(options.data);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  say('Starting Postgres …');
  const database = await openDatabase(folder);
  ends.push(() => database.stop());
  signal.throwIfAborted();
  say('Migrating …');
  await migrate(database.url);
  const key = await ensureKey(database.url, folder);
  signal.throwIfAborted();

  say('Starting the API and one worker (the first start prepares the detection model, about 20 s) …');
  const port = await freePort(options.port);
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: baseUrl,
    ...options.webhook,
    ...demoEnvironment(options),
  };
  const programs = ['api', 'worker'].map((name) => startProgram(`src/${name}.ts`, env, folder));
  ends.push(() => Promise.all(programs.map((program) => program.stop())));
  const client = new ApiClient(baseUrl, key);
  await until(signal, programs, async () => (await fetch(`${baseUrl}/readyz`)).ok);
  return { client, baseUrl, key, programs };
}

interface Watch extends Service {
  readonly camera: DemoCamera;
  readonly webhook: string | undefined;
  readonly seconds: number | undefined;
  readonly ends: Ends;
  readonly signal: AbortSignal;
}

async function watch({ client, camera, programs, signal, ...rest }: Watch): Promise<void> {
  const { deviceId, sceneId } = await ensureScene(client, camera);
  if (rest.webhook) await ensureWebhook(client, { url: rest.webhook, sceneId });
  await ensureRule(client, sceneId);
  await until(signal, programs, () => startAnalysis(client, deviceId, sceneId));
  rest.ends.push(() => stopRunOf(client, deviceId));
  say(`Analysing ${camera.name}.\n`);
  if (process.stdout.isTTY) process.stdout.write(`${howToCall({ ...rest, deviceId, sceneId })}\n\n`);
  const result = await showMetrics({ client, programs, signal, deviceId, sceneId, seconds: rest.seconds });
  if (!process.stdout.isTTY) process.stdout.write(`\n${howToCall({ ...rest, deviceId, sceneId })}\n`);
  process.stdout.write(`\n${result.summary}\n`);
  if (!result.metricsArrived) {
    throw new Error(`No metrics arrived. The last lines of the worker:\n${lastLines(programs[1]!)}`);
  }
}

/**
 * @returns true once accepted; false while the worker is not there yet
 * @throws ApiCallError when the camera cannot be read, or whatever else will not mend itself
 */
async function startAnalysis(client: ApiClient, deviceId: string, sceneId: string): Promise<boolean> {
  try {
    await client.post(`/devices/${deviceId}/analysis/start`, { sceneId });
    return true;
  } catch (error) {
    if (error instanceof ApiCallError && error.code === 'NO_COMPUTE_NODE') return false;
    throw error;
  }
}

interface Shown {
  readonly client: ApiClient;
  readonly programs: readonly Program[];
  readonly deviceId: string;
  readonly sceneId: string;
  readonly seconds: number | undefined;
  readonly signal: AbortSignal;
}

interface RunState {
  devices: {
    scenes: {
      sceneId: string;
      status: string;
      stats: { fps: number; droppedFrames: number; processedFrames: number };
    }[];
  }[];
}

/** Shows the metrics each second until the time is over, the run ends or Ctrl-C. */
async function showMetrics(shown: Shown): Promise<{ metricsArrived: boolean; summary: string }> {
  const { client, sceneId, signal } = shown;
  const screen = openScreen(process.stdout);
  const alerts = new AlertNews(client, sceneId);
  const people = new PeopleLine(client, shown.deviceId);
  const startedAt = performance.now();
  const runSeconds = () => (performance.now() - startedAt) / 1000;
  let latest: ShownMetrics | null = null;
  let metricsArrived = false;
  let frames = 0;
  let firstUpdate: string | null | undefined;
  while (!signal.aborted && runSeconds() < (shown.seconds ?? Number.POSITIVE_INFINITY)) {
    failIfEnded(shown.programs);
    const scene = await client.get<{
      latestMetrics: ShownMetrics | null;
      metricsUpdatedAt: string | null;
      analysisStatus: string;
    }>(`/scenes/${sceneId}`);
    firstUpdate ??= scene.metricsUpdatedAt ?? '';
    // A second start finds the numbers of the first: only new ones count.
    metricsArrived ||= scene.metricsUpdatedAt !== null && scene.metricsUpdatedAt !== firstUpdate;
    latest = scene.latestMetrics;
    const state = await client.get<RunState>(`/devices/${shown.deviceId}/analysis/status`);
    const run = state.devices.flatMap(({ scenes }) => scenes).find((s) => s.sceneId === sceneId);
    frames = run?.stats.processedFrames ?? frames;
    if (latest && metricsArrived) {
      screen.show({
        metrics: latest,
        fps: run?.stats.fps ?? 0,
        droppedFrames: run?.stats.droppedFrames ?? 0,
        runSeconds: runSeconds(),
        people: await people.line(),
      });
    }
    const news = await alerts.next();
    if (news) screen.note(news);
    if (['stopped', 'error'].includes(scene.analysisStatus)) break;
    await pause(1000, undefined, { signal }).catch(() => undefined);
  }
  const total = latest?.total;
  const summary = `${Math.round(runSeconds())} s, ${frames} frames: ${total?.arrivals ?? 0} arrived, ${total?.completed.count ?? 0} served, ${total?.abandoned.count ?? 0} gave up (since this scene was first started).`;
  return { metricsArrived, summary };
}

function howToCall(at: { baseUrl: string; key: string; deviceId: string; sceneId: string }): string {
  const curl = (path: string) => `curl -s -H "Authorization: Bearer ${at.key}" "${at.baseUrl}/api/v1${path}"`;
  return [
    `API      ${at.baseUrl}/api/v1`,
    `API key  ${at.key}`,
    curl(`/scenes/${at.sceneId}`),
    curl(`/devices/${at.deviceId}/analysis/status`),
    curl(`/analytics/snapshots/latest?sceneId=${at.sceneId}&limit=3`),
    curl(`/analytics/rolling/latest?sceneId=${at.sceneId}`),
    curl(`/analysis/attributes?deviceId=${at.deviceId}&limit=1`),
  ].join('\n');
}

function failIfEnded(programs: readonly Program[]): void {
  const ended = programs.find((program) => !program.running);
  if (ended) {
    throw new Error(`The ${ended.name} ended. Its last lines (${ended.logFile}):\n${lastLines(ended)}`);
  }
}

/** Tries each half second, for two minutes at most; errors of the connection mean "not yet". */
async function until(
  signal: AbortSignal,
  programs: readonly Program[],
  ready: () => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + 120_000;
  let lastError: unknown;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    failIfEnded(programs);
    try {
      if (await ready()) return;
    } catch (error) {
      if (error instanceof ApiCallError) throw error;
      lastError = error;
    }
    await pause(500, undefined, { signal });
  }
  const worker = programs.at(-1)!;
  throw new Error(
    `The service was not ready within two minutes${lastError ? ` (${String(lastError)})` : ''}. Its last lines (${worker.logFile}):\n${lastLines(worker)}`,
  );
}
