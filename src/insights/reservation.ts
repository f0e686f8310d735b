import { charge, rollBack } from '../billing/charge.ts';
import { findUsage } from '../billing/usage.store.ts';
import type { Tx } from '../platform/database/db.ts';

/**
 * Settles the VLM tokens reserved under this name to the used quantity; 0 gives back all of them. Without a
 * reservation, or when repeated, it changes nothing.
 */
export async function settleTokens(
  tx: Tx,
  sourceId: string,
  { used, now }: { used: number; now: Date },
): Promise<void> {
  const reserved = await findUsage(tx, 'vlm', sourceId);
  if (reserved === null) return;
  if (used < reserved.quantity) {
    await rollBack(tx, { feature: 'vlm', sourceId, quantity: reserved.quantity - used });
  } else if (used > reserved.quantity) {
    const { userId, deviceId, sceneId } = reserved;
    const more = { quantity: used - reserved.quantity, sourceId: `${sourceId}:more`, occurredAt: now };
    const about = { userId, deviceId, ...(sceneId && { sceneId }) };
    await charge(tx, { ...about, ...more, feature: 'vlm', allowBeyondLimit: true });
  }
}
