import { randomInt } from 'node:crypto';
import { type Actor, recordAudit, SYSTEM } from '../../../audit/record-audit.ts';
import { ApiError, notFound, orNotFound } from '../../../http/errors.ts';
import type { Context } from '../../../platform/context.ts';
import { asJson } from '../../../platform/database/as-json.ts';
import type { Db, Tx } from '../../../platform/database/db.ts';
import type { LastStep } from '../../../platform/database/last-step.ts';
import { daysBefore } from '../../../platform/database/remove-old.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import { sceneConfigSchema } from '../../../vision/scene-config.ts';
import { storedZones } from '../../../vision/stored-config.ts';
import { findCameraScene } from '../scene.store.ts';
import {
  type CheckRow,
  countChecks,
  endCollecting,
  eraseOldPictures,
  findCheck,
  finishCheck,
  forgottenChecks,
  insertCheck,
  lockCheck,
  removeCheck,
  stillsOf,
} from './check.store.ts';
import { findOpen } from './look.store.ts';
import { makeView } from './make-view.ts';
import { isWrong, resultOf } from './result.ts';
import { momentOf } from './sample-moments.ts';
import type { NewCheck } from './schema.ts';
import { eraseFilm } from './times/times.store.ts';
import { timesResultOf } from './times/times-result.ts';

const HOUR_MS = 3_600_000;
/** Checks of a scene, with their figures; the pictures go much earlier. */
const MOST_CHECKS = 200;
const PICTURE_DAYS = 30;
const EXPIRY_DAYS = 14;

export interface Own {
  readonly userId: string;
  readonly id: string;
}

type ViewContext = Parameters<typeof makeView>[0];

export interface By {
  readonly actor: Actor;
  readonly at: Date;
}

/** @throws ApiError NOT_FOUND, LIMIT_REACHED when the scene has a check that collects, or too many */
export async function startCheck(
  db: Db,
  { userId, id: sceneId }: Own,
  { stills: wantedStills, hours, keepsWrongStills, showsPeople }: NewCheck,
  by: By,
  lastStep: LastStep<CheckRow>,
): Promise<CheckRow> {
  const scene = orNotFound(await findCameraScene(db, userId, sceneId), 'Scene');
  await requireRoomForCheck(db, sceneId);
  const plan = {
    ...{ wantedStills, seed: randomInt(2 ** 31), startedAt: by.at },
    endsAt: new Date(by.at.getTime() + hours * HOUR_MS),
  };
  const open = await findOpen(db, { ...plan, deviceId: scene.deviceId });
  const { zones } = sceneConfigSchema.parse(scene.config);
  const columns = {
    ...plan,
    sceneId,
    keepsWrongStills: keepsWrongStills && !showsPeople,
    showsPeople,
    zones: asJson(zones),
    nextAt: new Date(momentOf({ ...plan, open }, 0)),
  };
  return insertCheck(db, columns, async (tx, row) => {
    await recordAudit(tx, {
      ...{ userId, action: 'check_started', target: { kind: 'scene', id: sceneId }, ...by },
      details: { stills: wantedStills, hours, showsPeople },
    });
    await lastStep(tx, row);
  }).catch(noSecondCheck);
}

/** @throws ApiError LIMIT_REACHED */
export async function requireRoomForCheck(db: Db, sceneId: string): Promise<void> {
  if ((await countChecks(db, sceneId)) < MOST_CHECKS) return;
  throw new ApiError(
    'LIMIT_REACHED',
    `The scene has ${MOST_CHECKS} checks: delete one that you no longer need`,
  );
}

/** @throws ApiError LIMIT_REACHED where a check of the same kind keeps pictures, and every other error as it is */
export function noSecondCheck(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw new ApiError('LIMIT_REACHED', 'A check of this scene keeps pictures already: stop it first');
}

/** Keeps no further stills; a check that no longer collects stays as it is. @throws ApiError NOT_FOUND */
export async function stopCheck(db: Db, { userId, id }: Own, at: Date): Promise<CheckRow> {
  orNotFound(await findCheck(db, userId, id), 'Check');
  await endCollecting(db, id, { endReason: 'stopped', at });
  return orNotFound(await findCheck(db, userId, id), 'Check');
}

/** Computes the result of a check, and erases the pictures that are not kept. A finished check stays as it is. @throws ApiError NOT_FOUND */
export async function endCheck(
  context: ViewContext,
  { userId, id }: Own,
  checkedBy: string | undefined,
  by: By,
): Promise<CheckRow> {
  const { db } = context;
  orNotFound(await findCheck(db, userId, id), 'Check');
  await endCollecting(db, id, { endReason: 'stopped', at: by.at });
  const view = await makeView(context, id);
  return db.$transaction(async (tx) => {
    await lockCheck(tx, id);
    const check = orNotFound(await findCheck(tx, userId, id), 'Check');
    await finish(tx, check, { checkedBy, by, view });
    return orNotFound(await findCheck(tx, userId, id), 'Check');
  });
}

async function finish(
  tx: Tx,
  check: CheckRow,
  end: { checkedBy?: string | undefined; by: By; view: Uint8Array | null; isExpired?: boolean },
): Promise<void> {
  const { checkedBy, by, view, isExpired = false } = end;
  const { id, sceneId, keepsWrongStills } = check;
  const zones = storedZones.parse(check.zones);
  const isOfTimes = check.kind === 'times';
  const stills = await stillsOf(tx, id);
  const keptStills = keepsWrongStills ? stills.filter((still) => isWrong(still, zones)) : [];
  const isDone = await finishCheck(tx, id, {
    ...{ result: isOfTimes ? await timesResultOf(tx, check) : resultOf(stills, zones), at: by.at, checkedBy },
    ...(isExpired && { endReason: 'expired' as const }),
    ...{ keptStills: keptStills.map((still) => still.id), view },
  });
  if (!isDone) return;
  if (isOfTimes) await eraseFilm(tx, id);
  await recordAudit(tx, {
    ...{
      userId: check.scene.userId,
      action: 'check_finished',
      target: { kind: 'scene', id: sceneId },
      ...by,
    },
    details: isOfTimes ? {} : { stills: stills.length, keptPictures: keptStills.length },
  });
}

/** @throws ApiError NOT_FOUND */
export function deleteCheck(db: Db, { userId, id }: Own, by: By): Promise<void> {
  return db.$transaction(async (tx) => {
    const check = orNotFound(await findCheck(tx, userId, id), 'Check');
    if (!(await removeCheck(tx, userId, id))) throw notFound('Check');
    const target = { kind: 'scene', id: check.sceneId } as const;
    await recordAudit(tx, { userId, action: 'check_deleted', target, ...by });
  });
}

/** Erases pictures that are too old, and finishes checks that nobody has finished. */
export async function settleOldChecks(context: Pick<Context, 'clock'> & ViewContext): Promise<void> {
  const { db, clock } = context;
  const at = clock.now();
  // First: a check that cannot be finished must not keep pictures of others.
  await eraseOldPictures(db, daysBefore(at, PICTURE_DAYS));
  for (const check of await forgottenChecks(db, daysBefore(at, EXPIRY_DAYS))) {
    const view = await makeView(context, check.id);
    await db.$transaction(async (tx) => {
      await lockCheck(tx, check.id);
      await finish(tx, check, { by: { actor: SYSTEM, at }, view, isExpired: true });
    });
  }
}
