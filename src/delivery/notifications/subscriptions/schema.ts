import { z } from 'zod';
import { flag, id, nameText, timestamp } from '../../../http/fields.ts';
import { pageFields } from '../../../http/paging.ts';
import { scheduleSchema } from '../../../platform/jobs/schedule.ts';
import { Severity } from '../../../platform/prisma-client/enums.ts';
import { TOLD_KINDS } from '../kinds.ts';

/** Most ids of each kind in a subscription. */
const MOST_IDS = 200;

const ids = (what: string) =>
  z
    .array(id())
    .max(MOST_IDS)
    .transform((all) => [...new Set(all)])
    .meta({ description: `${what}, at most ${MOST_IDS}; empty for all` });

const fields = {
  name: nameText(1, 100).nullable().meta({ description: 'Name for people, 1-100 characters' }),
  isEnabled: z.boolean().meta({ description: 'Whether messages are sent' }),
  kinds: z
    .array(z.enum(TOLD_KINDS))
    .min(1)
    .max(50)
    .transform((all) => [...new Set(all)])
    .meta({
      description:
        'Types of the events to be told of; `quota_warning` and `quota_exceeded` need the scope billing:read too',
    }),
  severities: z
    .array(z.enum(Severity))
    .max(10)
    .transform((all) => [...new Set(all)])
    .meta({
      description:
        'Severities of the alerts; empty for all. Other events have none and are not filtered by it',
    }),
  ruleIds: ids('Alert rules whose alerts are told; other events are not filtered by it'),
  deviceIds: ids('Devices whose events are told, beside those of `siteIds`'),
  siteIds: ids(
    'Sites of whose devices events are told, beside `deviceIds`. Events that belong to no device are told always',
  ),
  quietHours: scheduleSchema.nullable().meta({
    description:
      'Weekly windows in which nothing is sent; what happens in them is told in one message at their end. Null for none',
  }),
  minDistanceSeconds: z.int().min(0).max(86_400).meta({
    description:
      'Least time between two messages, seconds; what happens in between is told in one message at its end. With 0 each event is told at once',
  }),
};

export const createSubscriptionBody = z.strictObject({
  channelId: id().meta({ description: 'Channel over which messages are sent' }),
  name: fields.name.optional(),
  isEnabled: fields.isEnabled.default(true),
  kinds: fields.kinds.prefault(['alert_triggered']),
  severities: fields.severities.prefault([]),
  ruleIds: fields.ruleIds.prefault([]),
  deviceIds: fields.deviceIds.prefault([]),
  siteIds: fields.siteIds.prefault([]),
  quietHours: fields.quietHours.default(null),
  minDistanceSeconds: fields.minDistanceSeconds.default(60),
});
export type CreateSubscription = z.output<typeof createSubscriptionBody>;

export const patchSubscriptionBody = z.strictObject(fields).partial();
export type PatchSubscription = z.output<typeof patchSubscriptionBody>;

export const listSubscriptionsQuery = z.object({
  ...pageFields(),
  channelId: id().optional().meta({ description: 'Only subscriptions of this channel' }),
  isEnabled: flag().optional().meta({ description: 'Only those that are enabled, or that are not' }),
});
export type ListSubscriptions = z.output<typeof listSubscriptionsQuery>;

/** Every fault in an address leads to NOT_FOUND. */
export const unsubscribeQuery = z.object({
  signature: z.string().catch('').meta({ description: 'Signature of the address' }),
});

export const subscription = z
  .strictObject({
    id: id(),
    channelId: id().meta({ description: 'Channel over which messages are sent' }),
    name: z.string().nullable(),
    isEnabled: z.boolean().meta({
      description:
        'Whether messages are sent; false after somebody has unsubscribed by the link of a message',
    }),
    kinds: z.array(z.enum(TOLD_KINDS)).meta({ description: 'Types of the events to be told of' }),
    severities: z.array(z.enum(Severity)).meta({ description: 'Severities of the alerts; empty for all' }),
    ruleIds: z.array(id()).meta({ description: 'Alert rules; empty for all' }),
    deviceIds: z.array(id()).meta({ description: 'Devices; all if this and `siteIds` are empty' }),
    siteIds: z.array(id()).meta({ description: 'Sites; all if this and `deviceIds` are empty' }),
    quietHours: scheduleSchema
      .nullable()
      .meta({ description: 'Weekly windows in which nothing is sent; null for none' }),
    minDistanceSeconds: z.int().meta({ description: 'Least time between two messages, seconds' }),
    nextAt: timestamp().nullable().meta({
      description: 'When the minimum distance from the last message is over; null before the first',
    }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'NotificationSubscription', description: 'What is told over a channel, and when' });
