import type { Context } from '../../../platform/context.ts';
import type { LastStep } from '../../../platform/database/last-step.ts';
import { requireEnabled } from '../send-again.ts';
import { insertFailedAgain, type Recovered } from './history.store.ts';
import { MOST_RECOVERED } from './schema.ts';

/**
 * Delivers again what failed finally in a range, at most 1,000 events.
 * @throws ApiError NOT_FOUND, WEBHOOK_DISABLED
 */
export function recoverDeliveries(
  { db, clock }: Context,
  userId: string,
  { since, until }: { since: Date; until?: Date | undefined },
  lastStep: LastStep<Recovered>,
): Promise<Recovered> {
  return db.$transaction(async (tx) => {
    const webhook = await requireEnabled(tx, userId);
    const range = { since, until: until ?? clock.now(), atMost: MOST_RECOVERED };
    const recovered = await insertFailedAgain(tx, webhook, range);
    await lastStep(tx, recovered);
    return recovered;
  });
}
