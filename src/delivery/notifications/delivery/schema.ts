import { z } from 'zod';
import { id, orderedRange, rangeFields, timestamp } from '../../../http/fields.ts';
import { pageFields } from '../../../http/paging.ts';
import { ChannelKind, Severity } from '../../../platform/prisma-client/enums.ts';
import { attemptFields, nextAttemptAt } from '../../outbox/attempt.ts';
import { NOTIFICATION_KINDS } from '../kinds.ts';

const STATUSES = ['success', 'failed', 'pending'] as const;

const kind = z.enum(NOTIFICATION_KINDS).meta({
  description:
    'What the message is about: a type of event, the code of a channel (`confirmation`), a `test` or a `report`',
});

export const deliveriesQuery = z
  .object({
    ...pageFields(),
    channelId: id().optional().meta({ description: 'Only attempts over this channel' }),
    subscriptionId: id().optional().meta({ description: 'Only attempts of this subscription' }),
    status: z.enum(STATUSES).optional().meta({ description: 'Only attempts in this state' }),
    kind: kind.optional().meta({ description: 'Only messages of this kind' }),
    ...rangeFields,
  })
  .superRefine(orderedRange);

export const delivery = z
  .strictObject({
    id: id().meta({ description: 'Id of this attempt' }),
    messageId: id().meta({
      description:
        'Id of the message, the same in each attempt; the left part of the Message-ID of an e-mail',
    }),
    channelId: id().meta({ description: 'Channel' }),
    channelKind: z.enum(ChannelKind).meta({ description: '`email`, or `push` for a browser' }),
    address: z.string().meta({ description: 'E-mail address, or host of the push service' }),
    subscriptionId: id()
      .nullable()
      .meta({ description: 'Subscription that caused the message; null for codes, tests and reports' }),
    kind,
    severity: z
      .enum(Severity)
      .nullable()
      .meta({ description: 'Severity of the newest alert; null for other kinds' }),
    deviceId: id().nullable(),
    sceneId: id().nullable(),
    alertEventId: id().nullable().meta({ description: 'Newest alert event of the message' }),
    eventCount: z.int().meta({
      description:
        'Number of events that the message tells; more than 1 after quiet hours or within the minimum distance',
    }),
    since: timestamp().nullable().meta({ description: 'When the first of these events happened' }),
    status: z.enum(STATUSES).meta({ description: '`pending` until the attempt was made' }),
    responseCode: z
      .int()
      .nullable()
      .meta({ description: 'Code of the mail server (SMTP) or push service (HTTP)' }),
    responseTimeMs: z.number().nullable().meta({ description: 'Duration of the attempt, milliseconds' }),
    responseBody: z.string().nullable().meta({ description: 'Answer, its first 2,000 characters' }),
    ...attemptFields,
    attemptedAt: timestamp()
      .nullable()
      .meta({ description: 'When it was made; null if it was not made yet or was cancelled' }),
    nextAttemptAt,
  })
  .meta({ id: 'NotificationDelivery', description: 'An attempt to send a message' });
