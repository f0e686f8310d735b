import type { z } from 'zod';
import type { Context } from '../platform/context.ts';
import { imageUrl } from '../platform/images/image-url.ts';
import type { InsightDetailRow, InsightRow } from './insight.store.ts';
import {
  attributesSummary,
  type insight,
  type insightDetail,
  type insightSnapshot,
  structuredResult,
  type vlmSummary,
} from './schema.ts';

type InsightJson = z.input<typeof insight>;

/** The images that clients see: all but the thumbnail. */
const picturesOf = ({ alertEvent }: InsightRow) =>
  alertEvent.images.filter(({ kind }) => kind !== 'thumbnail');

function thumbnailUrl(context: Context, { alertEvent }: InsightRow): string | null {
  const thumbnail = alertEvent.images.find(({ kind }) => kind === 'thumbnail');
  return thumbnail ? imageUrl(context, thumbnail.objectKey) : null;
}

export const presentInsight = (context: Context, row: InsightRow): InsightJson => ({
  id: row.id,
  alertId: row.alertEventId,
  deviceId: row.deviceId,
  deviceName: row.device.name,
  sceneId: row.sceneId,
  sceneName: row.scene.name,
  severity: row.severity,
  triggeredAt: row.triggeredAt.toISOString(),
  message: row.alertEvent.message,
  metricPath: row.alertEvent.metricPath,
  operator: row.alertEvent.operator,
  threshold: row.alertEvent.threshold,
  actualValue: row.alertEvent.actualValue,
  vlmStatus: row.vlmStatus,
  vlmSummary: row.vlmSummary,
  vlmStructuredResult: structuredResult.nullable().parse(row.vlmStructuredResult),
  thumbnailUrl: thumbnailUrl(context, row),
  snapshotCount: picturesOf(row).length,
  attributesSummary: attributesSummary.nullable().parse(row.attributesSummary),
  hasAttributes: row.hasAttributes,
  hasVlmSummary: row.vlmSummary !== null,
  createdAt: row.createdAt.toISOString(),
});

export const presentSnapshots = (context: Context, row: InsightRow): z.input<typeof insightSnapshot>[] =>
  picturesOf(row).map(({ objectKey }, index) => ({ index, url: imageUrl(context, objectKey) }));

export const presentInsightDetail = (
  context: Context,
  row: InsightDetailRow,
): z.input<typeof insightDetail> => ({
  ...presentInsight(context, row),
  computeNodeId: row.alertEvent.computeNodeId,
  snapshotUrls: presentSnapshots(context, row).map(({ url }) => url),
  vlmProvider: row.vlmProvider,
  vlmRequestedAt: row.vlmRequestedAt?.toISOString() ?? null,
  vlmCompletedAt: row.vlmCompletedAt?.toISOString() ?? null,
  ...(row.vlmStatus === 'failed' && row.vlmError && { vlmError: row.vlmError }),
  vlmTokensUsed: row.vlmTokensUsed,
  vlmInputTokensUsed: row.vlmInputTokensUsed,
  vlmOutputTokensUsed: row.vlmOutputTokensUsed,
});

export const presentSummary = (context: Context, row: InsightRow): z.input<typeof vlmSummary> => ({
  insightId: row.id,
  triggeredAt: row.triggeredAt.toISOString(),
  severity: row.severity,
  vlmSummary: row.vlmSummary ?? '',
  thumbnailUrl: thumbnailUrl(context, row),
  deviceId: row.deviceId,
  deviceName: row.device.name,
  sceneId: row.sceneId,
  sceneName: row.scene.name,
});
