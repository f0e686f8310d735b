import { setTimeout as pause } from 'node:timers/promises';
import type { Camera, Installation } from '../support/installation.ts';
import { progress } from '../support/terminal.ts';
import { addPast } from './past.ts';

const CAMERAS = ['Checkout 1', 'Checkout 2', 'Bakery counter'];
const TIMEZONE = 'Europe/Berlin';
/** What the wizard proposes first. */
const TARGET = { waitSeconds: 300, share: 0.8 };
/** Enough for the pictures also on a busy machine, so that no screen warns of overload. */
const FPS = 2;

/** What the pictures show. */
export interface Shop {
  readonly cameras: readonly Camera[];
  readonly siteId: string;
}

/**
 * Adds a shop with three cameras, days before today, rules and alerts, and lets it run.
 * @param seconds how long it runs after the first frames
 */
export async function addShop(installation: Installation, seconds: number): Promise<Shop> {
  const { client } = installation;
  const cameras: Camera[] = [];
  for (const [at, name] of CAMERAS.entries()) {
    const camera = await installation.addCamera(name, `sim:shop?seed=${at + 1}&start=${180 + 60 * at}`, FPS);
    await client.patch(`/devices/${camera.deviceId}`, { timezone: TIMEZONE, plan: 'LEVEL_02' });
    cameras.push(camera);
  }
  const deviceIds = cameras.map(({ deviceId }) => deviceId);
  const site = { name: 'Market Street', timezone: TIMEZONE, deviceIds, target: TARGET };
  const { id: siteId } = await client.post<{ id: string }>('/sites', site);
  await addPast(installation, cameras);
  for (const [at, { sceneId }] of cameras.entries()) await addRules(installation, sceneId, at);

  process.stderr.write('Starting the shops …\n');
  const taskIds: string[] = [];
  for (const camera of cameras) taskIds.push(await installation.start(camera));
  await installation.untilFrames(taskIds, 0, 180);
  const bar = progress('shops', seconds, 'seconds');
  for (let second = 0; second < seconds; second++) {
    await pause(1_000);
    bar.step();
  }
  bar.stop();
  return { cameras, siteId };
}

async function addRules({ client }: Installation, sceneId: string, at: number): Promise<void> {
  const add = (name: string, severity: string, metricPath: string, threshold: number) =>
    client.post('/alerts/rules', {
      ...{ name, sceneId, severity, cooldownMinutes: 1 },
      conditions: [{ metricPath, operator: 'GTE', threshold }],
    });
  await add('Queue is growing', 'warning', 'current.inQueue', 5 + at);
  await add('Somebody waits too long', 'critical', 'current.maxWaitSeconds', 90);
}
