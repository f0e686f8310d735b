import { z } from 'zod';
import { EVENT_TYPES, type EventType, eventBody } from '../events/catalogue.ts';
import { id, timestamp } from '../http/fields.ts';
import type { Scope } from '../http/permission.ts';
import { Severity, VlmStatus } from '../platform/prisma-client/enums.ts';

/** The topics of the event stream, and the scope that each needs. */
export const TOPICS = {
  metrics: 'analytics:read',
  alerts: 'analytics:read',
  insights: 'analytics:read',
  analysis: 'TASK_READ',
  device: 'device:read',
} as const satisfies Record<string, Scope>;

export type Topic = keyof typeof TOPICS;
const TOPIC_NAMES = Object.keys(TOPICS) as [Topic, ...Topic[]];

/** The stored events of a topic. */
export const STORED: Partial<Record<Topic, readonly EventType[]>> = {
  alerts: ['alert_triggered'],
  analysis: EVENT_TYPES.filter((type) => type.startsWith('analysis_')),
  device: EVENT_TYPES.filter((type) => type.startsWith('device_')),
};

export const topicOf = (type: EventType): Topic =>
  TOPIC_NAMES.find((topic) => STORED[topic]?.includes(type)) ?? 'analysis';

export const streamQuery = z.object({
  types: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(TOPIC_NAMES)).min(1).max(20))
    .optional()
    .meta({
      description: `Topics, separated by commas: ${TOPIC_NAMES.join(', ')}; default: all topics that the key allows`,
      override: { type: 'string' },
      examples: ['metrics,alerts'],
    }),
});

const place = z.string().meta({
  description: 'Position in the event stream; send it as Last-Event-ID to continue after this event',
});
const storedEvent = (topic: Topic) =>
  z.strictObject({
    id: place,
    type: z.literal(topic),
    data: z.union((STORED[topic] ?? []).map((type) => eventBody(type))),
  });

/** The fault of a device, as the device shows it. */
export const sceneFault = z
  .strictObject({
    reason: z.string().meta({ description: 'Reason as a code' }),
    message: z.string().meta({ description: 'Reason in one sentence' }),
    since: timestamp().meta({ description: 'When it began' }),
  })
  .nullable()
  .meta({
    description: 'Why the frames of the device cannot be analysed now; null if they can',
  });

const sceneMetrics = z.strictObject({
  sceneId: id().meta({ description: 'Scene' }),
  deviceId: id().meta({ description: 'Device' }),
  metrics: z.record(z.string(), z.unknown()).meta({
    description:
      'The same object as `latestMetrics` of GET /scenes/{id}: current, rolling windows and total; free-form in this schema',
  }),
  updatedAt: timestamp().meta({ description: 'Time of the frame of these metrics' }),
  fault: sceneFault,
});

const insightChange = z.strictObject({
  insightId: id().meta({
    description: 'Id of the insight; GET /analysis/insights/{id} has the other fields',
  }),
  sceneId: id().meta({ description: 'Scene' }),
  deviceId: id().meta({ description: 'Device' }),
  severity: z.enum(Severity).meta({ description: 'Severity of the alert event' }),
  triggeredAt: timestamp().meta({ description: 'Time of the alert event' }),
  vlmStatus: z.enum(VlmStatus).meta({ description: 'State of the summary' }),
  vlmSummary: z.string().nullable().meta({ description: 'The summary; null until it is written' }),
  riskLevel: z
    .enum(['low', 'medium', 'high', 'critical'])
    .nullable()
    .meta({ description: 'Risk level according to the summary' }),
});

export const streamEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('metrics'), data: sceneMetrics }),
  storedEvent('alerts'),
  z.strictObject({ type: z.literal('insights'), data: insightChange }),
  storedEvent('analysis'),
  storedEvent('device'),
]);
