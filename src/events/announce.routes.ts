import { z } from 'zod';
import { id, text, time, timestamp } from '../http/fields.ts';
import { route } from '../http/route.ts';
import { type Announced, announce } from './announce.ts';

const type = z
  .enum(['maintenance_scheduled', 'system_announcement'])
  .meta({ description: 'Type of the event that the users receive' });

const announceBody = z
  .strictObject({
    type,
    title: text(1, 200).meta({ description: 'Headline, 1-200 characters' }),
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

const announcement = z
  .strictObject({
    id: id(),
    type,
    title: z.string().meta({ description: 'Headline' }),
    message: z.string().meta({ description: 'Text' }),
    startsAt: timestamp().nullable().meta({ description: 'Start of the announced period' }),
    endsAt: timestamp().nullable().meta({ description: 'End of the announced period' }),
    userIds: z.array(id()).meta({ description: 'Users who received the announcement; empty for all users' }),
    recipientCount: z.int().meta({ description: 'Number of users who received the announcement' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'Announcement' });

export const announceRoutes = [
  route({
    name: 'createAnnouncement',
    method: 'post',
    path: '/admin/announcements',
    scope: 'admin',
    summary: 'Announce planned maintenance or other news to users',
    body: announceBody,
    status: 201,
    response: announcement,
    errors: ['NOT_FOUND', 'INVALID_DATE_RANGE'],
    idempotency: 'user',
    handler: async ({ context, caller, body, keepAnswer }) => {
      const present = ({ announcement: row, recipientCount }: Announced) => ({
        id: row.id,
        type: body.type,
        title: row.title,
        message: row.message,
        startsAt: row.startsAt?.toISOString() ?? null,
        endsAt: row.endsAt?.toISOString() ?? null,
        userIds: row.userIds,
        recipientCount,
        createdAt: row.createdAt.toISOString(),
      });
      const wanted = {
        type: body.type,
        title: body.title,
        message: body.message,
        startsAt: body.startsAt ?? null,
        endsAt: body.endsAt ?? null,
        userIds: body.userIds ?? [],
        createdBy: caller.userId,
      };
      return present(await announce(context, wanted, (tx, made) => keepAnswer(tx, present(made))));
    },
  }),
];
