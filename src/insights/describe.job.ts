import { announceInsight } from '../delivery/live/announce-insight.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Queue } from '../platform/jobs/queue.ts';
import { whileHeld } from '../platform/jobs/work-off.ts';
import { claimDue, failOverdue, findOverdue, renewClaim } from './describe.store.ts';
import { describeInsight, releaseReservation } from './describe-insight.ts';
import { DESCRIBE_INSIGHT } from './describe-job-type.ts';
import type { InsightWriter } from './writer.ts';

/** A claim expires after so long without renewal. Until then it counts against the limits. */
const CLAIM_SECONDS = 20;
const RENEW_MS = 5_000;

export type DescribeJobContext = Pick<Context, 'config' | 'db' | 'clock' | 'images' | 'logger'> & {
  readonly writer: InsightWriter;
  readonly queue: Pick<Queue, 'send'>;
  /** How often a claim is renewed; tests pass their own. */
  readonly renewMs?: number;
};

/**
 * Works on pending insights as they become due, at most VLM_CONCURRENCY at once. When `stopping` aborts, insights in
 * progress are handed back.
 */
export function workOnInsights(
  context: DescribeJobContext,
  queue: Queue,
  stopping: AbortSignal,
): Promise<void> {
  return queue.work(DESCRIBE_INSIGHT, { concurrency: context.config.vlmConcurrency }, (_, signal) =>
    describeDue(context, AbortSignal.any([signal, stopping])),
  );
}

/**
 * Describes insights until none is due or the limits are reached. In the latter case the job that frees a slot goes on.
 * A further attempt becomes a job of its own.
 */
export async function describeDue(context: DescribeJobContext, signal: AbortSignal): Promise<void> {
  const { config, db, clock, queue } = context;
  const { vlmConcurrency: concurrency, vlmUserConcurrency: userConcurrency } = config;
  while (!signal.aborted) {
    const limits = { concurrency, userConcurrency, claimSeconds: CLAIM_SECONDS };
    const claimed = await claimDue(db, { now: clock.now(), ...limits });
    if (!claimed) return;
    const held = {
      everyMs: context.renewMs ?? RENEW_MS,
      renew: () => renewClaim(db, claimed, new Date(clock.now().getTime() + CLAIM_SECONDS * 1000)),
      failed: (err: unknown) =>
        context.logger.warn({ err, insightId: claimed.id }, 'a claim could not be renewed'),
    };
    const described = await whileHeld(held, () => describeInsight(context, claimed, signal));
    if (described.outcome === 'later') {
      await queue.send(DESCRIBE_INSIGHT, { insightId: claimed.id }, { startAfter: described.dueAt });
    }
  }
}

const BATCH = 500;

/** Fails insights that are past their deadline, and describes insights that are due although their job was lost. */
export async function sweepInsights(
  context: DescribeJobContext,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  for (const id of await findOverdue(db, { now, atMost: BATCH })) {
    const failing = db.$transaction(async (tx) => {
      for (const overdue of await failOverdue(tx, { now, id })) {
        await announceInsight(tx, overdue);
        await releaseReservation(tx, overdue, now);
      }
    });
    // Another transaction holds rows of this user: the next sweep comes back.
    await failing.catch((error: unknown) => {
      if (!isDatabaseBusy(error)) throw error;
    });
  }
  await describeDue(context, signal);
}
