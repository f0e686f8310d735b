import { z } from 'zod';
import { id, nameText, text, time, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';

const type = z
  .enum(['maintenance_scheduled', 'system_announcement'])
  .meta({ description: 'Type of the event that the users receive' });

export const announceBody = z
  .strictObject({
    type,
    title: nameText(1, 200).meta({ description: 'Headline, 1-200 characters' }),
    message: text(1, 5000).meta({ description: 'Text, 1-5,000 characters' }),
    startsAt: time().optional().meta({ description: 'Start of the announced period' }),
    endsAt: time().optional().meta({ description: 'End of the announced period' }),
    userIds: z
      .array(id())
      .min(1)
      .max(1000)
      .transform((ids) => [...new Set(ids)])
      .optional()
      .meta({ description: 'Users who receive the announcement; default: all users' }),
  })
  .refine(({ startsAt, endsAt }) => !startsAt || !endsAt || startsAt <= endsAt, {
    path: ['startsAt'],
    error: 'must not lie after endsAt',
    params: { code: 'INVALID_DATE_RANGE' },
  });

const shown = {
  id: id(),
  type,
  title: z.string().meta({ description: 'Headline' }),
  message: z.string().meta({ description: 'Text' }),
  startsAt: timestamp().nullable().meta({ description: 'Start of the announced period' }),
  endsAt: timestamp().nullable().meta({ description: 'End of the announced period' }),
  createdAt: timestamp(),
};

const forUsers = z
  .array(id())
  .meta({ description: 'Users who received the announcement; empty for all users' });

export const announcement = z
  .strictObject({
    ...shown,
    userIds: forUsers,
    recipientCount: z.int().meta({ description: 'Number of users who received the announcement' }),
  })
  .meta({ id: 'Announcement' });

/** What users see of an announcement. */
export const shownAnnouncement = z.strictObject(shown).meta({ id: 'ShownAnnouncement' });

export const listedAnnouncement = z
  .strictObject({
    ...shown,
    userIds: forUsers,
    endedAt: timestamp().nullable().meta({
      description: 'When an administrator ended it; null if nobody did. It also ends at `endsAt`',
    }),
  })
  .meta({ id: 'ListedAnnouncement' });

export const listAnnouncementsQuery = z.object(pageFields());
