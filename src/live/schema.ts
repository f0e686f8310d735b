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
      description: `What to follow, separated by commas: ${TOPIC_NAMES.join(', ')}; all that the key allows where not given`,
      override: { type: 'string' },
      examples: ['metrics,alerts'],
    }),
});

const place = z
  .string()
  .meta({ description: 'Place in the stream: send it as Last-Event-ID to go on from here' });
const storedEvent = (topic: Topic) =>
  z.strictObject({
    id: place,
    type: z.literal(topic),
    data: z.union((STORED[topic] ?? []).map((type) => eventBody(type))),
  });

/** The fault of a device, as the device shows it. */
export const sceneFault = z
  .strictObject({
    reason: z.string().meta({ description: 'Why, for programs' }),
    message: z.string().meta({ description: 'Why, one sentence' }),
    since: timestamp().meta({ description: 'Since when' }),
  })
  .nullable()
  .meta({
    description: 'What keeps the pictures of its device from being analysed now; null while nothing does',
  });

const sceneMetrics = z.strictObject({
  sceneId: id().meta({ description: 'Scene' }),
  deviceId: id().meta({ description: 'Device' }),
  metrics: z.record(z.string(), z.unknown()).meta({
    description:
      'Free-form here; what GET /scenes/{id} calls `latestMetrics`: current, rolling windows and total',
  }),
  updatedAt: timestamp().meta({ description: 'Frame time of the metrics' }),
  fault: sceneFault,
});

const insightChange = z.strictObject({
  insightId: id().meta({ description: 'Insight: read it for the rest' }),
  sceneId: id().meta({ description: 'Scene' }),
  deviceId: id().meta({ description: 'Device' }),
  severity: z.enum(Severity).meta({ description: 'Severity of its alert' }),
  triggeredAt: timestamp().meta({ description: 'When its alert fired' }),
  vlmStatus: z.enum(VlmStatus).meta({ description: 'How far its text is' }),
  vlmSummary: z.string().nullable().meta({ description: 'The text, once there is one' }),
  riskLevel: z
    .enum(['low', 'medium', 'high', 'critical'])
    .nullable()
    .meta({ description: 'Risk as the text has it' }),
});

export const streamEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('metrics'), data: sceneMetrics }),
  storedEvent('alerts'),
  z.strictObject({ type: z.literal('insights'), data: insightChange }),
  storedEvent('analysis'),
  storedEvent('device'),
]);
