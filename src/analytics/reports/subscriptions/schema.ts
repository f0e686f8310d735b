import { z } from 'zod';
import { id, timestamp } from '../../../http/fields.ts';
import { pageFields } from '../../../http/paging.ts';
import { PERIODS } from '../period.ts';

const MOST_CHANNELS = 10;

const fields = {
  period: z.enum(PERIODS).meta({ description: 'Report of each day, or of each week' }),
  localTime: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 07:30')
    .meta({ description: 'When it is sent, on the clock of the site, HH:MM' }),
  weekday: z
    .int()
    .min(1, 'must be a day from 1 to 7. Monday is 1, Sunday is 7')
    .max(7, 'must be a day from 1 to 7. Monday is 1, Sunday is 7')
    .meta({
      description: 'Day on which the report of a week is sent, from 1 (Monday) to 7 (Sunday); default 1',
    }),
  channelIds: z
    .array(id())
    .min(1)
    .max(MOST_CHANNELS)
    .transform((ids) => [...new Set(ids)])
    .meta({ description: `Ids of confirmed e-mail channels, at most ${MOST_CHANNELS}` }),
};

export const createReportSubscriptionBody = z.strictObject({
  siteId: id().meta({ description: 'Id of the site' }),
  ...fields,
  weekday: fields.weekday.optional(),
});
export type CreateReportSubscription = z.output<typeof createReportSubscriptionBody>;

export const patchReportSubscriptionBody = z.strictObject(fields).partial();
export type PatchReportSubscription = z.output<typeof patchReportSubscriptionBody>;

export const listReportSubscriptionsQuery = z.object({
  ...pageFields(),
  siteId: id().optional().meta({ description: 'Only subscriptions of this site' }),
});
export type ListReportSubscriptions = z.output<typeof listReportSubscriptionsQuery>;

export const reportSubscription = z
  .strictObject({
    id: id(),
    siteId: id().meta({ description: 'Id of the site' }),
    period: z.enum(PERIODS).meta({ description: 'Report of each day, or of each week' }),
    localTime: z.string().meta({ description: 'When it is sent, on the clock of the site, HH:MM' }),
    weekday: z
      .int()
      .nullable()
      .meta({ description: 'Day on which the report of a week is sent, 1 (Monday) to 7; null for a day' }),
    channelIds: z.array(id()).meta({ description: 'Ids of its channels, oldest first' }),
    nextDueAt: timestamp().meta({ description: 'When the next report is due' }),
    lastReport: z
      .strictObject({
        date: z.iso.date().meta({ description: 'Local date of the first day of the period' }),
        status: z.enum(['sent', 'skipped', 'failed']).meta({
          description:
            '`sent`: its e-mails were stored for delivery, and at least one has arrived or is still tried; `skipped`: it was not sent; `failed`: after all attempts none of its e-mails has arrived. `GET /notifications/deliveries` shows the attempts',
        }),
        reason: z
          .string()
          .nullable()
          .meta({ description: 'Why it was skipped, or the error of the last attempt; null for `sent`' }),
        dueAt: timestamp().meta({ description: 'When it was due' }),
        createdAt: timestamp(),
      })
      .nullable()
      .meta({ description: 'The newest report that was due; null before the first' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({
    id: 'ReportSubscription',
    description: 'A report of a site that is sent by e-mail every day or week',
  });

export const reportPreview = z
  .strictObject({
    channelIds: z.array(id()).meta({
      description: 'Channels to which the report is sent; `GET /notifications/deliveries` shows its attempts',
    }),
  })
  .meta({ id: 'ReportPreview', description: 'Where a report is sent' });

/** Every fault in an address leads to NOT_FOUND. */
export const unsubscribeReportQuery = z.object({
  channel: z.string().catch('').meta({ description: 'Channel that the report was sent to' }),
  signature: z.string().catch('').meta({ description: 'Signature of the address' }),
});
