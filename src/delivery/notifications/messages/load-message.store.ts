import type { Db } from '../../../platform/database/db.ts';
import type { EventType } from '../../../platform/prisma-client/client.ts';

/** An event as it is stored. */
export interface EventBody {
  readonly type: EventType;
  readonly body: Uint8Array;
  readonly occurredAt: Date;
}

export interface LoadedMessage {
  readonly locale: string | null;
  readonly timezone: string | null;
  readonly deviceName: string | null;
  /** In the order in which they happened. */
  readonly events: readonly EventBody[];
  /** The picture of the newest alert; null where there is none, or none of a fitting size. */
  readonly pictureKey: string | null;
}

interface Wanted {
  readonly userId: string;
  readonly deviceId: string | null;
  readonly alertEventId: string | null;
  readonly eventIds: readonly string[];
}

/** Reads what a message says, as it is now: what was deleted or erased since then is not told. */
export async function loadMessage(
  db: Db,
  { userId, deviceId, alertEventId, eventIds }: Wanted,
  mostPictureBytes: number,
): Promise<LoadedMessage> {
  const [about, events, picture] = await Promise.all([
    db.$queryRaw<{ locale: string | null; timezone: string | null; deviceName: string | null }[]>`
      SELECT u.locale, coalesce(d.timezone, u.timezone) AS timezone, d.name AS "deviceName"
      FROM "User" u LEFT JOIN "Device" d ON d.id = ${deviceId}::uuid AND d."userId" = u.id
      WHERE u.id = ${userId}::uuid`,
    db.event.findMany({
      where: { userId, id: { in: [...eventIds] } },
      select: { type: true, body: true, occurredAt: true },
      orderBy: { sequence: 'asc' },
    }),
    alertEventId === null
      ? null
      : db.storedImage.findFirst({
          where: {
            userId,
            alertEventId,
            alertEvent: { deletedAt: null },
            kind: { in: ['annotated', 'clean'] },
            sizeBytes: { lte: mostPictureBytes },
          },
          // In the order of the enum: clean before annotated.
          orderBy: [{ kind: 'desc' }, { index: 'asc' }],
          select: { objectKey: true },
        }),
  ]);
  const { locale = null, timezone = null, deviceName = null } = about[0] ?? {};
  return { locale, timezone, deviceName, events, pictureKey: picture?.objectKey ?? null };
}
