import type { z } from 'zod';
import type { Announcement } from '../../platform/prisma-client/client.ts';
import type { listedAnnouncement, shownAnnouncement } from './announce.schema.ts';

/** An announcement as its recipients see it. */
export const presentAnnouncement = (row: Announcement): z.input<typeof shownAnnouncement> => ({
  id: row.id,
  type: row.type as z.input<typeof shownAnnouncement>['type'],
  title: row.title,
  message: row.message,
  startsAt: row.startsAt?.toISOString() ?? null,
  endsAt: row.endsAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

/** An announcement as administrators see it. */
export const presentListed = (row: Announcement): z.input<typeof listedAnnouncement> => ({
  ...presentAnnouncement(row),
  userIds: row.userIds,
  endedAt: row.endedAt?.toISOString() ?? null,
});
