import { emit } from '../events/emit.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Db } from '../platform/database/db.ts';
import { readBaseLimits } from './base.store.ts';
import { openQuotas } from './ledger.store.ts';
import { everyUnopened, findUnfinished, finishMonths } from './month-change.store.ts';
import { periodOf } from './period.ts';

/** After the month's end: what is still under way then (slices, reservations, a clock that is off) is settled. */
const SETTLING_MS = 5 * 60_000;
const USERS_AT_ONCE = 50;

/**
 * Opens the present month of everybody for whom it is not open, and finishes months that are over, told by
 * `billing_cycle_completed`: each once per user, however many programs do it at the same time, wherever one of them
 * dies, and also for several months that ended while nothing ran.
 */
export async function changeMonth({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await openMonth(db, now);
  const present = periodOf(new Date(now.getTime() - SETTLING_MS));
  // Whose rows somebody holds comes the next time; nobody else waits for that.
  const left: string[] = [];
  for (;;) {
    const users = await findUnfinished(db, { present, except: left, atMost: USERS_AT_ONCE });
    if (users.length === 0) return;
    for (const userId of users) {
      const looked = await unlessHeld(() => finishMonth(db, { now, present, userId }));
      if (!looked) left.push(userId);
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

/** @returns null where rows that it needs are held by somebody else */
async function unlessHeld<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseBusy(error)) throw error;
    return null;
  }
}

/** @returns 0 where somebody else is at that user */
function finishMonth(
  db: Db,
  { now, present, userId }: { now: Date; present: string; userId: string },
): Promise<number> {
  return db.$transaction(
    async (tx) => {
      const { finished, looked } = await finishMonths(tx, { present, userId });
      for (const { period, analysis, alert, attribute, vlm } of finished) {
        await emit(tx, {
          userId,
          type: 'billing_cycle_completed',
          data: {
            period,
            analysisSeconds: analysis,
            alertCount: alert,
            attributeCount: attribute,
            vlmTokens: vlm,
          },
          occurredAt: now,
          dedupeKey: `billing_cycle_completed:${userId}:${period}`,
        });
      }
      return looked;
    },
    { timeout: 30_000 },
  );
}
