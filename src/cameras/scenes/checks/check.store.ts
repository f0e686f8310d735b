import { type Page, pageOf, rowsOf } from '../../../http/paging.ts';
import type { Context } from '../../../platform/context.ts';
import { type Db, queryRows, type Tx } from '../../../platform/database/db.ts';
import type { LastStep } from '../../../platform/database/last-step.ts';
import type { CheckEnd, CheckStill, Prisma, SceneCheck } from '../../../platform/prisma-client/client.ts';
import type { CheckResult, ListChecks, StoredAnswer } from './schema.ts';
import { KEPT } from './times/film.ts';
import type { TimesResult } from './times/times.schema.ts';

/** What of the scene and its device tells whether a check is outdated. */
const WITH_SCENE = {
  scene: {
    select: {
      ...{ config: true, deviceId: true, userId: true, device: { select: { warnings: true } } },
      recording: { select: { id: true, recordedAt: true } },
    },
  },
  _count: { select: { stills: true } },
  view: { select: { checkId: true } },
} as const;

export type CheckRow = Prisma.SceneCheckGetPayload<{ include: typeof WITH_SCENE }>;
/** Without the picture, which is large. */
export type StillRow = Omit<CheckStill, 'jpeg'> & { readonly hasPicture: boolean };

const ofUser = (userId: string) => ({ scene: { userId, deletedAt: null } });

export const findCheck = (db: Tx, userId: string, id: string): Promise<CheckRow | null> =>
  db.sceneCheck.findFirst({ where: { id, ...ofUser(userId) }, include: WITH_SCENE });

export function listChecks(
  db: Db,
  { userId, sceneId }: { userId: string; sceneId: string },
  query: ListChecks,
): Promise<Page<CheckRow>> {
  const where = { sceneId, ...ofUser(userId) };
  return pageOf(
    db.sceneCheck.findMany({
      where,
      include: WITH_SCENE,
      orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
      ...rowsOf(query),
    }),
    db.sceneCheck.count({ where }),
  );
}

export type NewCheckRow = Pick<
  SceneCheck,
  'sceneId' | 'wantedStills' | 'seed' | 'keepsWrongStills' | 'startedAt' | 'endsAt' | 'nextAt'
> &
  Partial<
    Pick<
      SceneCheck,
      'collectedAt' | 'endReason' | 'filmFrom' | 'filmSeconds' | 'kind' | 'showsPeople' | 'status'
    >
  > & {
    readonly zones: Prisma.InputJsonValue;
  };

/** A scene of a camera or a recording that can be filmed. */
export const findFilmed = (db: Db, userId: string, id: string) =>
  db.scene.findFirst({
    where: { id, userId, deletedAt: null },
    select: { config: true, recording: { select: { recordedAt: true, durationMs: true } } },
  });

/** @throws the unique violation where the scene has a check that collects */
export function insertCheck(db: Db, columns: NewCheckRow, lastStep: LastStep<CheckRow>): Promise<CheckRow> {
  return db.$transaction(async (tx) => {
    const row = await tx.sceneCheck.create({ data: columns, include: WITH_SCENE });
    await lastStep(tx, row);
    return row;
  });
}

export const countChecks = (db: Db, sceneId: string): Promise<number> =>
  db.sceneCheck.count({ where: { sceneId } });

/**
 * Ends the collecting of a check that still collects. The film of a camera ends with its last piece: what we counted later is on no picture.
 * @returns false where it no longer does
 */
