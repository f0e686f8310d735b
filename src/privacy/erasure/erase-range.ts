import { SYSTEM } from '../../audit/record-audit.ts';
import { ApiError } from '../../http/errors.ts';
import { forgetImages } from '../../images/image.store.ts';
import { awaitFold } from '../../metrics/folded/fold.store.ts';
import { awaitPacking, removeHours, unpackEdges } from '../../metrics/packed/pack.store.ts';
import type { Context } from '../../platform/context.ts';
import { deleteRecording } from '../../runs/recordings/erase-recording.ts';
import { forgetCheckpoints } from '../../runs/store/runs-with-memory.store.ts';
import { type DataJob, forgetFiles, revokeExports } from '../data-job.store.ts';
import type { JobProgress } from '../job-progress.ts';
import {
  FIRINGS,
  PLAIN_ROWS,
  type RangedRows,
  type SceneRange,
  VISIT_QUARTER_ROWS,
  VISIT_ROWS,
} from '../ranged-rows.store.ts';
import { overlappingRecordings } from '../recordings.store.ts';
import {
  eraseAlerts,
  eraseBatch,
  eraseEventBatch,
  eraseNotificationBatch,
  erasePassingPictures,
  eraseUnusedWords,
  forgetLatestMetrics,
  giveUpReports,
  isCounted,
  isWholeBatch,
  nextAlerts,
  rebuildTotals,
  scenesOf,
  strayImages,
} from './erase.store.ts';
import { settleRuns } from './settle-runs.ts';

const ALERTS_AT_ONCE = 100;
const IMAGES_AT_ONCE = 500;

export type EraseContext = Pick<Context, 'clock' | 'db' | 'images' | 'logger'>;

/**
 * Erases everything of a time range. Whatever was erased before an interruption is gone, so that a repetition goes on with the
 * rest. Objects are removed before their rows: as long as an object exists, a row names it.
 */
export async function eraseRange(context: EraseContext, job: DataJob, progress: JobProgress): Promise<void> {
  const { db, images } = context;
  const { userId, deviceIds, rangeFrom: from, rangeTo: to } = job;
  const range = { userId, deviceIds, from, to };
  await eraseRecordings(context, range, progress);
  const scenes = await scenesOf(db, range);
  progress.begin(scenes.length + 2);
  for (const { id: sceneId } of scenes) {
    await eraseScene(context, { sceneId, from, to }, { progress, isHeld: false });
    progress.step();
  }
  const sceneIds = await progress.notedScenes();
  await settleRuns(db, { ...range, sceneIds }, (sceneId) =>
    eraseScene(context, { sceneId, from, to }, { progress, isHeld: true }),
  );
  progress.step();
  await eraseBatches('notifications', progress, () => eraseNotificationBatch(db, range));
  await giveUpReports(db, range);
  await eraseBatches('events', progress, () => eraseEventBatch(db, range));
  if (deviceIds.length === 0) {
    for (;;) {
      progress.requireMine();
      const stray = await strayImages(db, range, IMAGES_AT_ONCE);
      if (stray.length === 0) break;
      const keys = stray.map(({ objectKey }) => objectKey);
      await images.remove(keys);
      await forgetImages(db, keys);
      progress.count('images', keys.length);
    }
  }
  await erasePassingPictures(db, range);
  await eraseUnusedWords(db, userId);
  const files = await revokeExports(db, job, context.clock.now());
  await images.objects.remove(files.flatMap(({ objectKey }) => objectKey ?? []));
  await forgetFiles(
    db,
    files.map(({ id }) => id),
  );
  progress.step();
}

/** A recording is erased whole, with everything that was derived from it; its analysis is stopped. */
async function eraseRecordings(
  context: EraseContext,
  range: Parameters<typeof overlappingRecordings>[1],
  progress: JobProgress,
): Promise<void> {
  for (const { id } of await overlappingRecordings(context.db, range)) {
    progress.requireMine();
    await deleteRecording(context, { userId: range.userId, id, by: SYSTEM }).catch((error: unknown) => {
      // Somebody else deletes it.
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
    });
    progress.count('recordings', 1);
  }
}

/**
 * Erases the rows of a scene. The totals come before the visits, see `rebuildTotals`.
 * @param options.isHeld its analysis was stopped for the erasure: its node has written totals that count erased visits
 */
async function eraseScene(
  context: EraseContext,
  range: SceneRange,
  { progress, ...options }: { progress: JobProgress; isHeld: boolean },
): Promise<void> {
  const { db } = context;
  await eraseRows(context, FIRINGS, { range, progress });
  for (;;) {
    progress.requireMine();
    const alerts = await nextAlerts(db, range, ALERTS_AT_ONCE);
    if (alerts.length === 0) break;
    const keys = alerts.flatMap((alert) => alert.images.map(({ objectKey }) => objectKey));
    await context.images.remove(keys);
    progress.count('alertEvents', await eraseAlerts(db, alerts));
    progress.count('images', keys.length);
  }
  await awaitFold(db, range.sceneId);
  await awaitPacking(db, range.sceneId);
  const found = await isCounted(db, range);
  if (found) await progress.noteScene(range.sceneId);
  if (found || options.isHeld) {
    await rebuildTotals(db, range);
    await eraseRows(context, VISIT_ROWS, { range, progress });
    await eraseRows(context, VISIT_QUARTER_ROWS, { range, progress });
  }
  for (const rows of PLAIN_ROWS) await eraseRows(context, rows, { range, progress });
  await forgetCheckpoints(db, range);
  await forgetLatestMetrics(db, range);
}

/** Packed rows first: those of hours that the range has in part lie beside the others then. */
async function eraseRows(
  { db }: EraseContext,
  rows: RangedRows,
  { range, progress }: { range: SceneRange; progress: JobProgress },
): Promise<void> {
  if (rows.packed) {
    for (let removed = 1; removed > 0; ) {
      progress.requireMine();
      removed = await removeHours(db, rows.packed, range);
      progress.count(rows.name, removed);
    }
    await unpackEdges(db, rows.packed, range);
  }
  await eraseBatches(rows.name, progress, () => eraseBatch(db, rows, range));
}

async function eraseBatches(
  name: string,
  progress: JobProgress,
  eraseOne: () => Promise<number>,
): Promise<void> {
  for (;;) {
    progress.requireMine();
    const erased = await eraseOne();
    progress.count(name, erased);
    if (!isWholeBatch(erased)) return;
  }
}
