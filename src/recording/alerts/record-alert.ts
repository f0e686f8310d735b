import { type AlertImage, insertAlert, insertImages } from '../../alerts/firing.store.ts';
import { joinRecordBefore, recordCapture } from '../../attributes/record-capture.ts';
import { charge } from '../../billing/charge.ts';
import { emit } from '../../events/emit.ts';
import { requestInsight } from '../../insights/request-insight.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseBusy } from '../../platform/database/database-away.ts';
import { IN_WEBHOOKS_SECONDS, imageUrl } from '../../platform/images/image-url.ts';
import type { Queue } from '../../platform/jobs/queue.ts';
import type { WriteFaults } from '../../platform/write-faults.ts';
import { lockRun } from '../../runs/write-runs.store.ts';
import { claimAbandonedFirings, takeFiring } from './stored-firing.store.ts';

export interface AlertContext
  extends Pick<Context, 'config' | 'db' | 'logger' | 'clock' | 'images' | 'urlSigningKey'> {
  readonly queue: Pick<Queue, 'send'>;
  /** Of the node. */
  readonly faults?: WriteFaults;
}

/**
 * Everything that an alert is, in one transaction: the event, its pictures' rows, its insight with its job, the charge, who
 * was in the picture, and the event `alert_triggered` with its deliveries. It takes the kept firing with it, so that it happens
 * once, whoever does it. The run may have ended or moved since it fired.
 * @param firingId of `decideFiring`; the event gets the same id
 * @param stored its pictures; none where they cannot be had, `awaited` where they may still come
 * @returns false when it was recorded before
 */
export function recordAlert(
  context: AlertContext,
  firingId: string,
  stored: readonly AlertImage[] | 'awaited',
): Promise<boolean> {
  const awaitsPictures = stored === 'awaited';
  const pictures = stored === 'awaited' ? [] : stored;
  return context.db.$transaction(async (tx) => {
    const firing = await takeFiring(tx, firingId);
    if (!firing) return false;
    const { userId, deviceId, sceneId, sceneName, taskId, computeNodeId } = firing;
    const { rule, held, atMs, message, facts } = firing;
    // What belongs to one run is written one after the other.
    await lockRun(tx, taskId);
    const occurredAt = new Date(atMs);
    const place = { userId, deviceId, sceneId, taskId, computeNodeId };
    await insertAlert(tx, { ...place, id: firingId, rule, held, atMs, message, facts, awaitsPictures });
    const { severity } = rule;
    const about = { userId, deviceId, sceneId, severity, alertEventId: firingId };
    const insightId = await requestInsight(
      tx,
      { ...about, triggeredAt: occurredAt },
      { ...context, now: context.clock.now() },
    );
    if (!firing.capture) await joinRecordBefore(tx, place, occurredAt);
    await insertImages(tx, pictures, { userId, alertEventId: firingId, capturedAt: occurredAt });
    const { metricPath, operator, threshold, actualValue } = held;
    await emit(tx, {
      ...about,
      type: 'alert_triggered',
      occurredAt,
      dedupeKey: `alert_triggered:${firingId}`,
      data: {
        ruleId: rule.id,
        ruleName: rule.name,
        sceneId,
        sceneName,
        deviceId,
        severity,
        metricPath,
        operator,
        threshold,
        actualValue,
        message,
        snapshotUrls: pictures
          .filter(({ kind }) => kind !== 'thumbnail')
          .map(({ objectKey }) => imageUrl(context, objectKey, { ttlSeconds: IN_WEBHOOKS_SECONDS })),
      },
    });
    // Charges last, since the user's counter stays locked until the commit.
    await charge(tx, {
      userId,
      deviceId,
      sceneId,
      taskId,
      analysisType: 'queue_analysis',
      feature: 'alert',
      quantity: 1,
      sourceId: `alert:${firingId}`,
      occurredAt,
    });
    if (firing.capture) await recordCapture(tx, place, { ...firing.capture, insightId });
    return true;
  });
}

const AT_ONCE = 50;

/** Records what workers that have died left undone, without pictures: nobody has them any more. */
export async function recordAbandonedAlerts(context: AlertContext): Promise<void> {
  for (const firingId of await claimAbandonedFirings(context.db, AT_ONCE)) {
    try {
      if (await recordAlert(context, firingId, []))
        context.logger.warn({ alertEventId: firingId }, 'an alert that its worker left undone was recorded');
    } catch (error) {
      // Its user's rows are held: somebody takes it again in a minute. The others do not wait for it.
      if (!isDatabaseBusy(error)) throw error;
    }
  }
}
