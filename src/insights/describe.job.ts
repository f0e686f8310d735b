import type { Context } from '../platform/context.ts';
import type { Queue } from '../platform/queue.ts';
import { announceInsight } from '../webhooks/announce-insight.ts';
import { claimDue, failOverdue } from './describe.store.ts';
import { describeInsight, releaseReservation } from './describe-insight.ts';
import { DESCRIBE_INSIGHT } from './describe-job-type.ts';
import type { InsightWriter } from './writer.ts';

/** Beyond what a call may take: reading pictures, the database. */
const CLAIM_MARGIN_SECONDS = 60;

export type DescribeJobContext = Pick<Context, 'config' | 'db' | 'clock' | 'images' | 'logger'> & {
  readonly writer: InsightWriter;
  readonly queue: Pick<Queue, 'send'>;
};

/** Works off pending insights as they become due, so many at once as the configuration allows. */
export function workOnInsights(context: DescribeJobContext, queue: Queue): Promise<void> {
  return queue.work(DESCRIBE_INSIGHT, { concurrency: context.config.vlmConcurrency }, (_, signal) =>
    describeDue(context, signal),
  );
}

/**
 * Describes what is due until nothing is, or the limits are reached: then whoever is at one goes on with the next. A
 * further try becomes a job of its own time.
 */
export async function describeDue(context: DescribeJobContext, signal: AbortSignal): Promise<void> {
  const { config, db, clock, queue } = context;
  // A call and its repair.
  const claimSeconds = 2 * config.vlmTimeoutSeconds + CLAIM_MARGIN_SECONDS;
  const { vlmConcurrency: concurrency, vlmUserConcurrency: userConcurrency } = config;
  while (!signal.aborted) {
    const claimed = await claimDue(db, { now: clock.now(), concurrency, userConcurrency, claimSeconds });
    if (!claimed) return;
    const described = await describeInsight(context, claimed, signal);
    if (described.outcome === 'later') {
      await queue.send(DESCRIBE_INSIGHT, { insightId: claimed.id }, { startAfter: described.dueAt });
    }
  }
}

const BATCH = 500;

/**
 * Now and then: no insight stays pending past its deadline, whoever has died; and somebody looks at what is due although
 * its job was lost.
 */
export async function sweepInsights(context: DescribeJobContext): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  await db.$transaction(async (tx) => {
    for (const overdue of await failOverdue(tx, { now, atMost: BATCH })) {
      await announceInsight(tx, overdue);
      await releaseReservation(tx, overdue, now);
    }
  });
  await describeDue(context, new AbortController().signal);
}
