import type { OpenSpan } from '../../../catalogue/hours/opening-hours.ts';
import type { Db, Tx } from '../../../platform/database/db.ts';
import { claim } from '../../../platform/jobs/claim.store.ts';
import { type CheckEnd, Prisma, type SceneCheck } from '../../../platform/prisma-client/client.ts';
import { openIn } from '../../sites/open-hours.ts';
import { findHoursOfDevice } from '../../sites/site.store.ts';
import { endCollecting } from './check.store.ts';
import type { Draw } from './sample-moments.ts';

/** A check whose next moment has come. */
export interface DueCheck
  extends Pick<
    SceneCheck,
    | 'endsAt'
    | 'id'
    | 'sceneId'
    | 'seed'
    | 'showsPeople'
    | 'slot'
    | 'startedAt'
    | 'wantedStills'
    | 'weightSum'
    | 'zones'
  > {
  readonly deviceId: string;
  readonly lastCounts: { readonly waiting: number; readonly served: number } | null;
}

/** @param until another program tries after this time, if this one dies meanwhile */
export function claimDueChecks(
  db: Db,
  { at, until, limit }: { at: Date; until: Date; limit: number },
): Promise<DueCheck[]> {
  return claim<DueCheck>(db, {
    table: 'SceneCheck',
    due: Prisma.sql`w."nextAt" <= ${at} AND w.kind = 'stills'`,
    order: Prisma.sql`w."nextAt"`,
    limit,
    set: Prisma.sql`"nextAt" = ${until}`,
    from: { table: Prisma.sql`"Scene" s`, on: Prisma.sql`s.id = w."sceneId"` },
    returning: Prisma.sql`w.id, w."sceneId", w."wantedStills", w.seed, w.zones, w.slot, w."weightSum", w."lastCounts",
      w."startedAt", w."endsAt", w."showsPeople", s."deviceId"`,
  });
}

/** When the sites of a camera are open during a check; none where nobody has said. */
export async function findOpen(
  db: Db,
  { deviceId, startedAt, endsAt }: Pick<DueCheck, 'deviceId' | 'startedAt' | 'endsAt'>,
): Promise<OpenSpan[]> {
  const range = { fromMs: startedAt.getTime(), toMs: endsAt.getTime() };
  return openIn(await findHoursOfDevice(db, deviceId), range) ?? [];
}

/** The zones and warnings by which a check goes on or ends; null where the scene is gone. */
export async function findView(
  db: Db,
  sceneId: string,
): Promise<{ config: Prisma.JsonValue; warnings: Prisma.JsonValue } | null> {
  const row = await db.scene.findFirst({
    where: { id: sceneId, deletedAt: null },
    select: { config: true, device: { select: { warnings: true } } },
  });
  return row && { config: row.config, warnings: row.device.warnings };
}

/** What was seen at a moment. */
export interface Look {
  readonly capturedAt: Date;
  readonly jpeg: Uint8Array;
  readonly brightness: number;
  readonly waiting: number;
  readonly served: number;
  readonly people: Prisma.InputJsonArray;
}

interface Step {
  readonly check: Pick<SceneCheck, 'id' | 'slot'>;
  readonly stratum: number;
  /** Null where there was no picture. */
  readonly seen: { readonly look: Look; readonly draw: Draw } | null;
  readonly next: { readonly slot: number; readonly at: Date; readonly isSamePart: boolean } | null;
  /** Moments that passed while nobody looked. */
  readonly skipped: number;
}

/** Stores what was seen at a moment, and when the next one comes. A repetition for the same moment changes nothing. */
export function storeStep(db: Db, { check, stratum, seen, next, skipped }: Step, now: Date): Promise<void> {
  return db.$transaction(async (tx) => {
    const { count } = await tx.sceneCheck.updateMany({
      where: { id: check.id, slot: check.slot, status: 'collecting' },
      data: {
        missed: { increment: skipped + (seen ? 0 : 1) },
        slot: next?.slot ?? check.slot + 1 + skipped,
        nextAt: next?.at ?? null,
        ...(seen && {
          weightSum: seen.draw.weightSum,
          lastCounts: { waiting: seen.look.waiting, served: seen.look.served },
        }),
        ...(!next?.isSamePart && { weightSum: 0 }),
      },
    });
    if (count === 0) return;
    if (seen) await storeStill(tx, { checkId: check.id, stratum, ...seen });
    if (!next) await endCollecting(tx, check.id, { endReason: 'complete' satisfies CheckEnd, at: now });
  });
}

async function storeStill(
  tx: Tx,
  { checkId, stratum, look, draw }: { checkId: string; stratum: number; look: Look; draw: Draw },
): Promise<void> {
  const { weightSum, drawWeight, isKept } = draw;
  if (!isKept) {
    await tx.$executeRaw`
      UPDATE "CheckStill" SET weight = ${weightSum}::float8 / "drawWeight"
      WHERE "checkId" = ${checkId}::uuid AND stratum = ${stratum}`;
    return;
  }
  const columns = { ...look, jpeg: new Uint8Array(look.jpeg), drawWeight, weight: weightSum / drawWeight };
  await tx.checkStill.upsert({
    where: { checkId_stratum: { checkId, stratum } },
    create: { ...columns, checkId, stratum },
    update: columns,
  });
}
