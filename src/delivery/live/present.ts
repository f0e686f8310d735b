import { z } from 'zod';
import { presentTills } from '../../metrics/tills/live-tills.ts';
import type { Insight } from '../../platform/prisma-client/client.ts';
import type { ListedEvent, StreamedEvent } from '../events/event.store.ts';
import type { SceneNumbers } from './live.store.ts';
import { type eventList, sceneFault, type streamEvent, topicOf } from './schema.ts';

type StreamEvent = z.input<typeof streamEvent>;

/** The stored body, which webhooks get too. */
export const presentStoredEvent = ({ sequence, type, body }: StreamedEvent): StreamEvent =>
  ({
    id: String(sequence),
    type: topicOf(type),
    data: JSON.parse(Buffer.from(body).toString()) as unknown,
  }) as StreamEvent;

/** Without the addresses of images: they are signed for seven days, and the list may be read much later. */
export function presentListedEvent(row: ListedEvent): z.input<typeof eventList> {
  const { data } = JSON.parse(Buffer.from(row.body).toString()) as { data: Record<string, unknown> };
  const { snapshotUrls: _signed, ...shown } = data;
  return {
    id: row.id,
    type: row.type,
    topic: topicOf(row.type),
    timestamp: row.occurredAt.toISOString(),
    severity: row.severity,
    deviceId: row.deviceId,
    sceneId: row.sceneId,
    alertEventId: row.alertEventId,
    data: shown,
  };
}

const storedGroups = z.record(z.string(), z.unknown());

export const presentSceneMetrics = (scene: SceneNumbers, now: Date): StreamEvent => ({
  type: 'metrics',
  data: {
    sceneId: scene.id,
    deviceId: scene.deviceId,
    metrics: { ...storedGroups.parse(scene.latestMetrics), tills: presentTills(scene, now) },
    updatedAt: scene.metricsUpdatedAt!.toISOString(),
    fault: sceneFault.parse(scene.device.fault),
  },
});

export const presentInsightChange = (row: Insight): StreamEvent => ({
  type: 'insights',
  data: {
    insightId: row.id,
    sceneId: row.sceneId,
    deviceId: row.deviceId,
    severity: row.severity,
    triggeredAt: row.triggeredAt.toISOString(),
    vlmStatus: row.vlmStatus,
    vlmSummary: row.vlmSummary,
    riskLevel: row.riskLevel,
  },
});
