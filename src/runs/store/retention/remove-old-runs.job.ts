import type { Context } from '../../../platform/context.ts';
import { daysBefore } from '../../../platform/database/remove-old.ts';
import { removeOldRuns } from './old-runs.store.ts';

/** Removes ended runs after RUN_RETENTION_DAYS, once nothing that is kept refers to them. */
export const removeOldTasks = ({
  config,
  db,
  clock,
}: Pick<Context, 'config' | 'db' | 'clock'>): Promise<void> =>
  removeOldRuns(db, daysBefore(clock.now(), config.runRetentionDays));
