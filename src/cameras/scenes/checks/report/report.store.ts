import { placeName } from '../../../../catalogue/words/place-name.ts';
import type { Db, Tx } from '../../../../platform/database/db.ts';
import type { NotificationChannel } from '../../../../platform/prisma-client/client.ts';
import type { Place } from './write-report.ts';

/** The e-mail addresses of a user that are confirmed; with ids, those of them. */
export function mailChannels(
  tx: Tx,
  userId: string,
  ids: readonly string[] | undefined,
): Promise<Pick<NotificationChannel, 'id' | 'kind' | 'userId'>[]> {
  return tx.notificationChannel.findMany({
    where: { userId, kind: 'email', status: 'enabled', ...(ids && { id: { in: [...ids] } }) },
    select: { id: true, kind: true, userId: true },
    orderBy: { id: 'asc' },
  });
}

/** How the reader of a report calls the camera of a scene. */
export async function placeOf(db: Db, sceneId: string): Promise<Place> {
  const { name, device, user, recording } = await db.scene.findUniqueOrThrow({
    where: { id: sceneId },
    select: {
      name: true,
      device: { select: { name: true, timezone: true } },
      user: { select: { locale: true } },
      recording: { select: { timezone: true } },
    },
  });
  return {
    camera: placeName(device.name, name),
    timezone: recording?.timezone ?? device.timezone ?? 'UTC',
    locale: user.locale,
  };
}
