import type { Tx } from '../platform/database/db.ts';

/** Removes all metrics of a scene. A trigger removes its quarters of an hour together with their minutes, if there are any. */
export async function eraseMetrics(tx: Tx, sceneId: string): Promise<void> {
  const where = { sceneId };
  await tx.visit.deleteMany({ where });
  await tx.visitQuarter.deleteMany({ where });
  await tx.occupancyMinute.deleteMany({ where });
  await tx.minuteHour.deleteMany({ where });
  await tx.occupancyQuarter.deleteMany({ where });
  await tx.tillQuarter.deleteMany({ where });
  await tx.sceneTotals.deleteMany({ where });
  await tx.metricSnapshot.deleteMany({ where });
  await tx.snapshotHour.deleteMany({ where });
  await tx.rollingRecord.deleteMany({ where });
  await tx.rollingHour.deleteMany({ where });
}
