import type { JobType } from '../platform/jobs/queue.ts';

/**
 * Somebody has to look at pending insights: this one has become due. Which one is taken is decided by what is due and
 * fair then, so that a job more or less does no harm.
 */
export const DESCRIBE_INSIGHT: JobType<{ insightId: string }> = {
  name: 'describe-insight',
  retryLimit: 5,
  retryDelaySeconds: 10,
  expireSeconds: 900,
};
