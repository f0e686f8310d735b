import { orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { mapPage } from '../../http/paging.ts';
import { route } from '../../http/route.ts';
import { presentAnnouncement, presentListed } from './announce.present.ts';
import {
  announceBody,
  announcement,
  listAnnouncementsQuery,
  listedAnnouncement,
  shownAnnouncement,
} from './announce.schema.ts';
import { endAnnouncement, listAnnouncements, listShownAnnouncements } from './announce.store.ts';
import { type Announced, announce } from './announce.ts';

export const announceRoutes = [
  route({
    name: 'listAnnouncements',
    method: 'get',
    path: '/announcements',
    scope: 'any',
    summary: 'List announcements to the caller that have not ended, newest first',
    query: listAnnouncementsQuery,
    paging: 'A',
    response: shownAnnouncement,
  }).answers(async ({ context, caller, query }) => {
    const now = context.clock.now();
    const found = await listShownAnnouncements(context.db, { userId: caller.userId, now }, query);
    return mapPage(found, presentAnnouncement);
  }),

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
  }).answers(async ({ context, caller, body, keepAnswer }) => {
    const present = ({ announcement: row, recipientCount }: Announced) => ({
      ...presentAnnouncement(row),
      userIds: row.userIds,
      recipientCount,
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
  }),

  route({
    name: 'listAllAnnouncements',
    method: 'get',
    path: '/admin/announcements',
    scope: 'admin',
    summary: 'List announcements to all users, newest first',
    query: listAnnouncementsQuery,
    paging: 'A',
    response: listedAnnouncement,
  }).answers(async ({ context, query }) =>
    mapPage(await listAnnouncements(context.db, query), presentListed),
  ),

  route({
    name: 'endAnnouncement',
    method: 'delete',
    path: '/admin/announcements/{id}',
    scope: 'admin',
    summary: 'End an announcement: users no longer see it; webhooks and e-mails are not taken back',
    params: idParams,
  }).answers(async ({ context, params }) => {
    orNotFound(await endAnnouncement(context.db, params.id, context.clock.now()), 'Announcement');
  }),
];
