import { z } from 'zod';
import { id, nameText, text, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import { timezone } from '../../platform/jobs/schedule.ts';
import { target } from '../target.ts';
import { openingHours, openingHoursBody } from './opening-hours.ts';

/** Most devices of one site. */
const MOST_DEVICES = 1_000;

const fields = {
  name: nameText(1, 100).meta({ description: 'Name, 1-100 characters' }),
  timezone: timezone.meta({
    description: 'IANA time zone in which the days of the site begin, like Europe/Berlin',
  }),
  deviceIds: z
    .array(id())
    .max(MOST_DEVICES)
    .transform((ids) => [...new Set(ids)])
    .meta({
      description: `Ids of its devices, at most ${MOST_DEVICES.toLocaleString('en')}. A device may belong to several sites`,
    }),
  target: target.nullable().meta({
    description:
      'How long people may wait at its scenes that have no target of their own; null: none. Visits that were decided before keep what they were counted as',
  }),
  openingHours: openingHoursBody.nullable().meta({
    description:
      'When it is open; null: not said. With opening hours, numbers over time and reports count open hours only. `PATCH` replaces all of them',
  }),
};

export const createSiteBody = z.strictObject({
  ...fields,
  deviceIds: fields.deviceIds.prefault([]),
  target: fields.target.optional(),
  openingHours: fields.openingHours.optional(),
});
export type CreateSite = z.output<typeof createSiteBody>;

export const patchSiteBody = z.strictObject(fields).partial();
export type PatchSite = z.output<typeof patchSiteBody>;

export const listSitesQuery = z.object({
  ...pageFields(),
  q: text(0, 100).optional().meta({ description: 'Part of the name' }),
  deviceId: id().optional().meta({ description: 'Only sites with this device' }),
});
export type ListSites = z.output<typeof listSitesQuery>;

export const site = z
  .strictObject({
    id: id(),
    name: z.string(),
    timezone: z.string().meta({ description: 'IANA time zone in which the days of the site begin' }),
    deviceIds: z.array(id()).meta({ description: 'Ids of its devices, oldest first' }),
    target: target
      .nullable()
      .meta({ description: 'The target of its scenes that have none of their own; null without' }),
    openingHours: openingHours
      .nullable()
      .meta({ description: 'When it is open; null: not said, so that every hour counts' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Site', description: 'Devices that are looked at together' });
