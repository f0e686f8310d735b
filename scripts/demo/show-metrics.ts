import { setTimeout as pause } from 'node:timers/promises';
import { LatestAlert } from './alerts.ts';
import { PeopleLine } from './people.ts';
import { openScreen, type ShownMetrics } from './screen.ts';
import type { Service } from './service.ts';
import { failIfEnded } from './until-ready.ts';

interface SceneState {
  readonly latestMetrics: ShownMetrics | null;
  readonly metricsUpdatedAt: string | null;
  readonly analysisStatus: string;
}

interface RunStats {
  readonly fps: number;
  readonly droppedFrames: number;
  readonly processedFrames: number;
}

interface DeviceState {
  readonly devices: readonly {
    readonly scenes: readonly { readonly sceneId: string; readonly stats: RunStats }[];
  }[];
}

/** Shows the metrics every second until the time is over, the run ends or the demo is interrupted. */
export async function showMetrics(
  { client, programs, signal }: Service,
  { deviceId, sceneId, seconds }: { deviceId: string; sceneId: string; seconds: number },
): Promise<{ metricsArrived: boolean; summary: string }> {
  const screen = openScreen(process.stdout);
  const alerts = new LatestAlert(client, sceneId);
  const people = new PeopleLine(client, deviceId);
  const startedAt = performance.now();
  const runSeconds = () => (performance.now() - startedAt) / 1000;
  const { metricsUpdatedAt: firstUpdate } = await client.get<SceneState>(`/scenes/${sceneId}`);
  let latest: ShownMetrics | null = null;
  let metricsArrived = false;
  let stats: RunStats = { fps: 0, droppedFrames: 0, processedFrames: 0 };
  while (!signal.aborted && runSeconds() < seconds) {
    failIfEnded(programs);
    const scene = await client.get<SceneState>(`/scenes/${sceneId}`);
    // A second start finds the metrics of the first: only new ones count.
    metricsArrived ||= scene.metricsUpdatedAt !== null && scene.metricsUpdatedAt !== firstUpdate;
    latest = scene.latestMetrics;
    const { devices } = await client.get<DeviceState>(`/devices/${deviceId}/analysis/status`);
    const run = devices.flatMap(({ scenes }) => scenes).find((one) => one.sceneId === sceneId);
    stats = run?.stats ?? stats;
    if (latest && metricsArrived) {
      const { fps, droppedFrames } = run?.stats ?? { fps: 0, droppedFrames: 0 };
      const shown = { metrics: latest, fps, droppedFrames, runSeconds: runSeconds() };
      screen.show({ ...shown, people: await people.line() });
    }
    const news = await alerts.next();
    if (news) screen.note(news);
    if (['stopped', 'error'].includes(scene.analysisStatus)) break;
    await pause(1000, undefined, { signal }).catch(() => undefined);
  }
  const total = latest?.total;
  const summary = `${Math.round(runSeconds())} s, ${stats.processedFrames} frames: ${total?.arrivals ?? 0} arrived, ${total?.completed.count ?? 0} served, ${total?.abandoned.count ?? 0} gave up (since this scene was first started).`;
  return { metricsArrived, summary };
}
