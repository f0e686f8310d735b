import { randomUUID } from 'node:crypto';
import { checkKnownStorage } from '../images/check-storage.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseAway, mayPass } from '../platform/database/database-away.ts';
import { ObjectTooLarge, StorageFull } from '../platform/images/object-store.ts';
import { every } from '../platform/jobs/every.ts';
import { whileHeld } from '../platform/jobs/work-off.ts';
import { type Claim, claimJob, completeJob, type DataJob, giveJobBack } from './data-job.store.ts';
import { eraseRange } from './erasure/erase-range.ts';
import { exportRange } from './export/export-range.ts';
import { Interrupted, JobProgress, LEASE_SECONDS, RENEW_MS } from './job-progress.ts';

const PAUSE_MS = 2_000;
/** Tries of a job; an error that passes, such as an absent database, counts as well. */
const MOST_ATTEMPTS = 20;
const LONGEST_WAIT_SECONDS = 600;

export type JobContext = Pick<Context, 'clock' | 'db' | 'images' | 'logger' | 'sealer'>;

/** Works on exports and erasures, one at a time, until stopped. */
export function startDataJobs(context: JobContext): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const working = every(
    PAUSE_MS,
    async () => {
      while (!stopping.signal.aborted && (await workOnNext(context, stopping.signal)));
    },
    (error) => {
      if (!isDatabaseAway(error))
        context.logger.error({ err: error }, 'exports and erasures cannot be claimed');
    },
  );
  return {
    async stop() {
      stopping.abort();
      await working.stop();
    },
  };
}

/** Claims the next job and works on it. @returns false when none is due */
export async function workOnNext(context: JobContext, stopping: AbortSignal): Promise<boolean> {
  const holder = randomUUID();
  const claimed = await claimJob(context.db, holder, LEASE_SECONDS);
  if (!claimed) return false;
  const { job, wasLost } = claimed;
  const claim = { id: job.id, holder };
  if (wasLost && job.attempts > MOST_ATTEMPTS) {
    context.logger.error(
      { jobId: job.id },
      'the processes that work on an export or erasure die: it is given up',
    );
    const errorMessage = messageOf(null, true);
    await giveJobBack(context.db, claim, { errorMessage, waitSeconds: null, now: context.clock.now() });
  } else await work(context, { job, claim, stopping });
  return true;
}

interface Work {
  readonly job: DataJob;
  readonly claim: Claim;
  readonly stopping: AbortSignal;
}

async function work(context: JobContext, { job, claim, stopping }: Work): Promise<void> {
  const { clock, db, logger } = context;
  let progress: JobProgress;
  const held = {
    everyMs: RENEW_MS,
    renew: () => progress.renew(),
    failed: (err: unknown) => logger.warn({ err, jobId: job.id }, 'the claim on a job could not be renewed'),
  };
  try {
    await whileHeld(held, (lost) => {
      progress = new JobProgress(context, { job, claim, signal: AbortSignal.any([lost, stopping]) });
      return finish(context, { job, claim }, progress);
    });
  } catch (error) {
    const isOver = !(error instanceof Interrupted) && isFinal(error, job);
    if (!(error instanceof Interrupted))
      logger.warn({ err: error, jobId: job.id }, 'an export or erasure failed');
    await giveJobBack(db, claim, {
      errorMessage: error instanceof Interrupted ? null : messageOf(error, isOver),
      waitSeconds: isOver ? null : error instanceof Interrupted ? 0 : waitAfter(job.attempts),
      now: clock.now(),
    });
  }
}

async function finish(context: JobContext, { job, claim }: Omit<Work, 'stopping'>, progress: JobProgress) {
  const { clock, db, images } = context;
  // Rows must stay while their images cannot be removed.
  await checkKnownStorage(context);
  if (job.kind === 'erasure') {
    await eraseRange(context, job, progress);
    await completeJob(db, claim, { now: clock.now(), counts: progress.counts });
    return;
  }
  const file = await exportRange(context, job, progress);
  const isMine = await completeJob(db, claim, { now: clock.now(), counts: progress.counts, file });
  // It was cancelled, or what it holds is erased meanwhile.
  if (!isMine) await images.objects.remove([file.objectKey]);
}

const isFinal = (error: unknown, { attempts }: DataJob): boolean =>
  error instanceof ObjectTooLarge || (attempts >= MOST_ATTEMPTS && !mayPass(error));

const waitAfter = (attempts: number): number => Math.min(LONGEST_WAIT_SECONDS, 2 ** Math.min(attempts, 10));

function messageOf(error: unknown, isOver: boolean): string {
  if (error instanceof ObjectTooLarge)
    return 'The file would be too large: ask for a shorter time or for fewer devices';
  if (error instanceof StorageFull)
    return 'The storage of the service is full: ask the operator; the export is tried again';
  if (mayPass(error)) return 'The database could not be reached: it is tried again';
  return isOver
    ? 'It failed again and again: ask the operator, who finds the reason in the log'
    : 'It failed and is tried again; the log of the service has the reason';
}
