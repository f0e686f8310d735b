import type { z } from 'zod';
import { storedSchedule } from '../../../platform/jobs/schedule.ts';
import type { ToldKind } from '../kinds.ts';
import type { subscription } from './schema.ts';
import type { Subscription } from './subscription.store.ts';

/** A subscription as the API shows it. */
export const presentSubscription = (row: Subscription): z.input<typeof subscription> => ({
  id: row.id,
  channelId: row.channelId,
  name: row.name,
  isEnabled: row.isEnabled,
  kinds: row.kinds as ToldKind[],
  severities: row.severities,
  ruleIds: row.ruleIds,
  deviceIds: row.deviceIds,
  siteIds: row.siteIds,
  quietHours: storedSchedule.parse(row.quietHours),
  minDistanceSeconds: row.minDistanceSeconds,
  nextAt: row.nextAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
