import type { z } from 'zod';
import { presentAttempt } from '../../outbox/attempt.ts';
import type { Delivery } from './delivery.store.ts';
import type { delivery } from './schema.ts';

/** An attempt that was made or is scheduled. */
export const presentDelivery = (row: Delivery): z.input<typeof delivery> => ({
  id: row.id,
  messageId: row.messageId,
  channelId: row.channelId,
  channelKind: row.channelKind,
  address: row.channel.address,
  subscriptionId: row.subscriptionId,
  kind: row.kind,
  severity: row.severity,
  deviceId: row.deviceId,
  sceneId: row.sceneId,
  alertEventId: row.alertEventId,
  eventCount: row.eventCount,
  since: row.since?.toISOString() ?? null,
  status: row.status,
  responseCode: row.responseCode,
  ...presentAttempt(row),
});
