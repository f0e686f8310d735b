import type { Tx } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';

/** An erasure of the user of a scene `s` runs. */
export const IS_ERASED = Prisma.raw(
  `EXISTS (SELECT 1 FROM "DataJob" j WHERE j."userId" = s."userId" AND j.kind = 'erasure' AND j.status = 'running')`,
);

/** No erasure of the user of a scene runs. An erasure reads rows where they lie: none may move to another table meanwhile. */
export const notErased = (sceneId: string): Prisma.Sql =>
  Prisma.sql`NOT EXISTS (SELECT 1 FROM "Scene" s WHERE s.id = ${sceneId}::uuid AND ${IS_ERASED})`;

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
