import { randomUUID } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import {
  hasNewEvents,
  lockSubscriptions,
  movePosition,
  readEvents,
  storePlan,
  takePosition,
} from './make-messages.store.ts';
import { planMessages } from './plan-messages.ts';

/** Events of one transaction. */
const BATCH = 200;
/** Long enough for as many users with many subscriptions each on a busy machine. */
const TIMEOUT_MS = 25_000;
/** The first attempt and those after 5 s, 5 min, 30 min, 2 h and 5 h. */
export const MAX_ATTEMPTS = 6;

/**
 * Turns new events into messages. The position in the event stream moves in the same transaction, and one process at a time has it,
 * so that every event is considered once, whatever dies.
 * @param patienceMs events that are younger are left to other programs
 * @returns number of events that were read
 */
export async function makeMessages(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  patienceMs = 0,
): Promise<number> {
  if (!(await hasNewEvents(db, patienceMs))) return 0;
  return db.$transaction(
    async (tx) => {
      const after = await takePosition(tx);
      if (after === null) return 0;
      const { last, told, count } = await readEvents(tx, after, BATCH);
      if (last === null) return 0;
      const userIds = [...new Set(told.map(({ userId }) => userId))];
      const subscriptions = userIds.length === 0 ? [] : await lockSubscriptions(tx, userIds);
      const plan = planMessages(told, subscriptions, { now: clock.now(), newId: randomUUID });
      if (plan.messages.length > 0) await storePlan(tx, plan, { maxAttempts: MAX_ATTEMPTS });
      await movePosition(tx, last);
      return count;
    },
    { timeout: TIMEOUT_MS },
  );
}
