import type { Resource } from '../../client/client.ts';

export type Announcement = Resource<'ListedAnnouncement'>;
export type AnnouncementState = 'upcoming' | 'shown' | 'ended';

/** Where an announcement stands. Users see it from when it is made until it ends, also before its start. */
export function stateAt(
  { startsAt, endsAt, endedAt }: Pick<Announcement, 'startsAt' | 'endsAt' | 'endedAt'>,
  now: Date,
): AnnouncementState {
  if (endedAt !== null || (endsAt !== null && new Date(endsAt) <= now)) return 'ended';
  return startsAt !== null && new Date(startsAt) > now ? 'upcoming' : 'shown';
}

export interface AnnouncementForm {
  readonly type: Announcement['type'];
  readonly title: string;
  readonly message: string;
  /** Values of `datetime-local` fields, in the zone of the browser; empty for none. */
  readonly startsAt: string;
  readonly endsAt: string;
}

export type AnnouncementFaults = Partial<
  Record<'title' | 'message' | 'endsAt', 'missing' | 'order' | 'past'>
>;

export function faultsOf(
  { title, message, startsAt, endsAt }: AnnouncementForm,
  now: Date,
): AnnouncementFaults {
  const end = endsAt === '' ? null : new Date(endsAt);
  return {
    ...(title.trim() === '' && { title: 'missing' }),
    ...(message.trim() === '' && { message: 'missing' }),
    ...(end && end <= now && { endsAt: 'past' }),
    ...(end && startsAt !== '' && end < new Date(startsAt) && { endsAt: 'order' }),
  };
}

export const bodyOf = ({ type, title, message, startsAt, endsAt }: AnnouncementForm) => ({
  type,
  title: title.trim(),
  message: message.trim(),
  ...(startsAt !== '' && { startsAt: new Date(startsAt).toISOString() }),
  ...(endsAt !== '' && { endsAt: new Date(endsAt).toISOString() }),
});
