import type { Tx } from '../platform/db.ts';

export interface Reservation {
  readonly quantity: number;
  readonly userId: string;
  readonly deviceId: string | null;
  readonly sceneId: string | null;
}

/** What was reserved of VLM tokens under this name; null when nothing was. */
export async function reservedQuantity(tx: Tx, sourceId: string): Promise<Reservation | null> {
  const row = await tx.usageEvent.findUnique({
    where: { feature_sourceId: { feature: 'vlm', sourceId } },
    select: { quantity: true, userId: true, deviceId: true, sceneId: true },
  });
  return row && { ...row, quantity: Number(row.quantity) };
}
