import type { Db } from '../platform/db.ts';
import { storedTroubles, type Troubles } from './trouble.ts';

/**
 * Keeps how the cameras of a node are now. Not an update in the caller's eyes: `updatedAt` stays. Of a device that another
 * node streams by now nothing is written.
 */
export async function writeTroubles(
  db: Db,
  nodeId: string,
  cameras: ReadonlyMap<string, Troubles>,
): Promise<void> {
  if (cameras.size === 0) return;
  const rows = [...cameras].map(([id, troubles]) => ({ id, ...storedTroubles(troubles) }));
  await db.$executeRaw`
    WITH n AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n(id uuid, fault jsonb, warnings jsonb)),
    old AS (SELECT d.id FROM "Device" d JOIN n USING (id) ORDER BY d.id FOR NO KEY UPDATE OF d)
    UPDATE "Device" d SET fault = nullif(n.fault, 'null'), warnings = n.warnings
    FROM n JOIN old USING (id)
    WHERE d.id = n.id AND NOT EXISTS (
      SELECT 1 FROM "AnalysisTask" t
      WHERE t."deviceId" = d.id AND t.status = 'PROCESSING' AND t."computeNodeId" <> ${nodeId}::uuid)`;
}
