import type { Db } from '../platform/database/db.ts';

/**
 * The right to publish, which one process of the installation has at a time, and how far alert events are published. It is one row
 * of Setting: `{ id, holder, until, after }`, `until` in seconds of the database's clock.
 */
const KEY = 'mqttBridge';

export interface Lease {
  /** Name of the installation, 16 hexadecimal characters: it survives every change of the holder. */
  readonly bridgeId: string;
  /** Position in the event stream up to which alert events are published. */
  readonly after: bigint;
}

/**
 * Takes the lease, or renews it. The first lease of an installation begins with the newest event.
 * @returns null while another process has it
 */
export async function takeLease(
  db: Db,
  { holder, seconds }: { holder: string; seconds: number },
): Promise<Lease | null> {
  const [others] = await db.$queryRaw<{ isHeld: boolean }[]>`
    SELECT value->>'holder' <> ${holder} AND (value->>'until')::float8 > extract(epoch FROM clock_timestamp()) AS "isHeld"
    FROM "Setting" WHERE key = ${KEY}`;
  // Most processes only look: a conflicting INSERT would lock the row and write.
  if (others?.isHeld) return null;
  const [lease] = await db.$queryRaw<Lease[]>`
    INSERT INTO "Setting" AS s (key, value, "updatedAt")
    VALUES (${KEY}, jsonb_build_object(
              'id', substr(md5(random()::text || clock_timestamp()::text), 1, 16), 'holder', ${holder}::text,
              'until', extract(epoch FROM clock_timestamp()) + ${seconds}::float8,
              'after', (SELECT coalesce(max(sequence), 0) FROM "Event")), clock_timestamp())
    ON CONFLICT (key) DO UPDATE
    SET value = s.value || jsonb_build_object('holder', ${holder}::text,
                  'until', extract(epoch FROM clock_timestamp()) + ${seconds}::float8),
        "updatedAt" = clock_timestamp()
    WHERE s.value->>'holder' = ${holder} OR (s.value->>'until')::float8 <= extract(epoch FROM clock_timestamp())
    RETURNING s.value->>'id' AS "bridgeId", (s.value->>'after')::bigint AS after`;
  return lease ?? null;
}

/** Notes that alert events are published up to a position. @returns false when the holder has no lease any more */
export async function movePosition(
  db: Db,
  { holder, after }: { holder: string; after: bigint },
): Promise<boolean> {
  const moved = await db.$executeRaw`
    UPDATE "Setting" SET value = value || jsonb_build_object('after', ${after}::bigint), "updatedAt" = clock_timestamp()
    WHERE key = ${KEY} AND value->>'holder' = ${holder}`;
  return moved > 0;
}

/** Gives the lease back, so that another process can take it at once. */
export async function giveLease(db: Db, holder: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "Setting" SET value = value || '{"until": 0}', "updatedAt" = clock_timestamp()
    WHERE key = ${KEY} AND value->>'holder' = ${holder}`;
}
