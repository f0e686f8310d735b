import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import type { Context } from '../../../platform/context.ts';
import { type WorkedOff, workOff } from '../../../platform/jobs/work-off.ts';
import {
  findPicture,
  removeWish,
  renewWishes,
  type StoredPicture,
} from '../../devices/images/live-picture.store.ts';
import { endCollecting } from './check.store.ts';
import { claimDueChecks, type DueCheck, findOpen, findView, type Look, storeStep } from './look.store.ts';
import { outdatedBy } from './outdated.ts';
import { draw, momentOf, type Plan, slotsOf, stratumOf } from './sample-moments.ts';

const AT_ONCE = 4;
/** Longer than a look takes. */
const CLAIM_MS = 60_000;
/** A wish for live pictures counts for 12 s; a node that sends only stills of a camera sends one within 5 s. */
const PICTURE_MS = 11_000;
const POLL_EVERY_MS = 200;
/** As wide as live pictures are. */
const WIDTH = 960;
/** A moment that passed longer ago is not looked at: its picture would be of another moment. */
const LATE_MS = 30_000;

type JobContext = Pick<Context, 'clock' | 'db' | 'logger'>;

/** Looks at the scenes of the checks whose next moment has come. */
export function takeStills(context: JobContext): Promise<WorkedOff> {
  const { db, clock, logger } = context;
  return workOff<DueCheck>({
    atOnce: AT_ONCE,
    claim: (limit) => {
      const at = clock.now();
      return claimDueChecks(db, { at, until: new Date(at.getTime() + CLAIM_MS), limit });
    },
    work: (check) => takeStill(context, check),
    failed: (error, { id }) =>
      logger.warn({ err: error, checkId: id }, 'a still of a check could not be kept'),
  });
}

async function takeStill({ db, clock }: JobContext, due: DueCheck): Promise<void> {
  const check = { ...due, open: await findOpen(db, due) };
  const isLate = momentOf(check, check.slot) < clock.now().getTime() - LATE_MS;
  const look = isLate ? null : await lookAt(db, check);
  // After the picture: one of new zones must not become a still of the old ones.
  const view = await findView(db, check.sceneId);
  const endReason = view && outdatedBy({ ...check, ...view, since: check.startedAt });
  const now = clock.now();
  if (endReason) {
    await endCollecting(db, check.id, { endReason, at: now });
    return;
  }
  const next = nextSlot(check, now.getTime());
  const stratum = stratumOf(check.slot);
  const isChanged =
    look !== null &&
    check.lastCounts !== null &&
    (look.waiting !== check.lastCounts.waiting || look.served !== check.lastCounts.served);
  const step = {
    ...{ check, stratum, skipped: (next ?? slotsOf(check)) - check.slot - 1 },
    seen: look && { look, draw: draw(check, isChanged, check, check.slot) },
    next:
      next === null
        ? null
        : { slot: next, at: new Date(momentOf(check, next)), isSamePart: stratumOf(next) === stratum },
  };
  await storeStep(db, step, now);
}

/** The next moment that has not passed; null after the last one. */
function nextSlot(check: DueCheck & Plan, nowMs: number): number | null {
  let slot = check.slot + 1;
  while (slot < slotsOf(check) && momentOf(check, slot) < nowMs - LATE_MS) slot += 1;
  return slot < slotsOf(check) ? slot : null;
}

/** The next analysed frame of the camera with our counts; null where none comes, or it is not one of this scene. */
async function lookAt(
  db: JobContext['db'],
  { id, deviceId, sceneId, showsPeople }: DueCheck,
): Promise<Look | null> {
  const askedMs = Date.now();
  const analysed = await renewWishes(db, id, [{ deviceId, width: WIDTH, fps: 1, showsPeople }]);
  if (!analysed.has(deviceId)) return null;
  const before = (await findPicture(db, deviceId))?.capturedAtMs ?? Number.NEGATIVE_INFINITY;
  try {
    while (Date.now() < askedMs + PICTURE_MS) {
      const picture = await findPicture(db, deviceId, showsPeople);
      if (picture && picture.capturedAtMs > before) return await lookOf(picture, sceneId);
      await pause(POLL_EVERY_MS);
    }
    return null;
  } finally {
    await removeWish(db, id, deviceId);
  }
}

async function lookOf(
  { jpeg, counts, tracks, capturedAtMs }: StoredPicture,
  sceneId: string,
): Promise<Look | null> {
  const found = (JSON.parse(counts ?? '{}') as Record<string, [number, number]>)[sceneId];
  if (!found) return null;
  const people =
    (JSON.parse(tracks) as Record<string, [number, string | null, number, number, number, number][]>)[
      sceneId
    ] ?? [];
  const { channels } = await sharp(jpeg).greyscale().stats();
  return {
    capturedAt: new Date(capturedAtMs),
    jpeg,
    brightness: Math.round(channels[0]!.mean),
    waiting: found[0],
    served: found[1],
    people: people.flatMap(([, zone, left, top, right, bottom]) =>
      zone === null ? [] : [{ zone, left, top, right, bottom }],
    ),
  };
}
