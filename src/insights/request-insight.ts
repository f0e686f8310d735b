import { announceInsight } from '../delivery/live/announce-insight.ts';
import type { Tx } from '../platform/database/db.ts';
import type { Queue } from '../platform/jobs/queue.ts';
import { insertPending, type NewInsight } from './describe.store.ts';
import { DESCRIBE_INSIGHT } from './describe-job-type.ts';

/** The longest time that an insight stays pending. */
const DEADLINE_MS = 30 * 60_000;

/**
 * Creates the `pending` insight of an alert and the job that describes it, in the alert's transaction.
 * @returns its id
 */
export async function requestInsight(
  tx: Tx,
  insight: NewInsight,
  { queue, now }: { queue: Pick<Queue, 'send'>; now: Date },
): Promise<string> {
  const deadlineAt = new Date(now.getTime() + DEADLINE_MS);
  const id = await insertPending(tx, insight, { now, deadlineAt });
  await queue.send(DESCRIBE_INSIGHT, { insightId: id }, { tx });
  await announceInsight(tx, { userId: insight.userId, id });
  return id;
}
