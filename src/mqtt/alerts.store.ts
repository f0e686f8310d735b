import type { Db } from '../platform/database/db.ts';

export interface NextEvent {
  /** Position in the event stream. */
  readonly sequence: bigint;
  readonly userId: string;
  readonly sceneId: string | null;
  readonly alertEventId: string | null;
  /** The body, as webhooks get it. */
  readonly body: Uint8Array;
  readonly type: string;
  /** It is an alert event, advice or unusual activity of a camera and of one of the users, and no test. */
  readonly isTold: boolean;
}

/**
 * The next events after a position in the event stream, in order. Events that are not told are among them, so that the position moves on.
 * @param userIds empty: of all users
 */
export function findNextEvents(
  db: Db,
  { after, userIds, atMost }: { after: bigint; userIds: readonly string[]; atMost: number },
): Promise<NextEvent[]> {
  return db.$queryRaw<NextEvent[]>`
    SELECT e.sequence, e."userId", e."sceneId", e."alertEventId", e.body,
           e.type::text AS type,
           (e.type IN ('staffing_advice', 'unusual_activity') OR e.type = 'alert_triggered' AND e."alertEventId" IS NOT NULL) AND coalesce(d.kind = 'camera', false)
             AND (cardinality(${[...userIds]}::uuid[]) = 0 OR e."userId" = ANY(${[...userIds]}::uuid[])) AS "isTold"
    FROM "Event" e LEFT JOIN "Device" d ON d.id = e."deviceId"
    WHERE e.sequence > ${after} ORDER BY e.sequence LIMIT ${atMost}::int`;
}

/** The position of the newest event that is older than this; null when all are younger. */
export async function positionBefore(db: Db, ageSeconds: number): Promise<bigint | null> {
  const [row] = await db.$queryRaw<{ sequence: bigint }[]>`
    SELECT sequence FROM "Event" WHERE "createdAt" < now() - make_interval(secs => ${ageSeconds}::int)
    ORDER BY sequence DESC LIMIT 1`;
  return row?.sequence ?? null;
}
