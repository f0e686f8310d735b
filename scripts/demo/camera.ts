import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CameraAccess } from '../../src/cameras/devices/camera-access.ts';
import { probeStream } from '../../src/cameras/devices/probe-stream.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { explain, explained } from '../../src/platform/explain/explain.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { sceneConfigSchema } from '../../src/vision/scene-config.ts';
import { ApiCallError, type ApiClient } from '../support/api-client.ts';
import type { Service } from './service.ts';
import { failIfEnded } from './until-ready.ts';

export interface DemoCamera {
  readonly name: string;
  readonly streamUrl: string;
  /** Null where somebody draws the zones on the page. */
  readonly config: unknown;
}

/** The simulated shop, or the camera of `--source URL|FILE`, with `--zones FILE` (`{ zones, parameters }` as in the API) or without. */
export function demoCamera(options: { source?: string; zones?: string }): DemoCamera {
  if (!options.source) {
    if (options.zones) throw new Error('--zones belongs to --source: the simulated shop has its own zones.');
    return { name: 'Simulated shop', streamUrl: 'sim:shop?seed=1&start=120', config: { zones: SHOP_ZONES } };
  }
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(options.source);
  if (!isUrl && !existsSync(options.source)) throw new Error(`There is no file ${options.source}.`);
  const streamUrl = isUrl ? options.source : pathToFileURL(resolve(options.source)).href;
  return {
    name: isUrl ? withoutLogin(options.source) : options.source.split('/').slice(-2).join('/').slice(-100),
    streamUrl,
    config: options.zones ? readZones(options.zones) : null,
  };
}

/** The name of the camera stands on every screen. */
const withoutLogin = (url: string): string => url.replace(/\/\/[^/?#]*@/, '//').slice(0, 100);

/**
 * Probes the camera before anything is started, so that a wrong address is reported within seconds.
 * @throws Error with one sentence that says what is wrong and what to do
 */
export async function requireReadable(
  { streamUrl }: DemoCamera,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  process.stderr.write('Probing the camera …\n');
  const config = loadConfig({ ...process.env, ...environment });
  const { fault } = await probeStream(streamUrl, new CameraAccess(config), { networks: [] });
  if (!fault) return;
  const whatToDo =
    fault.reason === 'address_not_allowed'
      ? 'STREAM_ALLOW_HOSTS=HOST allows a host that is refused by default, STREAM_NETWORKS a network.'
      : 'Correct --source, or run the demo again when the camera is reachable.';
  throw new Error(`The demo was not started: ${fault.sentence} (${fault.reason})\n${whatToDo}`);
}

function readZones(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error(`Cannot read the zones file ${file}.`);
  }
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`);
  }
  const { error } = sceneConfigSchema.safeParse(config, explained());
  if (!error) return config;
  const faults = explain(error.issues, { input: config }).map(
    ({ path, message }) => `  ${path || 'the file'}: ${message}`,
  );
  throw new Error(`The zones of ${file} cannot be used:\n${faults.join('\n')}`);
}

/** The plan with pedestrian attributes. */
const PLAN = 'LEVEL_02';

/** The code of a link ends after five minutes. */
const INVITE_EVERY_MS = 280_000;

export interface DemoScene {
  readonly deviceId: string;
  readonly sceneId: string;
}

interface Named {
  id: string;
  name: string;
}

/** Finds the device of this camera, or creates it. A second start continues with the same data. */
async function ensureDevice(client: ApiClient, camera: DemoCamera): Promise<Named> {
  const devices = await client.get<Named[]>('/devices?limit=100');
  const known = devices.find(({ name }) => name === camera.name);
  if (known) {
    await stopRunOf(client, known.id);
    await client.patch(`/devices/${known.id}`, { streamUrl: camera.streamUrl, plan: PLAN });
  }
  const { name, streamUrl } = camera;
  return (
    known ?? (await client.post<Named>('/devices', { name, streamUrl, plan: PLAN, timezone: ownZone() }))
  );
}

/** The camera is probably here. */
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

async function findScene(client: ApiClient, deviceId: string): Promise<Named | undefined> {
  const [scene] = await client.get<Named[]>(`/scenes?limit=1&deviceId=${deviceId}`);
  return scene;
}

/** Finds the device and scene of this camera, or creates them, with the zones of the camera. */
export async function ensureScene(client: ApiClient, camera: DemoCamera): Promise<DemoScene> {
  const device = await ensureDevice(client, camera);
  const scene = await findScene(client, device.id);
  if (scene) {
    await client.patch(`/scenes/${scene.id}`, { config: camera.config });
    return { deviceId: device.id, sceneId: scene.id };
  }
  const made = await client.post<Named>('/scenes', {
    deviceId: device.id,
    name: 'Queue and checkout',
    analysisType: 'queue_analysis',
    config: camera.config,
  });
  return { deviceId: device.id, sceneId: made.id };
}

/**
 * The scene that somebody draws on the page, or has drawn before.
 * @param invite is called every few minutes, until a scene exists
 */
export async function drawnScene(
  { client, programs, signal }: Pick<Service, 'client' | 'programs' | 'signal'>,
  camera: DemoCamera,
  invite: (deviceId: string) => Promise<void>,
): Promise<DemoScene> {
  const device = await ensureDevice(client, camera);
  let invitedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    failIfEnded(programs);
    const scene = await findScene(client, device.id);
    if (scene) return { deviceId: device.id, sceneId: scene.id };
    if (performance.now() - invitedAt > INVITE_EVERY_MS) {
      await invite(device.id);
      invitedAt = performance.now();
    }
    await pause(1000, undefined, { signal });
  }
}

/** Stops the run of the device if there is one, because an earlier demo may have been killed. */
export async function stopRunOf(client: ApiClient, deviceId: string): Promise<void> {
  await client.post(`/devices/${deviceId}/analysis/stop`, {}).catch((error: unknown) => {
    if (!(error instanceof ApiCallError && error.code === 'NOT_RUNNING')) throw error;
  });
}
