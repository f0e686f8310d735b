import type { Db, Tx } from '../../platform/database/db.ts';
import type { Prisma, StaffingAdvice } from '../../platform/prisma-client/client.ts';

/** The current advice of a scene; null without one. */
export function findCurrent(db: Db | Tx, sceneId: string, now: Date): Promise<StaffingAdvice | null> {
  return db.staffingAdvice.findFirst({
    where: { sceneId, madeAt: { lte: now }, heldUntil: { gt: now } },
    orderBy: { madeAt: 'desc' },
  });
}

export const holdAdvice = (db: Db, id: string, heldUntil: Date): Promise<unknown> =>
  db.staffingAdvice.update({ where: { id }, data: { heldUntil } });

/** @returns null where another program has stored the advice of this moment */
export async function insertAdvice(
  tx: Tx,
  data: Prisma.StaffingAdviceCreateManyInput,
): Promise<StaffingAdvice | null> {
  const [row] = await tx.staffingAdvice.createManyAndReturn({ data: [data], skipDuplicates: true });
  return row ?? null;
}

/** Advice whose time is over, and whose outcome is not decided. */
export const findUndecided = (db: Db, before: Date, most: number): Promise<StaffingAdvice[]> =>
  db.staffingAdvice.findMany({
    where: { outcome: null, endsAt: { lt: before } },
    orderBy: { endsAt: 'asc' },
    take: most,
  });

export const decideAdvice = (
  db: Db,
  id: string,
  data: Pick<StaffingAdvice, 'outcome' | 'people' | 'actualLateShare' | 'actualOpenTills'>,
): Promise<unknown> => db.staffingAdvice.updateMany({ where: { id, outcome: null }, data });

const MOST_LISTED = 1_000;

/** Advice that was given in a range, the newest first. */
export const listAdvice = (db: Db, sceneId: string, from: Date, to: Date): Promise<StaffingAdvice[]> =>
  db.staffingAdvice.findMany({
    where: { sceneId, madeAt: { gte: from, lte: to } },
    orderBy: { madeAt: 'desc' },
    take: MOST_LISTED,
  });

/** How often advice of a scene had each outcome. */
export async function countOutcomes(
  db: Db,
  sceneId: string,
  range: { readonly gte?: Date; readonly lte?: Date } = {},
): Promise<Readonly<Record<string, number>>> {
  const rows = await db.staffingAdvice.groupBy({
    by: ['outcome'],
    where: { sceneId, outcome: { not: null }, madeAt: range },
    _count: true,
  });
  return Object.fromEntries(
    rows.flatMap(({ outcome, _count }) => (outcome === null ? [] : [[outcome, _count]])),
  );
}
