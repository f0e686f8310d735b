import type { AlertFacts } from '../alerts/alert-facts.ts';
import { claimFiring, insertAlert, insertPictures, type StoredPicture } from '../alerts/firing.store.ts';
import { alertMessage } from '../alerts/message.ts';
import type { Fired } from '../alerts/rule-watch.ts';
import type { Capture } from '../attributes/capture.ts';
import { joinRecordBefore, recordCapture } from '../attributes/record-capture.ts';
import { charge } from '../billing/charge.ts';
import { requestInsight } from '../insights/request-insight.ts';
import type { Context } from '../platform/context.ts';
import { IN_WEBHOOKS_SECONDS, imageUrl } from '../platform/images/image-url.ts';
import type { Queue } from '../platform/queue.ts';
import { emit } from '../webhooks/emit.ts';
import type { ClaimedRun } from './lease.store.ts';
import { holdRun } from './run.store.ts';

/** A rule of a run that fires, with what was seen at that moment. */
export interface Firing extends Fired {
  readonly atMs: number;
  readonly facts: AlertFacts;
  /** Who was in the picture; null where nobody was or nobody asks. */
  readonly capture: Capture | null;
}

export interface AlertContext
  extends Pick<Context, 'config' | 'db' | 'logger' | 'clock' | 'images' | 'urlSigningKey'> {
  readonly queue: Pick<Queue, 'send'>;
}

/**
 * `refused`: the rule has changed, or has fired already. `lost`: the run is not this node's any more. Nothing is written
 * then.
 */
export type AlertOutcome = 'recorded' | 'refused' | 'lost';

/**
 * Everything that a firing is, in one transaction under the run's lease: the rule's state, the event, its insight with its
 * job, the charge, who was in the picture, and the event `alert_triggered` with its deliveries. Doing it again after an unknown end is refused by
 * the rule's own row.
 * @param pictures never rejects and settles soon: what does not need them is written meanwhile, and the run stays locked
 */
export function recordAlert(
  context: AlertContext,
  run: ClaimedRun & { readonly nodeId: string },
  { firing, pictures: stored }: { firing: Firing; pictures: Promise<readonly StoredPicture[]> },
): Promise<AlertOutcome> {
  const { rule, held, atMs, facts } = firing;
  const { userId, deviceId, sceneId, id: taskId, nodeId: computeNodeId } = run;
  const occurredAt = new Date(atMs);
  return context.db.$transaction(async (tx) => {
    const scene = await holdRun(tx, run.nodeId, run);
    if (!scene) return 'lost';
    if (!(await claimFiring(tx, rule, atMs))) return 'refused';
    const message = alertMessage(held, scene.name);
    const place = { userId, deviceId, sceneId, taskId, computeNodeId };
    const alertEventId = await insertAlert(tx, { ...place, rule, held, atMs, message, facts });
    const { severity } = rule;
    const about = { userId, deviceId, sceneId, severity, alertEventId };
    const insightId = await requestInsight(
      tx,
      { ...about, triggeredAt: occurredAt },
      { ...context, now: context.clock.now() },
    );
    if (!firing.capture) await joinRecordBefore(tx, place, occurredAt);
    const pictures = await stored;
    await insertPictures(tx, pictures, { userId, alertEventId, capturedAt: occurredAt });
    const { metricPath, operator, threshold, actualValue } = held;
    await emit(tx, {
      ...about,
      type: 'alert_triggered',
      occurredAt,
      dedupeKey: `alert_triggered:${alertEventId}`,
      data: {
        ruleId: rule.id,
        ruleName: rule.name,
        sceneId,
        sceneName: scene.name,
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
      sourceId: `alert:${alertEventId}`,
      occurredAt,
    });
    if (firing.capture) await recordCapture(tx, place, { ...firing.capture, insightId });
    return 'recorded';
  });
}
