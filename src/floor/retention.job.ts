import type { Context } from '../platform/context.ts';
import { daysBefore, removeOld } from '../platform/database/remove-old.ts';

/** Removes hours of floor maps after their days of retention. */
export const removeOldFloor = ({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> =>
  removeOld(db, {
    table: 'FloorHour',
    column: 'hour',
    before: daysBefore(clock.now(), config.floorRetentionDays),
  });