export async function endCollecting(
  db: Tx,
  id: string,
  { endReason, at }: { endReason: CheckEnd; at: Date },
): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE "SceneCheck" c SET status = 'open', "endReason" = ${endReason}::"CheckEnd", "collectedAt" = ${at}, "nextAt" = NULL,
      "filmSeconds" = CASE WHEN kept.seconds < c."filmSeconds" THEN kept.seconds ELSE c."filmSeconds" END,
      "endsAt" = CASE WHEN kept.seconds < c."filmSeconds" THEN c."startedAt" + make_interval(secs => kept.seconds) ELSE c."endsAt" END
    FROM (
      SELECT (coalesce(max(piece), 0) + 1) * ${KEPT.pieceSeconds}::int AS seconds FROM "CheckFilm" WHERE "checkId" = ${id}::uuid) kept
    WHERE c.id = ${id}::uuid AND c.status = 'collecting'`;
  return count > 0;
}

/** Holds what people tell of a check until the transaction ends, so that its result has all that was stored. */
export async function lockCheck(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "SceneCheck" WHERE id = ${id}::uuid FOR UPDATE`;
}

/** The stills of a check, oldest first. */
export async function stillsOf(db: Tx, checkId: string): Promise<StillRow[]> {
  const rows = await db.checkStill.findMany({
    where: { checkId },
    omit: { jpeg: true },
    orderBy: { stratum: 'asc' },
  });
  const pictures = await db.checkStill.findMany({
    where: { checkId, jpeg: { not: null } },
    select: { id: true },
  });
  const ids = new Set(pictures.map(({ id }) => id));
  return rows.map((row) => ({ ...row, hasPicture: ids.has(row.id) }));
}

/** The pictures of which the view of a check may be made: none of people whom other pictures hide. */
export const findViewed = (db: Db, checkId: string): Promise<Pick<CheckStill, 'capturedAt' | 'jpeg'>[]> =>
  db.checkStill.findMany({
    where: { checkId, jpeg: { not: null }, check: { status: { not: 'finished' }, showsPeople: false } },
    select: { capturedAt: true, jpeg: true },
    orderBy: { stratum: 'asc' },
  });

/** The view of a finished check; null where none was made. */
export async function findView(
  db: Db,
  userId: string,
  checkId: string,
): Promise<{ jpeg: Uint8Array; deviceId: string } | null> {
  const row = await db.checkView.findFirst({
    where: { checkId, check: ofUser(userId) },
    select: { jpeg: true, check: { select: { scene: { select: { deviceId: true } } } } },
  });
  return row && { jpeg: row.jpeg, deviceId: row.check.scene.deviceId };
}

/** The picture of a still that may be looked at: of a check that no longer collects. */
export async function findPictureOf(
  db: Db,
  userId: string,
  stillId: string,
): Promise<{ jpeg: Uint8Array; deviceId: string; showsPeople: boolean } | null> {
  const row = await db.checkStill.findFirst({
    where: { id: stillId, check: { status: { not: 'collecting' }, ...ofUser(userId) } },
    select: { jpeg: true, check: { select: { showsPeople: true, scene: { select: { deviceId: true } } } } },
  });
  const { showsPeople = false, scene } = row?.check ?? {};
  return row?.jpeg && scene ? { jpeg: row.jpeg, deviceId: scene.deviceId, showsPeople } : null;
}

/**
 * Stores what a checker counted, in place of what the same checker counted before; those of others stay.
 * @param most checkers of a still
 * @returns false where there is no such still, its check is not open, or too many others have counted
 */
export async function storeAnswer(
  db: Db,
  { userId, stillId, checker, most }: { userId: string; stillId: string; checker: string; most: number },
  answer: StoredAnswer,
): Promise<boolean> {
  const rows = await queryRows(
    db,
    `WITH open AS (
       SELECT c.id FROM "SceneCheck" c JOIN "Scene" s ON s.id = c."sceneId" JOIN "CheckStill" t ON t."checkId" = c.id
       WHERE t.id = $1::uuid AND c.status = 'open' AND s."userId" = $2::uuid AND s."deletedAt" IS NULL FOR SHARE OF c)
     UPDATE "CheckStill" t SET answers = t.answers || jsonb_build_object($3::text, $4::jsonb)
     FROM open WHERE t.id = $1::uuid AND t."checkId" = open.id
       AND (t.answers ? $3::text OR (SELECT count(*) FROM jsonb_object_keys(t.answers)) < $5::int)
     RETURNING t.id`,
    [stillId, userId, checker, JSON.stringify(answer), most],
  );
  return rows.length > 0;
}

