import { announceInsight } from '../delivery/live/announce-insight.ts';
import type { Tx } from '../platform/database/db.ts';
import type { Queue } from '../platform/jobs/queue.ts';
import { wakeInsight } from './describe.store.ts';
import { DESCRIBE_INSIGHT } from './describe-job-type.ts';

/**
 * The late images of an alert were added, or will not come. If its insight has waited for them, it is described now.
 */
export async function imagesSettled(
  tx: Tx,
  alertEventId: string,
  { queue, now }: { queue: Pick<Queue, 'send'>; now: Date },
): Promise<void> {
  const insight = await tx.insight.findUnique({
    where: { alertEventId },
    select: { id: true, userId: true },
  });
  if (!insight) return;
  if (await wakeInsight(tx, insight.id, now)) {
    await queue.send(DESCRIBE_INSIGHT, { insightId: insight.id }, { tx });
  }
  await announceInsight(tx, insight);
}
