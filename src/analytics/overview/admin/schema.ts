import { z } from 'zod';
import { timestamp } from '../../../http/fields.ts';

const count = (what: string) => z.int().meta({ description: `Number of ${what}` });
const age = (what: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `Age of the oldest of them, ${what}, milliseconds; null if there are none` });

export const adminOverview = z
  .strictObject({
    isReady: z.boolean().meta({
      description:
        'Whether the service can start analysis: its database answers and a compute node is online',
    }),
    databaseTime: timestamp().meta({ description: 'Clock of the database, UTC' }),
    databaseMs: z
      .number()
      .meta({ description: 'Duration of a trivial query from this API process, milliseconds' }),
    clockSkewMs: z.int().meta({
      description:
        'Clock of this API process minus that of the database, milliseconds, to half the duration of the query',
    }),
    runs: z
      .strictObject({
        queued: count('runs that wait for a node'),
        processing: count('runs that a node holds'),
        oldestQueuedAgeMs: age('since it was queued'),
      })
      .meta({ description: 'Runs of all users' }),
    nodes: z
      .strictObject({
        healthy: count('nodes that work normally'),
        degraded: count('nodes with a fault or too many cameras'),
        offline: count('nodes without a heartbeat for 30 seconds'),
        draining: count('online nodes that are about to leave'),
        activeDeviceCount: count('devices that nodes stream'),
        maxConcurrentDevices: count('devices that the online nodes can stream'),
      })
      .meta({ description: 'Compute nodes' }),
    webhookDeliveries: z
      .strictObject({
        due: count('attempts that are due and not made yet'),
        oldestDueAgeMs: age('since it was due'),
      })
      .meta({ description: 'Deliveries of webhooks of all users' }),
    insights: z
      .strictObject({
        pending: count('insights whose description is not written yet'),
        oldestPendingAgeMs: age('since its alert'),
      })
      .meta({ description: 'Descriptions of alert events of all users' }),
  })
  .meta({ id: 'AdminOverview' });
