import type { JobType } from '../platform/jobs/queue.ts';

/**
 * A job to describe insights that are due. The worker chooses the insight itself, by due time and fairness, so that an
 * additional or a lost job does no harm.
 */
export const DESCRIBE_INSIGHT: JobType<{ insightId: string }> = {
  name: 'describe-insight',
  retryLimit: 5,
  retryDelaySeconds: 10,
  expireSeconds: 900,
};
