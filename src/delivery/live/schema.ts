import { z } from 'zod';
import { id, time, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import type { Scope } from '../../http/permission.ts';
import { Severity, VlmStatus } from '../../platform/prisma-client/enums.ts';
import { EVENT_TYPES, type EventType, eventBody, eventExample } from '../events/catalogue.ts';

/** The topics of the event stream; a caller with one of the scopes receives the topic. */
export const TOPICS = {
  metrics: ['analytics:read'],
  alerts: ['analytics:read'],
  insights: ['analytics:read'],
  analysis: ['TASK_READ'],
  device: ['device:read'],
  system: ['TASK_READ', 'billing:read'],
} as const satisfies Record<string, readonly Scope[]>;

export type Topic = keyof typeof TOPICS;
const TOPIC_NAMES = Object.keys(TOPICS) as [Topic, ...Topic[]];

export const EVERY_TOPIC_SCOPE: readonly Scope[] = [...new Set(Object.values(TOPICS).flat())];

const startingWith = (...beginnings: string[]): readonly EventType[] =>
  EVENT_TYPES.filter((type) => beginnings.some((beginning) => type.startsWith(beginning)));
const OF_BILLING = startingWith('quota_', 'billing_');

/** The stored events of a topic. */
export const STORED: Partial<Record<Topic, readonly EventType[]>> = {
  alerts: ['alert_triggered', 'staffing_advice', 'unusual_activity'],
  analysis: startingWith('analysis_'),
  device: startingWith('device_'),
  system: [...startingWith('node_'), ...OF_BILLING, ...startingWith('maintenance_', 'system_')],
};

/** @throws Error for a type that no topic has */
export function topicOf(type: EventType): Topic {
  const topic = TOPIC_NAMES.find((name) => STORED[name]?.includes(type));
  if (topic === undefined) throw new Error(`No topic has the event type ${type}`);
  return topic;
}

/** The scopes of which one is needed for a type of event: events about nodes and about billing need their own. */
export function scopesOfType(type: EventType): readonly Scope[] {
  if (OF_BILLING.includes(type)) return ['billing:read'];
  if (type.startsWith('node_')) return ['TASK_READ'];
  return TOPICS[topicOf(type)];
}

export const mayHear = (scopes: ReadonlySet<Scope>, type: EventType): boolean =>
  scopesOfType(type).some((scope) => scopes.has(scope));

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

/** The types of all topics, in the order of the catalogue. */
export const HEARD_TYPES: readonly EventType[] = EVENT_TYPES.filter((type) =>
  TOPIC_NAMES.some((topic) => STORED[topic]?.includes(type)),
);

export const listEventsQuery = z
  .object({
    ...pageFields(),
    types: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(EVENT_TYPES)).min(1).max(50))
      .optional()
      .meta({
        description: `Types of events, separated by commas: ${HEARD_TYPES.join(', ')}; default: all types that the key allows`,
        override: { type: 'string' },
        examples: ['device_offline,device_online'],
      }),
    deviceId: id().optional().meta({ description: 'Only events of this device' }),
    sceneId: id().optional().meta({ description: 'Only events of this scene' }),
    from: time().optional().meta({ description: 'Start of the range, included' }),
    to: time().optional().meta({ description: 'End of the range, not included' }),
  })
  .superRefine(({ from, to }, context) => {
    if (!from || !to || from <= to) return;
    const params = { code: 'INVALID_DATE_RANGE' };
    const message = `must not lie after to, ${to.toISOString()}`;
    context.addIssue({ code: 'custom', path: ['from'], message, params });
  });

export const eventList = z
  .strictObject({
    id: id().meta({ description: 'Id of the event, the same as in webhooks' }),
    type: z.enum(EVENT_TYPES).meta({ description: 'Type of the event' }),
    topic: z.enum(TOPIC_NAMES).meta({ description: 'Topic of the event stream that sends it' }),
    timestamp: timestamp().meta({ description: 'When it happened, UTC' }),
    severity: z
      .enum(Severity)
      .nullable()
      .meta({ description: 'Severity of the alert event; null for other events' }),
    deviceId: id().nullable().meta({ description: 'Device; null for an event without one' }),
    sceneId: id().nullable().meta({ description: 'Scene; null for an event without one' }),
    alertEventId: id().nullable().meta({ description: 'Id of the alert event; null for other events' }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'The `data` of the webhook of this type, without `snapshotUrls`: GET /analysis/alerts/{id} has current addresses; free-form in this schema',
    }),
  })
  .meta({ id: 'ListedEvent' });

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
      'The same object as `latestMetrics` of GET /scenes/{id}: current, rolling windows, total and tills; free-form in this schema',
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

export const streamEvent = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('metrics'), data: sceneMetrics }),
    storedEvent('alerts'),
    z.strictObject({ type: z.literal('insights'), data: insightChange }),
    storedEvent('analysis'),
    storedEvent('device'),
    storedEvent('system'),
  ])
  .meta({
    example: { id: '4211', type: 'alerts', data: eventExample('alert_triggered') },
  });
