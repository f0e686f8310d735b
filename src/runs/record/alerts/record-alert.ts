import { insertAlert } from '../../../alerts/firing.store.ts';
import { joinRecordBefore, recordCapture } from '../../../attributes/record-capture.ts';
import { charge } from '../../../billing/charge.ts';
import { emit } from '../../../delivery/events/emit.ts';
import { type FrameImages, insertImages, NO_IMAGES } from '../../../images/image.store.ts';
import { requestInsight } from '../../../insights/request-insight.ts';
import type { Context } from '../../../platform/context.ts';
import { isDatabaseBusy } from '../../../platform/database/database-away.ts';
import { IN_WEBHOOKS_SECONDS, imageUrl } from '../../../platform/images/image-url.ts';
import type { Queue } from '../../../platform/jobs/queue.ts';
import { workOff } from '../../../platform/jobs/work-off.ts';
import type { WriteFaults } from '../../../platform/write-faults.ts';
import { lockRun } from '../../store/write-runs.store.ts';
import { presentImages } from './present-images.ts';
import { claimAbandonedFirings, takeFiring } from './stored-firing.store.ts';

export interface AlertContext
  extends Pick<Context, 'config' | 'db' | 'logger' | 'clock' | 'images' | 'urlSigningKey'> {
  readonly queue: Pick<Queue, 'send'>;
  /** Failed writes of the node. */
  readonly faults?: WriteFaults;
}

/**
 * Records an alert in one transaction: the alert event, the rows of its images, its insight with its job, the charge, the
 * people in the frame, and the event `alert_triggered` with its deliveries. The transaction removes the firing, so that
 * only one worker records the alert. The run may have ended or moved since the rule fired.
 * @param firingId from `decideFiring`; the alert event has the same id
 * @param images empty when there are none; `awaited` when they may still come
 * @returns false when the alert is recorded already
 */
export function recordAlert(
  context: AlertContext,
  firingId: string,
  images: FrameImages | 'awaited',
): Promise<boolean> {
  const awaitsPictures = images === 'awaited';
  return context.db.$transaction(async (tx) => {
    const firing = await takeFiring(tx, firingId);
    if (!firing) return false;
    const { userId, deviceId, sceneId, sceneName, taskId, computeNodeId, message, capture } = firing;
    const { id: ruleId, name: ruleName, severity } = firing.rule;
    // Rows of one run are written one after the other.
    await lockRun(tx, taskId);
    const place = { deviceId, store: context.images };
    const stored = await presentImages(tx, place, images === 'awaited' ? NO_IMAGES : images);
    const occurredAt = new Date(firing.atMs);
    const source = { userId, deviceId, sceneId, taskId, computeNodeId };
    await insertAlert(tx, { ...firing, id: firingId, awaitsPictures });
    const about = { userId, deviceId, sceneId, severity, alertEventId: firingId };
    const insightId = await requestInsight(
      tx,
      { ...about, triggeredAt: occurredAt },
      { ...context, now: context.clock.now() },
    );
    if (!capture) await joinRecordBefore(tx, source, occurredAt);
    await insertImages(tx, stored, { userId, alertEventId: firingId, capturedAt: occurredAt });
    const { metricPath, operator, threshold, actualValue } = firing.held;
    await emit(tx, {
      ...about,
      type: 'alert_triggered',
      occurredAt,
      dedupeKey: `alert_triggered:${firingId}`,
      data: {
        ...{ ruleId, ruleName, sceneId, sceneName, deviceId, severity },
        ...{ metricPath, operator, threshold, actualValue, message },
        snapshotUrls: stored
          .filter(({ kind }) => kind !== 'thumbnail')
          .map(({ objectKey }) => imageUrl(context, objectKey, { ttlSeconds: IN_WEBHOOKS_SECONDS })),
      },
    });
    // The charge comes late, because it locks the user's counter until the commit.
    await charge(tx, {
      ...{ userId, deviceId, sceneId, taskId },
      analysisType: 'queue_analysis',
      feature: 'alert',
      quantity: 1,
      sourceId: `alert:${firingId}`,
      occurredAt,
    });
    if (capture) await recordCapture(tx, source, { ...capture, insightId });
    return true;
  });
}

/** Records the firings of dead workers, without images: only the dead worker had the frames. One after the other, in their order. */
export async function recordAbandonedAlerts(context: AlertContext): Promise<void> {
  const { db, logger } = context;
  await workOff({
    atOnce: 1,
    claim: (free) => claimAbandonedFirings(db, free),
    work: async ({ id }) => {
      if (await recordAlert(context, id, NO_IMAGES))
        logger.warn({ alertEventId: id }, 'the alert of a dead worker was recorded');
    },
    failed: (err, { id }) => {
      // Where rows of this user are locked, nothing is wrong.
      if (!isDatabaseBusy(err))
        logger.warn(
          { err, firingId: id },
          'the alert of a dead worker could not be recorded: trying again in a minute',
        );
    },
  });
}
