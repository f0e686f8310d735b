import { announceInsight } from '../live/announce-insight.ts';
import type { Tx } from '../platform/database/db.ts';
import type { Queue } from '../platform/jobs/queue.ts';
import { wakeInsight } from './describe.store.ts';
import { DESCRIBE_INSIGHT } from './describe-job-type.ts';

/** The late pictures of an alert are there, or will not come: its insight is described now if it has waited for them. */
export async function picturesSettled(
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
