import { z } from 'zod';
import { EVENT_TYPES } from '../events/catalogue.ts';
import { id, orderedRange, rangeFields, text, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { Severity, WebhookStatus } from '../platform/prisma-client/enums.ts';

const eventType = z.enum(EVENT_TYPES);

const fields = {
  url: text(1, 500).meta({
    description: 'https address of the public internet, at most 500 characters, without user and password',
  }),
  name: text(0, 100).nullable().meta({ description: 'At most 100 characters' }),
  secret: text(16, 128).meta({ description: 'What deliveries are signed with, 16-128 characters' }),
  subscribedTypes: z
    .array(eventType)
    .min(1)
    .max(100)
    .transform((types) => [...new Set(types)])
    .meta({ description: 'Events to deliver' }),
  timeoutMs: z
    .int()
    .min(1000)
    .max(30_000)
    .meta({ description: 'Deadline of an attempt as a whole, milliseconds' }),
  maxRetries: z.int().min(0).max(5).meta({ description: 'Attempts after the first' }),
};

export const createWebhookBody = z.strictObject({
  url: fields.url,
  name: fields.name.optional(),
  secret: fields.secret.optional().meta({ description: 'Made where not given; 16-128 characters' }),
  subscribedTypes: fields.subscribedTypes.optional().meta({ description: 'Every type where not given' }),
  timeoutMs: fields.timeoutMs.default(5000),
  maxRetries: fields.maxRetries.default(3),
});
export type CreateWebhook = z.output<typeof createWebhookBody>;

export const patchWebhookBody = z
  .strictObject({
    ...fields,
    status: z
      .enum(['enabled', 'disabled'])
      .meta({ description: '`enabled` also starts again what failures had disabled' }),
  })
  .partial();
export type PatchWebhook = z.output<typeof patchWebhookBody>;

export const testBody = z.strictObject({
  type: eventType.default('system_announcement').meta({
    description: 'Type of the event that is sent, with made-up data; `system_announcement` where not given',
  }),
});

export const webhook = z
  .strictObject({
    id: id(),
    url: z.string().meta({ description: 'Where events are sent' }),
    name: z.string().nullable(),
    secretLast4: z.string().meta({ description: 'Last four characters of the secret' }),
    subscribedTypes: z.array(eventType).meta({ description: 'Events that are delivered' }),
    timeoutMs: z.int().meta({ description: 'Deadline of an attempt, milliseconds' }),
    maxRetries: z.int().meta({ description: 'Attempts after the first' }),
    status: z.enum(WebhookStatus).meta({ description: 'Nothing is sent while disabled' }),
    disabledAt: timestamp().nullable().meta({ description: 'When it was disabled; null while enabled' }),
    disabledReason: z.string().nullable().meta({ description: 'Why, one sentence' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Webhook' });

const secret = z.string().meta({ description: 'What deliveries are signed with' });
export const createdWebhook = z.strictObject({ ...webhook.shape, secret }).meta({ id: 'CreatedWebhook' });

export const webhookSecret = z
  .strictObject({
    secret,
    previousSecretValidUntil: timestamp()
      .nullable()
      .meta({ description: 'Until then the secret before it signs along; null: there is none' }),
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
    webhookUrl: z.string().meta({ description: 'Where it was, or will be, sent' }),
    notificationId: id().meta({ description: 'Id of the event: the body’s `id`' }),
    alertEventId: id().nullable().meta({ description: 'Alert event, where the event is about one' }),
    notificationType: eventType.meta({ description: 'Type of the event' }),
    severity: z.enum(Severity).nullable(),
    deviceId: id().nullable(),
    sceneId: id().nullable(),
    payload: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The body that is sent: of an event, free-form by its type' }),
    status: z.enum(STATUSES).meta({ description: '`pending`: to be made yet' }),
    httpStatusCode: z.int().nullable().meta({ description: 'What the receiver answered' }),
    responseTimeMs: z.number().nullable().meta({ description: 'How long it took, milliseconds' }),
    responseBody: z.string().nullable().meta({ description: 'Its first 20,000 bytes' }),
    errorMessage: z.string().nullable().meta({ description: 'Why it failed, one sentence' }),
    attemptNumber: z.int().meta({ description: 'From 1' }),
    maxAttempts: z.int().meta({ description: 'After which it is given up' }),
    isFinalAttempt: z.boolean().meta({ description: 'No other follows' }),
    createdAt: timestamp().meta({ description: 'When this attempt was scheduled' }),
    attemptedAt: timestamp()
      .nullable()
      .meta({ description: 'When it was sent; null: not yet, or it was given up before' }),
    nextAttemptAt: timestamp().nullable().meta({
      description:
        'When the next attempt is due: of a pending record this one, of a failed record the one after it; null: no attempt is to come',
    }),
  })
  .meta({ id: 'WebhookDelivery' });
