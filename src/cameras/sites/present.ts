import type { z } from 'zod';
import { targetOf } from '../target.ts';
import { openingHoursOf } from './opening-hours.ts';
import type { site } from './schema.ts';
import type { SiteWithDevices } from './site.store.ts';

/** A site as the API shows it. */
export const presentSite = (row: SiteWithDevices): z.input<typeof site> => ({
  id: row.id,
  name: row.name,
  timezone: row.timezone,
  deviceIds: row.devices.map(({ deviceId }) => deviceId),
  target: targetOf(row),
  openingHours: openingHoursOf(row.openingHours) as z.input<typeof site>['openingHours'],
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
