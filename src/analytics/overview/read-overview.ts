import type { z } from 'zod';
import { findDeviceConditions } from '../../cameras/devices/condition.store.ts';
import { NO_FAULT, type ShownCondition } from '../../cameras/devices/condition.ts';
import { targetOf } from '../../cameras/target.ts';
import type { Page, PageQuery } from '../../http/paging.ts';
import { storedCurrent } from '../../metrics/measured-by-zones.ts';
import { presentTills } from '../../metrics/tills/live-tills.ts';
import type { Context } from '../../platform/context.ts';
import { shownOf } from '../../runs/store/states.ts';
import { findLatestRuns, type LatestRun } from '../../runs/store/task.store.ts';
import { findWaiting, type WaitingFor } from '../../runs/store/waiting/waiting.store.ts';
import {
  findOverviewScenes,
  listOverviewDevices,
  type OverviewAdvice,
  type OverviewDeviceRow,
  type OverviewSceneRow,
  type OverviewUnusual,
} from './overview.store.ts';
import { type overviewDevice, SPARK, type siteOverview } from './schema.ts';
import type { SiteOverviewRow } from './site-overview.store.ts';

type DeviceJson = z.input<typeof overviewDevice>;
type SceneJson = DeviceJson['scenes'][number];

/** Devices with their scenes as they are now, in a constant number of statements. */
export async function readOverview(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: string,
  query: PageQuery & { siteId?: string | undefined },
): Promise<Page<DeviceJson>> {
  const { items: devices, total } = await listOverviewDevices(db, userId, query);
  const ids = devices.map(({ id }) => id);
  const [conditions, scenes, runs] = await Promise.all([
    findDeviceConditions(db, ids),
    findOverviewScenes(db, userId, ids),
    findLatestRuns(db, { userId, deviceIds: ids }),
  ]);
  const waiting = await findWaiting(db, runs);
  const runOf = new Map(runs.map((run) => [run.sceneId, run]));
  const scenesOf = new Map<string, OverviewSceneRow[]>(ids.map((id) => [id, []]));
  for (const scene of scenes) scenesOf.get(scene.deviceId)?.push(scene);
  const items = devices.map((device) => ({
    ...presentDevice(device, conditions.get(device.id) ?? NO_FAULT),
    scenes: (scenesOf.get(device.id) ?? []).map((scene) => ({
      ...presentScene(scene, runOf.get(scene.id), waiting),
      tills: presentTills(scene, clock.now()),
    })),
  }));
  return { items, total };
}

const presentDevice = (row: OverviewDeviceRow, condition: ShownCondition): Omit<DeviceJson, 'scenes'> => ({
  id: row.id,
  name: row.name,
  timezone: row.timezone,
  onlineStatus: row.onlineStatus,
  onlineChangedAt: row.onlineChangedAt?.toISOString() ?? null,
  lastFrameAt: row.lastFrameAt?.toISOString() ?? null,
  lastError: row.lastError,
  isDisabled: row.isDisabled,
  ...condition,
  siteIds: [...row.siteIds],
});

function presentAdvice({ startsMs, endsMs, ...advice }: OverviewAdvice): SceneJson['advice'] {
  return { ...advice, startsAt: new Date(startsMs).toISOString(), endsAt: new Date(endsMs).toISOString() };
}

const presentUnusual = ({ beganMs, ...unusual }: OverviewUnusual): SceneJson['unusual'] => ({
  ...unusual,
  beganAt: new Date(beganMs).toISOString(),
});

const presentScene = (
  row: OverviewSceneRow,
  run: LatestRun | undefined,
  waiting: ReadonlyMap<string, WaitingFor>,
): Omit<SceneJson, 'tills'> => ({
  id: row.id,
  name: row.name,
  sceneType: row.analysisType,
  status: row.status,
  analysisStatus: row.analysisStatus,
  run: run ? presentRun(run, waiting.get(run.id)) : null,
  effectiveTarget: row.effectiveTarget,
  advice: row.advice && presentAdvice(row.advice),
  unusual: row.unusual && presentUnusual(row.unusual),
  current: row.current && storedCurrent(row.current),
  serviceLevel: row.serviceLevel,
  metricsUpdatedAt: row.metricsUpdatedAt?.toISOString() ?? null,
  metricsAgeMs: row.metricsAgeMs === null ? null : Math.max(0, row.metricsAgeMs),
  isFiring: row.firingSeverity !== null,
  firingSeverity: row.firingSeverity,
  lastAlert: row.lastAlert && presentAlert(row.lastAlert),
  spark: {
    start: row.sparkStart.toISOString(),
    bucketSeconds: SPARK.bucketSeconds,
    avgInQueue: Array.from({ length: SPARK.values }, (_, at) => row.spark?.[at] ?? null),
  },
});

const presentRun = (run: LatestRun, waitingFor: WaitingFor | undefined): SceneJson['run'] => ({
  analysisId: run.id,
  status: shownOf(run).run,
  startedAt: run.startedAt?.toISOString() ?? null,
  errorMessage: run.errorMessage,
  ...(waitingFor && { waitingFor }),
});

const presentAlert = ({ triggeredMs, ...alert }: NonNullable<OverviewSceneRow['lastAlert']>) => ({
  ...alert,
  triggeredAt: new Date(triggeredMs).toISOString(),
});

export const presentSiteOverview = (row: SiteOverviewRow): z.input<typeof siteOverview> => ({
  id: row.id,
  name: row.name,
  timezone: row.timezone,
  target: targetOf(row),
  devices: row.devices,
  devicesOnline: row.devicesOnline,
  scenes: row.scenes,
  scenesMeasured: row.scenesMeasured,
  current: row.scenesMeasured === 0 ? null : row.current,
  serviceLevel: row.serviceLevel,
  isFiring: row.firingSeverity !== null,
  firingSeverity: row.firingSeverity,
  lastAlert: row.lastAlert && presentAlert(row.lastAlert),
});
