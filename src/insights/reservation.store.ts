import type { Db, Tx } from '../platform/database/db.ts';

/** Stored with the charge of a search, so that it is given back if the program dies. */
export async function noteSearch(
  tx: Tx,
  reservation: { sourceId: string; userId: string; deadlineAt: Date },
): Promise<void> {
  await tx.searchReservation.create({ data: reservation });
}

/** @returns false when another program has settled it */
export async function takeSearch(tx: Tx, sourceId: string): Promise<boolean> {
  return (await tx.searchReservation.deleteMany({ where: { sourceId } })).count > 0;
}

/** Searches past their deadline: their program has died. */
export async function overdueSearches(db: Db, now: Date, atMost: number): Promise<string[]> {
  const rows = await db.searchReservation.findMany({
    where: { deadlineAt: { lte: now } },
    orderBy: { deadlineAt: 'asc' },
    take: atMost,
  });
  return rows.map(({ sourceId }) => sourceId);
}
