import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '../../src/platform/config.ts';
import { ApiCallError, ApiClient } from '../support/api-client.ts';
import { readKey } from '../support/database.ts';
import { ensureRule } from './alerts.ts';
import {
  type DemoCamera,
  demoCamera,
  drawnScene,
  ensureScene,
  requireReadable,
  stopRunOf,
} from './camera.ts';
import { becomeDemo, runningDemo } from './one-demo.ts';
import { type Ends, type Service, say, startService } from './service.ts';
import { showMetrics } from './show-metrics.ts';
import { complaintOf, failIfEnded, untilReady } from './until-ready.ts';
import { ensureWebhook, webhookEnvironment } from './webhook.ts';

export interface DemoOptions {
  readonly source?: string;
  readonly zones?: string;
  readonly webhook?: string;
  readonly seconds?: number;
  /** The folder `demo` of DATA_DIR by default. */
  readonly data?: string;
  readonly port: number;
}

/**
 * Runs the whole service on this machine and uses it over HTTP, as a client does.
 * @throws Error with one sentence that says what to do
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const camera = demoCamera(options);
  const folder = resolve(options.data ?? join(loadConfig().dataDir, 'demo'));
  await refuseSecond(folder);
  const environment = {
    ...(options.webhook && webhookEnvironment(options.webhook)),
    // The file of the command line may be in any folder.
    ...(options.source && { MEDIA_ROOT: process.env.MEDIA_ROOT ?? '/' }),
  };
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // Nobody reads a closed terminal, or the rest of `npm run demo | head`: the demo ends as with Ctrl-C.
  for (const output of [process.stdout, process.stderr]) output.on('error', stop);
  const ends: Ends = [];
  try {
    if (options.source) await requireReadable(camera, environment);
    const demo = becomeDemo(folder);
    if (!demo) return await refuseSecond(folder);
    ends.push(async () => demo.end());
    const at = { folder, port: options.port };
    const service = await startService(at, environment, { ends, signal: interrupt.signal });
    demo.isAt(service.baseUrl);
    await watch(service, camera, { ...options, ends });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
  } finally {
    if (ends.length > 0) say('Ending …');
    for (const end of ends.reverse()) await end().catch((error: unknown) => say(String(error)));
  }
}

/** @throws Error that says how to look at the demo that runs in this folder */
async function refuseSecond(folder: string): Promise<void> {
  const running = runningDemo(folder);
  if (!running) return;
  const { owner, baseUrl } = running;
  const client = baseUrl && new ApiClient(baseUrl, readKey(folder));
  // A demo that is just ending makes no link.
  const link = client && (await signInLink({ client, baseUrl }, '/').catch(() => baseUrl));
  throw new Error(
    `A demo runs in ${folder} already (process ${owner.pid}). ${link ? `Open its page:\n\n  ${link}\n` : 'It is still starting, and prints a link to its page.'}\n` +
      'To start another one beside it, give it a folder of its own: npm run demo -- --data FOLDER',
  );
}

async function watch(
  service: Service,
  camera: DemoCamera,
  { webhook, seconds, ends }: DemoOptions & { readonly ends: Ends },
): Promise<void> {
  const { client, programs } = service;
  const invite = async (deviceId: string) =>
    say(
      `\nDraw where people wait on this page:\n\n  ${await signInLink(service, `/cameras/${deviceId}/setup`)}\n`,
    );
  const isDrawn = camera.config !== null;
  if (isDrawn) say(`\nOpen the page:\n\n  ${await signInLink(service, '/')}\n`);
  const ids = isDrawn ? await ensureScene(client, camera) : await drawnScene(service, camera, invite);
  if (webhook) await ensureWebhook(client, { url: webhook, sceneId: ids.sceneId });
  await ensureRule(client, ids.sceneId);
  await untilReady(service, () => startAnalysis(client, ids));
  ends.push(() => stopRunOf(client, ids.deviceId));
  say(`Analysing ${camera.name}.\n`);
  if (process.stdout.isTTY) process.stdout.write(`${howToCall({ ...service, ...ids })}\n\n`);
  const result = await showMetrics(service, { ...ids, seconds: seconds ?? Number.POSITIVE_INFINITY });
  if (!process.stdout.isTTY) process.stdout.write(`\n${howToCall({ ...service, ...ids })}\n`);
  process.stdout.write(`\n${result.summary}\n`);
  if (!isDrawn && seconds === undefined) await keepPage(service);
  if (!result.metricsArrived) {
    throw new Error(complaintOf(programs[1]!, 'No metrics arrived'));
  }
}

/**
 * @returns whether the analysis has started; false while no worker is available
 * @throws ApiCallError when the camera cannot be read, or for another error that waiting does not solve
 */
async function startAnalysis(
  client: ApiClient,
  { deviceId, sceneId }: { readonly deviceId: string; readonly sceneId: string },
): Promise<boolean> {
  try {
    await client.post(`/devices/${deviceId}/analysis/start`, { sceneId });
    return true;
  } catch (error) {
    if (error instanceof ApiCallError && error.code === 'NO_COMPUTE_NODE') return false;
    // The page, on which the zones were drawn, has started it.
    if (error instanceof ApiCallError && error.code === 'ALREADY_RUNNING') return true;
    throw error;
  }
}

/** A file ends sooner than somebody who looks at its numbers on the page. */
async function keepPage({ programs, signal }: Service): Promise<void> {
  if (!signal.aborted) say('The analysis has ended. The page stays open until Ctrl-C.');
  while (!signal.aborted) {
    failIfEnded(programs);
    await pause(1000, undefined, { signal }).catch(() => undefined);
  }
}

/** A link to a place of the page. It signs in once, within five minutes. */
async function signInLink(
  { client, baseUrl }: Pick<Service, 'client' | 'baseUrl'>,
  place: string,
): Promise<string> {
  const { code } = await client.post<{ code: string }>('/login-codes', {
    ...{ kind: 'person', role: 'owner', label: 'Demo' },
  });
  return `${baseUrl}/#${place}?code=${code}`;
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
