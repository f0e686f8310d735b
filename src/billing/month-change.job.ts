import { emit } from '../delivery/events/emit.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Db } from '../platform/database/db.ts';
import { readBaseLimits } from './base.store.ts';
import { withApiNames } from './features.ts';
import { openQuotas } from './ledger.store.ts';
import { everyUnopened, findUnfinished, finishOldestMonth } from './month-change.store.ts';
import { periodOf } from './period.ts';

/** Time after the end of a month in which open slices and reservations are settled and clocks may differ. */
const SETTLING_MS = 5 * 60_000;
const USERS_AT_ONCE = 50;

/**
 * Opens the current month of every user and device for which it is not open. Then finishes each month that is over and
 * emits `billing_cycle_completed`. Each month of a user is finished once: with several programs at the same time, after
 * a crash, and also when several months ended while no program ran.
 */
export async function changeMonth({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await openMonth(db, now);
  const present = periodOf(new Date(now.getTime() - SETTLING_MS));
  // Users whose rows are locked come with the next call, so that the others need not wait.
  const left: string[] = [];
  for (;;) {
    const users = await findUnfinished(db, { present, except: left, atMost: USERS_AT_ONCE });
    if (users.length === 0) return;
    for (const userId of users) {
      const isFinished = await unlessHeld(() => finishMonth(db, { now, present, userId }));
      if (!isFinished) left.push(userId);
    }
  }
}

async function openMonth(db: Db, now: Date): Promise<void> {
  const period = periodOf(now);
  for (const scope of ['user', 'device'] as const) {
    // One transaction for each owner, so that a charge never waits for more than one of them.
    for await (const owner of everyUnopened(db, period, scope)) {
      await unlessHeld(async () => openQuotas(db, { ...owner, period }, await readBaseLimits(db, owner)));
    }
  }
}

/** @returns null where another transaction holds the rows */
async function unlessHeld<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseBusy(error)) throw error;
    return null;
  }
}

/** @returns false where another program finishes a month of this user, or nothing is left to do */
function finishMonth(
  db: Db,
  { now, present, userId }: { now: Date; present: string; userId: string },
): Promise<boolean> {
  return db.$transaction(
    async (tx) => {
      const finished = await finishOldestMonth(tx, { present, userId });
      for (const { period, ...totals } of finished ?? []) {
        await emit(tx, {
          userId,
          type: 'billing_cycle_completed',
          data: { period, ...withApiNames(totals) },
          occurredAt: now,
          dedupeKey: `billing_cycle_completed:${userId}:${period}`,
        });
      }
      return finished !== null;
    },
    { timeout: 30_000 },
  );
}
