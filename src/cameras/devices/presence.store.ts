import type { Db } from '../../platform/database/db.ts';
import { claim } from '../../platform/jobs/claim.store.ts';
import { type Device, Prisma } from '../../platform/prisma-client/client.ts';
import type { StreamFault } from '../../video/stream-error.ts';
import { PRESENCE_AND_WARNING_CHANGE } from './device-change.store.ts';
import {
  emitOutageEvent,
  emitPresenceEvents,
  emitWarningEvents,
  type OutDevice,
  type PresenceChange,
  type WarningChange,
} from './device-events.ts';
import type { StreamFacts } from './probe-stream.ts';
import { isStreamed } from './streamed-devices.store.ts';

/** The result of a probe. */
export interface Presence {
  readonly onlineStatus: 'online' | 'unknown' | 'offline';
  readonly info: StreamFacts | null;
  /** Why the stream cannot be read; null if it can, or if that is not known. */
  readonly fault: StreamFault | null;
  /** How long the probes of an offline device took; 0 by default. */
  readonly failedForMs?: number;
  /** Writes nothing if a node streams the device meanwhile: its frames show more than the probe. */
  readonly onlyIdle?: boolean;
}

/** A device that is due for a probe. */
export type IdleDevice = Pick<Device, 'id' | 'streamUrlEncrypted' | 'streamRevision' | 'onlineStatus'> & {
  readonly isStreamed: boolean;
  /** Of its user; empty if they have none of their own. */
  readonly streamNetworks: readonly string[];
};

/** Claims the devices that are due for the longest time, each for one worker only. They are due again after `everySeconds`. */
export const claimDueProbes = (
  db: Db,
  { everySeconds, limit }: { everySeconds: number; limit: number },
): Promise<IdleDevice[]> =>
  claim(db, {
    table: 'Device',
    due: Prisma.sql`w."deletedAt" IS NULL AND w."nextProbeAt" <= clock_timestamp()`,
    order: Prisma.sql`w."nextProbeAt"`,
    limit,
    set: Prisma.sql`"nextProbeAt" = clock_timestamp() + make_interval(secs => ${everySeconds})`,
    returning: Prisma.sql`w.id, w."streamUrlEncrypted", w."streamRevision", w."onlineStatus"::text AS "onlineStatus",
      ${isStreamed(Prisma.sql`w.id`)} AS "isStreamed",
      (SELECT u."streamNetworks" FROM "User" u WHERE u.id = w."userId") AS "streamNetworks"`,
  });

/** `updatedAt` stays: users did not change the device. Writes nothing if the address has changed meanwhile. */
export async function writePresence(
  db: Db,
  device: Pick<Device, 'id' | 'streamRevision'>,
  { onlineStatus, info, fault, failedForMs = 0, onlyIdle = false }: Presence,
): Promise<void> {
  const error = fault?.sentence ?? null;
  await db.$transaction(async (tx) => {
    const changes = await tx.$queryRaw<(PresenceChange & WarningChange)[]>`
      WITH old AS (
        SELECT id, "onlineStatus", "onlineChangedAt", "toldOfflineSince", warnings,
               ${isStreamed(Prisma.sql`"Device".id`)} AS "isStreamed"
        FROM "Device"
        WHERE id = ${device.id}::uuid AND "streamRevision" = ${device.streamRevision}
          AND NOT (${onlyIdle} AND ${isStreamed(Prisma.sql`"Device".id`)})
        FOR NO KEY UPDATE)
      UPDATE "Device" d SET
        "onlineChangedAt" = CASE WHEN old."onlineStatus"::text = ${onlineStatus} THEN old."onlineChangedAt"
                                 ELSE clock_timestamp() END,
        "onlineStatus" = ${onlineStatus}::"OnlineStatus", "lastError" = ${error},
        "lastErrorAt" = CASE WHEN ${error}::text IS NOT NULL THEN clock_timestamp() END,
        -- For a device that is streamed, its node writes fault and warnings.
        warnings = CASE WHEN old."isStreamed" THEN d.warnings ELSE '[]' END,
        fault = CASE
          WHEN old."isStreamed" THEN d.fault
          WHEN ${error}::text IS NOT NULL THEN jsonb_build_object(
            'reason', ${fault?.reason ?? null}::text, 'message', ${error}::text,
            'since', coalesce(d.fault->'since', to_jsonb(to_char(
              clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))) END,
        -- No event for a device that was never online: the answer to the request that created it says the same.
        "toldOfflineSince" = CASE
          WHEN ${onlineStatus} = 'online' THEN NULL
          WHEN ${onlineStatus} = 'offline' AND old."onlineStatus" = 'online' THEN
            coalesce(old."toldOfflineSince", clock_timestamp() - make_interval(secs => ${failedForMs / 1000}))
          ELSE old."toldOfflineSince" END,
        width = coalesce(${info?.width ?? null}::int, width), height = coalesce(${info?.height ?? null}::int, height),
        codec = coalesce(${info?.codec ?? null}, codec),
        "sourceFps" = coalesce(${info?.sourceFps ?? null}::float8, "sourceFps")
      FROM old WHERE d.id = old.id
      RETURNING ${PRESENCE_AND_WARNING_CHANGE}`;
    await emitPresenceEvents(tx, changes);
    await emitWarningEvents(tx, changes);
  });
}

type StreamedDevice = Pick<Device, 'id' | 'streamRevision'>;

/** Stores what an opened stream sends. */
export async function noteStreamInfo(
  db: Db,
  { id, streamRevision }: StreamedDevice,
  { width, height, codec, sourceFps }: StreamFacts,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Device" SET width = ${width}, height = ${height}, codec = ${codec}, "sourceFps" = ${sourceFps}
    WHERE id = ${id}::uuid AND "streamRevision" = ${streamRevision}`;
}

/** Stores why a stream stopped. `device_analysis_error` is sent once per outage; the next newer frame ends the outage. */
export async function noteStreamFault(
  db: Db,
  { id, streamRevision }: StreamedDevice,
  { error, isOutage }: { error: string; isOutage: boolean },
): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE "Device" SET "lastError" = ${error}, "lastErrorAt" = clock_timestamp()
      WHERE id = ${id}::uuid AND "streamRevision" = ${streamRevision}`;
    if (!isOutage) return;
    const [device] = await tx.$queryRaw<OutDevice[]>`
      UPDATE "Device" SET "outageNotifiedAt" = clock_timestamp()
      WHERE id = ${id}::uuid AND "streamRevision" = ${streamRevision} AND "outageNotifiedAt" IS NULL
        AND "deletedAt" IS NULL
      RETURNING id, "userId", name, "lastFrameAt", "outageNotifiedAt"`;
    if (device) await emitOutageEvent(tx, device, error);
  });
}
