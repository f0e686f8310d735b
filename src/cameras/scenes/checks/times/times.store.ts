import type { Db, Tx } from '../../../../platform/database/db.ts';
import { queryRows } from '../../../../platform/database/db.ts';
import { claim } from '../../../../platform/jobs/claim.store.ts';
import { Prisma, type SceneCheck } from '../../../../platform/prisma-client/client.ts';
import { lockCheck } from '../check.store.ts';
import type { Times } from './compare-times.ts';
import { KEPT } from './film.ts';
import { type MarkedTimes, storedMarks } from './times.schema.ts';

const ofOpenCheck = (userId: string, checkId: string) => ({
  ...{ id: checkId, kind: 'times' as const, status: 'open' as const },
  scene: { userId, deletedAt: null },
});

/**
 * Stores what a checker has marked, in place of what the same checker marked before.
 * @param most checkers of a film
 * @returns false where there is no such check of times that is open, or too many others have marked
 */
export function storeMarks(
  db: Db,
  { userId, checkId, checker, most }: { userId: string; checkId: string; checker: string; most: number },
  visits: MarkedTimes[],
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    // Two new checkers at once wait for each other, and for whoever finishes it.
    await lockCheck(tx, checkId);
    const check = await tx.sceneCheck.findFirst({
      where: ofOpenCheck(userId, checkId),
      select: { id: true },
    });
    if (!check) return false;
    const others = await tx.checkMarks.count({ where: { checkId, checker: { not: checker } } });
    if (others >= most) return false;
    const columns = { visits };
    await tx.checkMarks.upsert({
      where: { checkId_checker: { checkId, checker } },
      create: { checkId, checker, ...columns },
      update: columns,
    });
    return true;
  });
}

/** What each checker has marked. */
export async function marksOf(db: Tx, checkId: string): Promise<ReadonlyMap<string, MarkedTimes[]>> {
  const rows = await db.checkMarks.findMany({ where: { checkId }, orderBy: { checker: 'asc' } });
  return new Map(rows.map(({ checker, visits }) => [checker, storedMarks.parse(visits)]));
}

/** The visits of a scene that a time shows a part of, in seconds of the time. */
export async function visitsWithin(
  db: Tx,
  sceneId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<Times[]> {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const ends = [{ outcomeDecidedAt: null }, { outcomeDecidedAt: { gte: from } }];
  const rows = await db.visit.findMany({
    where: {
      sceneId,
      state: { not: 'discarded' },
      arrivalDecidedAt: { lt: new Date(toMs + 3_600_000) },
      OR: ends,
    },
    select: { queueEnteredAt: true, queueLeftAt: true, serviceStartedAt: true, serviceEndedAt: true },
    take: 20_000,
  });
  const seconds = (at: Date | null) => (at === null ? null : (at.getTime() - fromMs) / 1000);
  return rows.flatMap((row) => {
    const begins = row.queueEnteredAt ?? row.serviceStartedAt;
    const ended = row.serviceStartedAt === null ? row.queueLeftAt : row.serviceEndedAt;
    if (begins === null || begins >= to || (ended !== null && ended <= from)) return [];
    return [
      {
        person: '',
        joinedAt: seconds(row.queueEnteredAt),
        servedAt: seconds(row.serviceStartedAt),
        leftAt: seconds(ended),
      },
    ];
  });
}

/** A check whose camera is to be filmed. */
export interface DueFilm
  extends Pick<SceneCheck, 'id' | 'sceneId' | 'zones' | 'startedAt' | 'endsAt' | 'showsPeople'> {
  readonly deviceId: string;
  /** How many pieces there are, with those before the last one that nobody filmed. */
  readonly pieces: number;
}

/** @param until another program goes on after this time, if this one dies meanwhile */
export const claimDueFilms = (
  db: Db,
  { at, until, limit }: { at: Date; until: Date; limit: number },
): Promise<DueFilm[]> =>
  claim<DueFilm>(db, {
    table: 'SceneCheck',
    due: Prisma.sql`w."nextAt" <= ${at} AND w.kind = 'times'`,
    order: Prisma.sql`w."nextAt"`,
    limit,
    set: Prisma.sql`"nextAt" = ${until}`,
    from: { table: Prisma.sql`"Scene" s`, on: Prisma.sql`s.id = w."sceneId"` },
    returning: Prisma.sql`w.id, w."sceneId", w.zones, w."startedAt", w."endsAt", w."showsPeople", s."deviceId",
      (SELECT coalesce(max(f.piece) + 1, 0)::int FROM "CheckFilm" f WHERE f."checkId" = w.id) AS pieces`,
  });

/** Stores a piece of a film, and holds the check longer. @returns false where it is no longer filmed */
export async function storePiece(
  db: Db,
  { id, piece, missed, until }: { id: string; piece: number; missed: number; until: Date },
  jpegs: Uint8Array,
): Promise<boolean> {
  const rows = await queryRows(
    db,
    `WITH held AS (
       UPDATE "SceneCheck" SET "nextAt" = $4, missed = missed + $5
       WHERE id = $1::uuid AND status = 'collecting' RETURNING id)
     INSERT INTO "CheckFilm" ("checkId", piece, jpegs) SELECT id, $2::smallint, $3::bytea FROM held
     ON CONFLICT ("checkId", piece) DO NOTHING RETURNING piece`,
    [id, piece, jpegs, until, missed],
  );
  return rows.length > 0;
}

/** Lets another program go on with a film. */
export async function releaseFilm(db: Db, id: string, at: Date): Promise<void> {
  await db.sceneCheck.updateMany({ where: { id, status: 'collecting' }, data: { nextAt: at } });
}

/** A piece of the film of a camera that may be looked at, empty where nobody filmed; null where there is none. */
export async function findPiece(
  db: Db,
  userId: string,
  { checkId, piece }: { checkId: string; piece: number },
): Promise<{ jpegs: Uint8Array; deviceId: string; showsPeople: boolean } | null> {
  const check = await db.sceneCheck.findFirst({
    where: { ...ofOpenCheck(userId, checkId), filmFrom: null },
    select: {
      filmSeconds: true,
      showsPeople: true,
      scene: { select: { deviceId: true } },
      film: { where: { piece }, select: { jpegs: true } },
    },
  });
  if (!check || piece * KEPT.pieceSeconds >= (check.filmSeconds ?? 0)) return null;
  const { film, scene, showsPeople } = check;
  return { jpegs: film[0]?.jpegs ?? new Uint8Array(), deviceId: scene.deviceId, showsPeople };
}

/** Whether an open check of times of this scene shows people whom other pictures hide; null where there is no such check. */
export async function mayShowPeople(
  db: Db,
  { sceneId, checkId }: { sceneId: string; checkId: string },
): Promise<boolean | null> {
  const where = { id: checkId, sceneId, kind: 'times', status: 'open' } as const;
  const check = await db.sceneCheck.findFirst({ where, select: { showsPeople: true } });
  return check?.showsPeople ?? null;
}

/** Erases the film of a check. */
export async function eraseFilm(tx: Tx, checkId: string): Promise<void> {
  await tx.checkFilm.deleteMany({ where: { checkId } });
}
