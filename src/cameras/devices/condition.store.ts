import type { Db } from '../../platform/database/db.ts';
import { CHANNELS, notify } from '../../platform/database/notify.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import { type DeviceCondition, presentCondition, type ShownCondition, storedCondition } from './condition.ts';
import { WARNING_CHANGE } from './device-change.store.ts';
import { emitWarningEvents, type WarningChange } from './device-events.ts';
import { isStreamedByAnother, LAST_RUNNING_FRAME } from './streamed-devices.store.ts';

/** A node writes a fault within six seconds without frames. If nothing is written for longer, the node itself does not work. */
const NODE_SILENT_SECONDS = 8;

/** The current conditions by device id. They include `node_silent` where the node that streams a device does not answer. */
export async function findDeviceConditions(
  db: Db,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, ShownCondition>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await db.$queryRaw<
    { id: string; fault: unknown; warnings: unknown; silentSince: Date | null }[]
  >`
    SELECT d.id, d.fault, d.warnings,
           CASE WHEN at < clock_timestamp() - make_interval(secs => ${NODE_SILENT_SECONDS}) THEN at END AS "silentSince"
    FROM "Device" d CROSS JOIN LATERAL (SELECT ${LAST_RUNNING_FRAME} AS at) last
    WHERE d.id = ANY(${[...new Set(deviceIds)]}::uuid[])`;
  return new Map(rows.map(({ id, ...row }) => [id, presentCondition(row)]));
}

/**
 * Stores the conditions of the cameras of a node. `updatedAt` stays: users did not change the devices. Nothing is written for
 * a device that another node streams meanwhile.
 */
export async function writeDeviceConditions(
  db: Db,
  nodeId: string,
  cameras: ReadonlyMap<string, DeviceCondition>,
): Promise<void> {
  if (cameras.size === 0) return;
  const rows = [...cameras].map(([id, condition]) => ({ id, ...storedCondition(condition) }));
  await db.$transaction(async (tx) => {
    const written = await tx.$queryRaw<WarningChange[]>`
    WITH n AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n(id uuid, fault jsonb, warnings jsonb)),
    old AS (SELECT d.id, d.warnings FROM "Device" d JOIN n USING (id) ORDER BY d.id FOR NO KEY UPDATE OF d)
    UPDATE "Device" d
    SET warnings = n.warnings,
        -- Since when: that of the first of several faults in a row.
        fault = CASE WHEN n.fault = 'null' THEN NULL
                     WHEN d.fault IS NULL THEN n.fault
                     ELSE n.fault || jsonb_build_object('since', d.fault->'since') END
    FROM n JOIN old USING (id)
    WHERE d.id = n.id AND NOT ${isStreamedByAnother(Prisma.sql`d.id`, nodeId)}
    RETURNING ${WARNING_CHANGE}`;
    await emitWarningEvents(tx, written);
    // Clients of the live metrics see why there are none.
    for (const userId of new Set(written.map((device) => device.userId)))
      await notify(tx, CHANNELS.metrics, userId);
  });
}
