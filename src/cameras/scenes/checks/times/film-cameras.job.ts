import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../../../platform/context.ts';
import { isDatabaseAway } from '../../../../platform/database/database-away.ts';
import { every } from '../../../../platform/jobs/every.ts';
import { type WorkedOff, workOff } from '../../../../platform/jobs/work-off.ts';
import {
  findPicture,
  RENEW_WISHES_MS,
  removeWish,
  renewWishes,
} from '../../../devices/images/live-picture.store.ts';
import { endCollecting } from '../check.store.ts';
import { findView } from '../look.store.ts';
import { outdatedBy } from '../outdated.ts';
import { filled, KEPT } from './film.ts';
import { claimDueFilms, type DueFilm, releaseFilm, storePiece } from './times.store.ts';

const SLOT_MS = 1000 / KEPT.fps;
const PIECE_MS = KEPT.pieceSeconds * 1000;
/** Often enough to see a picture of each slot. */
const WISH_FPS = 2 * KEPT.fps;
/** Pictures of a piece may come so much later than it ends. */
const LATE_MS = 1_500;

const AT_ONCE = 4;
const PAUSE_MS = 5_000;
/** Longer than a piece takes. */
const CLAIM_MS = 60_000;

type JobContext = Pick<Context, 'clock' | 'db' | 'logger'>;

/** Films cameras for checks of times, until it is stopped. Another program then goes on. */
export function startFilming(context: JobContext): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const working = every(
    PAUSE_MS,
    async () => void (await filmCameras(context, stopping.signal)),
    (error) => {
      if (!isDatabaseAway(error)) context.logger.error({ err: error }, 'films of checks cannot be kept');
    },
  );
  return {
    async stop() {
      stopping.abort();
      await working.stop();
    },
  };
}

/** Films the cameras whose checks nobody films, to the end of their films. */
export function filmCameras(context: JobContext, stopping: AbortSignal): Promise<WorkedOff> {
  const { db, clock, logger } = context;
  return workOff<DueFilm>({
    atOnce: AT_ONCE,
    claim: async (limit) => {
      if (stopping.aborted) return [];
      const at = clock.now();
      return claimDueFilms(db, { at, until: new Date(at.getTime() + CLAIM_MS), limit });
    },
    work: (film) => filmCamera(context, film, stopping),
    failed: (error, { id }) =>
      logger.warn({ err: error, checkId: id }, 'a film of a check could not be kept'),
  });
}

async function filmCamera({ db, clock }: JobContext, film: DueFilm, stopping: AbortSignal): Promise<void> {
  const { id, sceneId, deviceId, zones, startedAt, showsPeople } = film;
  const [startMs, endMs] = [startedAt.getTime(), film.endsAt.getTime()];
  const renewing = every(
    RENEW_WISHES_MS,
    async () =>
      void (await renewWishes(db, id, [{ deviceId, width: KEPT.width, fps: WISH_FPS, showsPeople }])),
    // Seconds without a picture are told.
    () => undefined,
  );
  try {
    let piece = Math.max(0, Math.floor((Date.now() - startMs) / PIECE_MS));
    let unfilmed = Math.max(0, piece - film.pieces);
    for (; startMs + piece * PIECE_MS < endMs; piece++) {
      const fromMs = startMs + piece * PIECE_MS;
      const toMs = Math.min(fromMs + PIECE_MS, endMs);
      const pictures = await takePiece(db, film, { fromMs, toMs, stopping });
      if (stopping.aborted) return await releaseFilm(db, id, clock.now());
      const view = await findView(db, sceneId);
      const endReason = view && outdatedBy({ zones, ...view, since: startedAt });
      if (endReason) return void (await endCollecting(db, id, { endReason, at: clock.now() }));
      const missed = unfilmed * KEPT.pieceSeconds + (pictures ? 0 : Math.round((toMs - fromMs) / 1000));
      unfilmed = 0;
      const until = new Date(clock.now().getTime() + CLAIM_MS);
      const jpegs = pictures ?? new Uint8Array();
      if (!(await storePiece(db, { id, piece, missed, until }, jpegs))) return;
    }
    await endCollecting(db, id, { endReason: 'complete', at: clock.now() });
  } finally {
    await renewing.stop();
    await removeWish(db, id, deviceId);
  }
}

/** The pictures of a piece, one for each slot; null without any. */
async function takePiece(
  db: JobContext['db'],
  { deviceId, showsPeople }: DueFilm,
  { fromMs, toMs, stopping }: { fromMs: number; toMs: number; stopping: AbortSignal },
): Promise<Buffer | null> {
  const slots = new Map<number, Uint8Array>();
  while (Date.now() < toMs + LATE_MS && !stopping.aborted) {
    const picture = await findPicture(db, deviceId, showsPeople);
    const slot = picture ? Math.floor((picture.capturedAtMs - fromMs) / SLOT_MS) : -1;
    if (picture && slot >= 0 && picture.capturedAtMs < toMs && !slots.has(slot))
      slots.set(slot, picture.jpeg);
    if (picture && picture.capturedAtMs >= toMs) break;
    await pause(SLOT_MS / 2, undefined, { signal: stopping }).catch(() => undefined);
  }
  return filled(slots, Math.ceil((toMs - fromMs) / SLOT_MS));
}
