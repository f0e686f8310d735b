import { z } from 'zod';
import { id, orderedRange, rangeFields, text, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import { Severity, WebhookStatus } from '../../platform/prisma-client/enums.ts';
import { EVENT_TYPES } from '../events/catalogue.ts';
import { attemptFields, nextAttemptAt } from '../outbox/attempt.ts';

const eventType = z.enum(EVENT_TYPES);

const fields = {
  url: text(1, 500).meta({
    description:
      'Public https address without user and password, at most 500 characters; to hosts that the operator names in WEBHOOK_ALLOW_HOSTS also http',
  }),
  name: text(0, 100).nullable().meta({ description: 'At most 100 characters' }),
  secret: text(16, 128).meta({ description: 'Signing secret, 16-128 characters' }),
  subscribedTypes: z
    .array(eventType)
    .min(1)
    .max(100)
    .transform((types) => [...new Set(types)])
    .meta({ description: 'Types of the events to deliver' }),
  timeoutMs: z
    .int()
    .min(1000)
    .max(30_000)
    .meta({ description: 'Time limit of a whole attempt, milliseconds' }),
  maxRetries: z.int().min(0).max(5).meta({ description: 'Number of attempts after the first' }),
};

export const createWebhookBody = z.strictObject({
  url: fields.url,
  name: fields.name.optional(),
  secret: fields.secret
    .optional()
    .meta({ description: 'Signing secret, 16-128 characters; default: a new random secret' }),
  subscribedTypes: fields.subscribedTypes
    .optional()
    .meta({ description: 'Types of the events to deliver; default: all types' }),
  timeoutMs: fields.timeoutMs.default(5000),
  maxRetries: fields.maxRetries.default(3),
});
export type CreateWebhook = z.output<typeof createWebhookBody>;

export const patchWebhookBody = z
  .strictObject({
    ...fields,
    status: z
      .enum(['enabled', 'disabled'])
      .meta({ description: '`enabled` also enables a webhook that was disabled because of failures' }),
  })
  .partial();
export type PatchWebhook = z.output<typeof patchWebhookBody>;

export const testBody = z.strictObject({
  type: eventType.default('system_announcement').meta({
    description: 'Type of the event to send, with example data; default: `system_announcement`',
  }),
});

export const webhook = z
  .strictObject({
    id: id(),
    url: z.string().meta({ description: 'Address to which events are sent' }),
    name: z.string().nullable(),
    secretLast4: z.string().meta({ description: 'Last four characters of the secret' }),
    subscribedTypes: z.array(eventType).meta({ description: 'Types of the events that are delivered' }),
    timeoutMs: z.int().meta({ description: 'Time limit of an attempt, milliseconds' }),
    maxRetries: z.int().meta({ description: 'Number of attempts after the first' }),
    status: z
      .enum(WebhookStatus)
      .meta({ description: 'State of the webhook; while it is disabled nothing is sent' }),
    disabledAt: timestamp()
      .nullable()
      .meta({ description: 'When the webhook was disabled; null while it is enabled' }),
    disabledReason: z.string().nullable().meta({ description: 'Reason in one sentence' }),
    failingSince: timestamp().nullable().meta({
      description:
        'Since when every attempt fails, after 120 hours of which the webhook is disabled; null if the last one succeeded',
    }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Webhook' });

const secret = z.string().meta({ description: 'Signing secret' });
export const createdWebhook = z.strictObject({ ...webhook.shape, secret }).meta({ id: 'CreatedWebhook' });

export const webhookSecret = z
  .strictObject({
    secret,
    previousSecretValidUntil: timestamp().nullable().meta({
      description: 'Until when deliveries are also signed with the old secret; null if there is none',
    }),
  })
  .meta({ id: 'WebhookSecret' });

const STATUSES = ['success', 'failed', 'pending'] as const;

export const deliveriesQuery = z
  .object({
    ...pageFields(),
    status: z.enum(STATUSES).optional(),
    deviceId: id().optional(),
    sceneId: id().optional(),
    ...rangeFields,
  })
  .superRefine(orderedRange);

export const delivery = z
  .strictObject({
    id: id().meta({ description: 'Id of this attempt: the header X-SaaS-Delivery-Id' }),
    webhookUrl: z.string().meta({ description: 'Address to which the attempt was or will be sent' }),
    notificationId: id().meta({ description: 'Id of the event, the same as `id` of the body' }),
    alertEventId: id()
      .nullable()
      .meta({ description: 'Id of the alert event; null if the event is about something else' }),
    notificationType: eventType.meta({ description: 'Type of the event' }),
    severity: z.enum(Severity).nullable(),
    deviceId: id().nullable(),
    sceneId: id().nullable(),
    payload: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Body of the request, free-form: its fields depend on the type of the event' }),
    status: z.enum(STATUSES).meta({ description: '`pending` until the attempt was made' }),
    httpStatusCode: z.int().nullable().meta({ description: 'HTTP status of the receiver' }),
    responseTimeMs: z.number().nullable().meta({ description: 'Duration of the attempt, milliseconds' }),
    responseBody: z
      .string()
      .nullable()
      .meta({ description: 'First 20,000 bytes of the answer of the receiver' }),
    ...attemptFields,
    attemptedAt: timestamp()
      .nullable()
      .meta({ description: 'When the attempt was sent; null if it was not sent yet or was cancelled' }),
    nextAttemptAt,
  })
  .meta({ id: 'WebhookDelivery' });
