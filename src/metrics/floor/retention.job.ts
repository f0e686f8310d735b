import type { Context } from '../../platform/context.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import { removeOldHours } from './floor.store.ts';

/** Removes hours of floor maps, and samples of feet, after their days of retention. */
export const removeOldFloor = ({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> =>
  removeOldHours(db, daysBefore(clock.now(), config.floorRetentionDays));