/**
 * Finishes a check that is open, and erases the pictures of those stills that are not kept.
 * @returns false where it was not open
 */
export async function finishCheck(
  tx: Tx,
  id: string,
  end: {
    result: CheckResult | TimesResult;
    at: Date;
    checkedBy?: string | undefined;
    endReason?: CheckEnd;
    keptStills: readonly string[];
    view: Uint8Array | null;
  },
): Promise<boolean> {
  const { result, at, checkedBy, endReason, keptStills, view } = end;
  const { count } = await tx.sceneCheck.updateMany({
    where: { id, status: 'open' },
    data: {
      ...{ status: 'finished', finishedAt: at, checkedBy: checkedBy ?? null },
      ...(endReason && { endReason }),
      result,
    },
  });
  if (count === 0) return false;
  if (view) await tx.checkView.create({ data: { checkId: id, jpeg: new Uint8Array(view) } });
  await erasePictures(tx, { checkId: id, id: { notIn: [...keptStills] } });
  return true;
}

/** Erases pictures with everything that tells where somebody was; the counts stay. */
async function erasePictures(db: Tx, where: Prisma.CheckStillWhereInput): Promise<number> {
  const stills = await db.checkStill.findMany({
    where: { ...where, jpeg: { not: null } },
    select: { id: true },
    take: 1_000,
  });
  const ids = stills.map(({ id }) => id);
  if (ids.length === 0) return 0;
  return db.$executeRaw`
    UPDATE "CheckStill" SET jpeg = NULL, people = '[]',
      answers = coalesce((SELECT jsonb_object_agg(key, value || '{"waitingPoints": null, "servedPoints": null}')
                          FROM jsonb_each(answers)), '{}')
    WHERE id = ANY(${ids}::uuid[])`;
}

/** Erases the pictures that were taken before this time. */
export async function eraseOldPictures(db: Db, before: Date): Promise<void> {
  while ((await erasePictures(db, { capturedAt: { lt: before } })) > 0);
}

/** The open checks that nobody has finished since they were collected before this time. */
export const forgottenChecks = (db: Db, before: Date): Promise<CheckRow[]> =>
  db.sceneCheck.findMany({
    where: { status: 'open', collectedAt: { lt: before } },
    include: WITH_SCENE,
    take: 100,
  });

/** Notes which checks are older than a moved view of their camera: the warning passes, and they stay old. */
export async function noteMovedViews({ db, clock }: Pick<Context, 'clock' | 'db'>): Promise<void> {
  await db.$executeRaw`
    UPDATE "SceneCheck" c SET "movedAt" = ${clock.now()}
    FROM "Scene" s JOIN "Device" d ON d.id = s."deviceId"
    WHERE s.id = c."sceneId" AND c."movedAt" IS NULL AND c.status <> 'collecting'
      AND d.warnings @> '[{"reason":"view_changed"}]' AND EXISTS (
        SELECT 1 FROM jsonb_array_elements(d.warnings) w
        WHERE w->>'reason' = 'view_changed' AND (w->>'since')::timestamptz > coalesce(c."collectedAt", c."startedAt"))`;
}

/** @returns false where the user has no such check */
export async function removeCheck(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { count } = await tx.sceneCheck.deleteMany({ where: { id, ...ofUser(userId) } });
  return count > 0;
}

/** Of scenes that are deleted: their checks with all pictures. */
export async function removeChecksOf(tx: Tx, sceneIds: readonly string[]): Promise<void> {
  await tx.sceneCheck.deleteMany({ where: { sceneId: { in: [...sceneIds] } } });
}
