import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/db.ts';
import { emit } from '../webhooks/emit.ts';
import { readBaseLimits } from './base.store.ts';
import { openQuotas } from './ledger.store.ts';
import { findUnopened, finishMonths } from './month-change.store.ts';
import { periodOf } from './period.ts';

/** After the month's end: what is still under way then (slices, reservations, a clock that is off) is settled. */
const SETTLING_MS = 5 * 60_000;
const USERS_AT_ONCE = 50;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Opens the present month of everybody for whom it is not open, and finishes months that are over, told by
 * `billing_cycle_completed`: each once per user, however many programs do it at the same time, wherever one of them
 * dies, and also for several months that ended while nothing ran.
 */
export async function changeMonth({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await openMonth(db, now);
  const present = periodOf(new Date(now.getTime() - SETTLING_MS));
  while ((await finishSome(db, { now, present })) > 0);
}

async function openMonth(db: Db, now: Date): Promise<void> {
  const period = periodOf(now);
  for (const scope of ['user', 'device'] as const) {
    let after = NOBODY;
    for (;;) {
      const owners = await findUnopened(db, period, { scope, after, atMost: USERS_AT_ONCE });
      // Each by itself, so that nobody who charges ever waits for more than one of them.
      for (const owner of owners) await openQuotas(db, { ...owner, period }, await readBaseLimits(db, owner));
      const last = owners.at(-1);
      if (!last) break;
      after = last.scopeId;
    }
  }
}

/** @returns how many users it looked at */
function finishSome(db: Db, { now, present }: { now: Date; present: string }): Promise<number> {
  return db.$transaction(
    async (tx) => {
      const { finished, looked } = await finishMonths(tx, { present, atMost: USERS_AT_ONCE });
      for (const { userId, period, analysis, alert, attribute, vlm } of finished) {
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
