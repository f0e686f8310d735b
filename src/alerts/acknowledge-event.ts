import { findCallerName } from '../access/known-caller.store.ts';
import { orNotFound } from '../http/errors.ts';
import type { Caller } from '../http/permission.ts';
import type { Context } from '../platform/context.ts';
import { acknowledgeEvent, type EventRow, findEvent, withdrawAcknowledgement } from './event.store.ts';

/** Acknowledges an alert event in the name of the caller, or withdraws that. @throws ApiError NOT_FOUND */
export async function changeEvent(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  caller: Caller,
  { id, acknowledged }: { id: string; acknowledged: boolean },
): Promise<EventRow> {
  const { userId } = caller;
  if (acknowledged) {
    const by = await findCallerName(db, caller);
    await acknowledgeEvent(db, { userId, id, at: clock.now(), by });
  } else await withdrawAcknowledgement(db, { userId, id });
  return orNotFound(await findEvent(db, userId, id), 'Alert event');
}
