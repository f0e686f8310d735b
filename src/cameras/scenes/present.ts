import type { z } from 'zod';
import type { Target } from '../../catalogue/waits/target.ts';
import { storedMetrics } from '../../metrics/measured-by-zones.ts';
import { presentTills, type TillScene } from '../../metrics/tills/live-tills.ts';
import type { Scene } from '../../platform/prisma-client/client.ts';
import { storedConfig } from '../../vision/stored-config.ts';
import { targetOf } from '../target.ts';
import type { ListedScene } from './scene.store.ts';
import { sceneWarnings } from './scene-warnings.ts';
import type { scene, sceneListItem } from './schema.ts';

type SceneJson = z.input<typeof scene>;

/** A scene as the API shows it. Rows that do not name a recording are of cameras. */
export const presentScene = (
  row: Scene & { readonly recordingId?: string | null },
  effectiveTarget: Target | null,
  now: Date,
): SceneJson => {
  const config = storedConfig.parse(row.config);
  return {
    id: row.id,
    deviceId: row.deviceId,
    recordingId: row.recordingId ?? null,
    name: row.name,
    description: row.description,
    analysisType: row.analysisType,
    status: row.status,
    analysisStatus: row.analysisStatus,
    analysisStartedAt: row.analysisStartedAt?.toISOString() ?? null,
    processingComputeNodeId: row.processingComputeNodeId,
    config,
    target: targetOf(row),
    effectiveTarget,
    latestMetrics: presentLatest(row, now),
    metricsUpdatedAt: row.metricsUpdatedAt?.toISOString() ?? null,
    warnings: sceneWarnings(config),
    userId: row.userId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
};

/** The newest numbers of a scene and its tills; null before the first frame. */
function presentLatest(row: TillScene, now: Date): SceneJson['latestMetrics'] {
  const metrics = storedMetrics(row.latestMetrics);
  return metrics && { ...metrics, tills: presentTills(row, now) };
}

/** A scene in a list. */
export const presentListedScene = (row: ListedScene): z.input<typeof sceneListItem> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  analysisType: row.analysisType,
  status: row.status,
  analysisStatus: row.analysisStatus,
});
