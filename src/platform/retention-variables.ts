import { count } from './settings.ts';

const never = (meaning: string) =>
  count(365, 1, 3650).unwrap().optional().describe(`${meaning}; by default they stay`);

/** The environment variables that say how long rows and files are kept. */
export const RETENTION_VARIABLES = {
  IMAGE_RETENTION_DAYS: count(30, 1, 3650).describe('days after which images are deleted'),
  SNAPSHOT_RETENTION_DAYS: count(30, 1, 3650).describe('days after which snapshots are deleted'),
  ROLLING_RETENTION_DAYS: count(35, 1, 3650).describe('days after which rolling records are deleted'),
  MINUTE_RETENTION_DAYS: count(400, 31, 3650).describe(
    'days after which occupancy minutes are deleted, in whole months; their sums by the quarter of an hour stay',
  ),
  VISIT_RETENTION_DAYS: count(800, 31, 3650).describe(
    'days after which visits are deleted; what metrics over time need of them stays by the quarter of an hour',
  ),
  RUN_RETENTION_DAYS: count(800, 31, 3650).describe(
    'days after which ended runs are deleted to which nothing refers any more; at least VISIT_RETENTION_DAYS',
  ),
  FLOOR_RETENTION_DAYS: count(400, 1, 3650).describe('days after which the hours of floor maps are deleted'),
  ATTRIBUTE_RETENTION_DAYS: count(90, 1, 3650).describe(
    'days after which attribute records are deleted; their hourly sums stay',
  ),
  ALERT_RETENTION_DAYS: never(
    'days after which alert events are deleted with their insights; at least IMAGE_RETENTION_DAYS',
  ),
  RECORDING_RETENTION_DAYS: never(
    'days after their upload after which recordings are deleted with all their numbers',
  ),
  USAGE_RETENTION_MONTHS: count(13, 2, 120).describe(
    'whole months after which usage events and their transactions are deleted; totals and limits of a month stay, and nothing can be charged to it any more',
  ),
  AUDIT_RETENTION_DAYS: count(365, 30, 3650).describe(
    'days after which entries of the audit log are deleted',
  ),
};

interface Retentions {
  readonly ALERT_RETENTION_DAYS?: number | undefined;
  readonly IMAGE_RETENTION_DAYS: number;
  readonly RUN_RETENTION_DAYS: number;
  readonly VISIT_RETENTION_DAYS: number;
}

/** Faults of combinations: what belongs to something must not stay longer than that. */
export function retentionFaults(days: Retentions): string[] {
  const faults: string[] = [];
  if ((days.ALERT_RETENTION_DAYS ?? Number.POSITIVE_INFINITY) < days.IMAGE_RETENTION_DAYS)
    faults.push(
      'ALERT_RETENTION_DAYS: must be at least IMAGE_RETENTION_DAYS, because an image belongs to its alert event',
    );
  if (days.RUN_RETENTION_DAYS < days.VISIT_RETENTION_DAYS)
    faults.push(
      'RUN_RETENTION_DAYS: must be at least VISIT_RETENTION_DAYS, because a visit belongs to its run',
    );
  return faults;
}
