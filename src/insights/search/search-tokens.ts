import { randomUUID } from 'node:crypto';
import { charge } from '../../billing/charge.ts';
import { ApiError } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseBusy } from '../../platform/database/database-away.ts';
import { noteSearch, overdueSearches, takeSearch } from '../reservation.store.ts';
import { settleTokens } from '../reservation.ts';

/** Longer than any request takes. */
const DEADLINE_MS = 120_000;
const BATCH = 500;

type SearchContext = Pick<Context, 'db' | 'clock'>;

/** @returns the name of the reservation @throws ApiError QUOTA_EXCEEDED when the user has too few tokens left */
export async function reserveForSearch(
  { db, clock }: SearchContext,
  { userId, quantity }: { userId: string; quantity: number },
): Promise<string> {
  const sourceId = `search:${randomUUID()}`;
  const occurredAt = clock.now();
  const reserved = await db.$transaction(async (tx) => {
    await noteSearch(tx, { sourceId, userId, deadlineAt: new Date(occurredAt.getTime() + DEADLINE_MS) });
    const charged = await charge(tx, {
      userId,
      deviceId: null,
      feature: 'vlm',
      quantity,
      sourceId,
      occurredAt,
    });
    if (charged.outcome === 'refused') await takeSearch(tx, sourceId);
    return charged;
  });
  if (reserved.outcome !== 'refused') return sourceId;
  throw new ApiError(
    'QUOTA_EXCEEDED',
    `A search takes up to ${quantity} VLM tokens, and ${reserved.available} are left this month: ask for more`,
  );
}

/** Settles the reservation of a search to the used quantity, once. */
export async function settleSearch(
  { db, clock }: SearchContext,
  sourceId: string,
  used: number,
): Promise<void> {
  await db.$transaction(async (tx) => {
    if (await takeSearch(tx, sourceId)) await settleTokens(tx, sourceId, { used, now: clock.now() });
  });
}

/** Gives back the reservations of searches whose program died. */
export async function settleDeadSearches(context: SearchContext): Promise<void> {
  for (const sourceId of await overdueSearches(context.db, context.clock.now(), BATCH)) {
    // Another transaction holds rows of this user: the next run comes back.
    await settleSearch(context, sourceId, 0).catch((error: unknown) => {
      if (!isDatabaseBusy(error)) throw error;
    });
  }
}
